import Foundation
import Testing

/// Checks that the tests and examples in `Seeds.md` exist.
@Suite struct SeedsTableTests {
  private struct Row {
    let part: String
    let tests: [String]
    let examples: [String]
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let tests = folder.deletingLastPathComponent()

  /// The texts between backticks.
  private static func quoted(_ cell: some StringProtocol) -> [String] {
    String(cell).matches(of: /`([^`]+)`/).map { String($0.1) }
  }

  private static func rows() throws -> [Row] {
    try String(contentsOf: folder.appending(path: "Seeds.md"), encoding: .utf8)
      .split(separator: "\n").compactMap { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 3, cells[0] != "part", !cells[0].hasPrefix("---") else { return nil }
        return Row(part: cells[0], tests: quoted(cells[1]), examples: quoted(cells[2]))
      }
  }

  /// The names of the tests of all modules.
  private static func names() throws -> Set<String> {
    var names: Set<String> = []
    let files = FileManager.default.enumerator(atPath: tests.path)
    while let path = files?.nextObject() as? String {
      guard path.hasSuffix("Tests.swift") else { continue }
      let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
      for match in text.matches(of: /func\s+`([^`]+)`/) { names.insert(String(match.1)) }
      for match in text.matches(of: /@Test\("([^"]+)"/) { names.insert(String(match.1)) }
    }
    return names
  }

  /// The names of the examples that `.ci/uikit` plays, without a fault and with one.
  private static func examples() throws -> (sound: Set<String>, faulty: Set<String>) {
    let check = tests.deletingLastPathComponent().appending(path: ".ci/uikit")
    let text = try String(contentsOf: check, encoding: .utf8)
    let sound = text.firstMatch(of: /for name in ([a-z ]+); do/)?.1 ?? ""
    let faulty = text.firstMatch(of: /<<END\n((?:.+\n)+)END\n/)?.1 ?? ""
    return (
      Set(sound.split(separator: " ").map(String.init)),
      Set(
        faulty.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
      )
    )
  }

  @Test func `Each part of the articles has a test, and each named test exists`() throws {
    let (rows, names) = (try Self.rows(), try Self.names())
    #expect(rows.count { $0.part.hasPrefix("fault:") } == 18)
    for row in rows {
      #expect(!row.tests.isEmpty, "nothing holds '\(row.part)'")
      for test in row.tests { #expect(names.contains(test), "there is no test '\(test)'") }
    }
  }

  @Test func `Each named example is played, and each played example is named`() throws {
    let (rows, played) = (try Self.rows(), try Self.examples())
    #expect(!played.sound.isEmpty && !played.faulty.isEmpty)
    let faults = rows.filter { $0.part.hasPrefix("fault:") }
    let parts = rows.filter { !$0.part.hasPrefix("fault:") }
    #expect(Set(faults.flatMap(\.examples)) == played.faulty)
    #expect(Set(parts.flatMap(\.examples)) == played.sound)
  }
}
