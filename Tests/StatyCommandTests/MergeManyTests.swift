import Foundation
import StatyHistory
import Testing

/// Many histories become one, however few files may be open at once.
@Suite struct MergeManyTests {
  private let place: Place

  init() throws { place = try Place() }

  @Test func `many files, half of them copies, are merged with few of them open`() throws {
    try FileManager.default.createDirectory(
      atPath: place.path("one"), withIntermediateDirectories: true)
    for number in 10..<70 {
      let writer = try HistoryWriter(path: place.path("one/\(number).sqlite"))
      try (number % 3 == 0 ? Story.overlapping() : .clean).write(writer, number)
      try writer.close()
    }
    try FileManager.default.copyItem(atPath: place.path("one"), toPath: place.path("two"))
    let script =
      "ulimit -n 30 && exec '\(Binary.path)' merge one/*.sqlite two/*.sqlite -o all.sqlite"
    let run = try Binary(program: "/bin/sh", ["-c", script], in: place.directory)
    #expect(run.status == 0, "\(run.err)")
    #expect(run.err.contains(", equal; it was taken once.\n"))
    #expect(run.err.contains("So are 40 others.\n"), "\(run.err)")
    #expect(run.err.hasSuffix(" in 60 sessions.\n"), "\(run.err)")
    // Each session as it was, its numbers aside, and judged as it was.
    let numbers = /"(seq|first_seq|session|inside|cause)":\d+,?/
    func texts(_ files: [String]) throws -> [String] {
      try files.flatMap { file in
        let run = try Binary(["export", file], in: place.directory)
        #expect(run.status == 0, "\(run.err)")
        return run.out.replacing(numbers, with: "").split(separator: #"{"type":"session""#)
          .dropFirst().map { session in
            session.split(separator: "\n").filter { !$0.hasPrefix(#"{"type":"finding""#) }.joined()
          }
      }.sorted()
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path("one"))
      .filter { $0.hasSuffix(".sqlite") }.sorted().map { "one/" + $0 }
    #expect(try texts(["all.sqlite"]) == texts(names))
    let codes = { (run: Binary) in
      run.out.split(separator: "\n").map { line in
        line.components(separatedBy: "\"code\":\"").dropFirst().first?.prefix { $0 != "\"" } ?? ""
      }.sorted()
    }
    let words = ["check", "-q", "--format=ndjson"]
    let merged = codes(try Binary(words + ["all.sqlite"], in: place.directory))
    #expect(merged == codes(try Binary(words + names, in: place.directory)))
    #expect(merged.count > 10)
  }

  @Test func `what cannot be read is named, and nothing is written`() throws {
    try place.write(.clean, to: "one.sqlite")
    try Data("no history".utf8).write(to: URL(fileURLWithPath: place.path("no.sqlite")))
    let run = try Binary(
      ["merge", "one.sqlite", "no.sqlite", "-o", "two.sqlite"], in: place.directory)
    #expect(run.status == 65)
    #expect(run.err.contains("no.sqlite"))
    #expect(!FileManager.default.fileExists(atPath: place.path("two.sqlite")))
    #expect(try Binary(["merge", "-o", "x.sqlite"], in: place.directory).status == 64)
  }
}
