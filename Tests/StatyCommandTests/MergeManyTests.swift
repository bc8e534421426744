import Foundation
import Testing

/// Many histories become one, however few files may be open at once.
@Suite struct MergeManyTests {
  private let place: Place

  init() throws { place = try Place() }

  @Test func `hundreds of files, half of them copies, are merged with few of them open`() throws {
    #expect(
      try Binary(["demo", "-q", "--fleet=150", "-o", "one"], in: place.directory).status == 0)
    try FileManager.default.copyItem(atPath: place.path("one"), toPath: place.path("two"))
    let script =
      "ulimit -n 40 && exec '\(Binary.path)' merge one/*.sqlite two/*.sqlite -o all.sqlite"
    let run = try Binary(program: "/bin/sh", ["-c", script], in: place.directory)
    #expect(run.status == 0, "\(run.err)")
    #expect(run.err.contains(", equal; it was taken once.\n"))
    #expect(run.err.contains("So are 130 others.\n"), "\(run.err)")
    #expect(run.err.hasSuffix(" in 150 sessions.\n"), "\(run.err)")
    // Each session as it was, its numbers aside, and judged as it was.
    func texts(_ files: [String]) throws -> [String] {
      let run = try Binary(
        ["export", "--partitioned=parts-\(files.count)"] + files, in: place.directory)
      #expect(run.status == 0, "\(run.err)")
      let folder = place.path("parts-\(files.count)")
      return try FileManager.default.subpathsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(".ndjson") }.sorted().map { file in
          let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
          return file
            + text.split(separator: "\n").filter { $0.contains(#""type":"event""#) }
            .map { $0.replacing(/"(seq|cause)":\d+,?/, with: "") }.joined()
        }
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
    #expect(merged.count > 20)
  }
}
