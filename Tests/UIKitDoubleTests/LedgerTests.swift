import Foundation
import Testing

/// Checks that each warning and exception is in the ledger and has a test.
@Suite struct LedgerTests {
  private struct Row {
    let file: String
    let words: String
    let test: String
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let double = folder.deletingLastPathComponent().appending(path: "UIKitDouble")

  private static func rows() throws -> [Row] {
    let ledger = try String(contentsOf: double.appending(path: "Ledger.md"), encoding: .utf8)
    let row = /\| `([^`]+\.swift)` \| `([^`]+)` \| `([^`]+)` \|/
    return ledger.matches(of: row).map {
      Row(file: String($0.1), words: String($0.2), test: String($0.3))
    }
  }

  /// The files of a folder, by their paths in it.
  private static func sources(in folder: URL) throws -> [String: String] {
    var sources: [String: String] = [:]
    let files = FileManager.default.enumerator(atPath: folder.path)
    while let path = files?.nextObject() as? String {
      guard path.hasSuffix(".swift") else { continue }
      sources[path] = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }
    return sources
  }

  @Test func `Each warning and exception in the ledger is in the double and has a test`()
    throws
  {
    let (sources, tests) = (try Self.sources(in: Self.double), try Self.sources(in: Self.folder))
    let names = Set(
      tests.values.flatMap { $0.matches(of: /func\s+`([^`]+)`/).map { String($0.1) } })
    for row in try Self.rows() {
      #expect(
        sources[row.file]?.contains(row.words) == true, "\(row.file) does not say \(row.words)")
      #expect(names.contains(row.test), "there is no test '\(row.test)'")
    }
  }

  @Test func `Each warning and exception of the double is in the ledger`() throws {
    let rows = try Self.rows()
    var all = 0
    for (file, text) in try Self.sources(in: Self.double) {
      let calls = text.matches(of: /UIKitDouble\.(warn|raise)\(/).count
      // A table raises the reasons that its update block returns.
      let reasons = file.hasSuffix("UpdateBlock.swift") ? text.matches(of: /return\s+"/).count : 0
      all += calls + reasons
      let listed = rows.count { $0.file == file }
      #expect(listed >= calls + reasons, "\(file) has \(calls + reasons), the ledger \(listed)")
    }
    #expect(all > 20)
  }
}
