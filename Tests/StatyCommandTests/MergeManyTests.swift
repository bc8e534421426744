import Foundation
import Testing

/// Many histories become one, however few files may be open at once.
@Suite struct MergeManyTests {
  private let place: Place

  init() throws { place = try Place() }

  @Test func `many files, half of them copies, are merged with few of them open`() throws {
    #expect(
      try Binary(["demo", "-q", "--fleet=60", "-o", "one"], in: place.directory).status == 0)
    try FileManager.default.copyItem(atPath: place.path("one"), toPath: place.path("two"))
    let script =
      "ulimit -n 30 && exec '\(Binary.path)' merge one/*.sqlite two/*.sqlite -o all.sqlite"
    let run = try Binary(program: "/bin/sh", ["-c", script], in: place.directory)
    #expect(run.status == 0, "\(run.err)")
    #expect(run.err.contains(", equal; it was taken once.\n"))
    #expect(run.err.contains("So are 40 others.\n"), "\(run.err)")
    #expect(run.err.hasSuffix(" in 60 sessions.\n"), "\(run.err)")
    // Each session as it was, its numbers aside, and judged as it was.
    let numbers = /"(seq|inside|cause)":\d+,?/
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
            .joined().replacing(numbers, with: "")
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
    #expect(merged.count > 10)
  }

  @Test func `of a fleet what cannot be read is named and left out`() throws {
    #expect(
      try Binary(["demo", "-q", "--fleet=4", "-o", "fleet"], in: place.directory).status == 0)
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: place.path("fleet/more"), withIntermediateDirectories: true)
    try manager.moveItem(
      atPath: place.path("fleet/device-00003.sqlite"), toPath: place.path("fleet/more/3.sqlite"))
    try manager.createSymbolicLink(
      atPath: place.path("fleet/4.sqlite"), withDestinationPath: "device-00004.sqlite")
    try manager.createSymbolicLink(
      atPath: place.path("fleet/round"), withDestinationPath: "..")
    try Data("no history".utf8).write(to: URL(fileURLWithPath: place.path("fleet/no.sqlite")))
    // What is no text is no name that a program of text could say again.
    #expect(
      try Binary(
        program: "/bin/sh", ["-c", "touch \"$(printf 'fleet/\\377.sqlite')\""], in: place.directory
      ).status == 0)
    try place.tamper("UPDATE event SET t = t + 1 WHERE seq = 3", "fleet/device-00002.sqlite")

    let run = try Binary(["merge", "--fleet", "fleet", "-o", "all.sqlite"], in: place.directory)
    #expect(run.status == 0)
    try expectGolden(run.err, "merge-fleet")
    // So are they on the page.
    let page = try Binary(["report", "--fleet", "fleet"], in: place.directory)
    #expect(page.err.hasSuffix("; 4 could not be read.\n"), "\(page.err)")
    // Files that were named are another thing.
    let named = try Binary(
      ["merge", "fleet/device-00001.sqlite", "fleet/no.sqlite", "-o", "two.sqlite"],
      in: place.directory)
    #expect(named.status == 65)
    #expect(!manager.fileExists(atPath: place.path("two.sqlite")))
    for words in [["--fleet", "fleet", "all.sqlite"], []] {
      #expect(
        try Binary(["merge", "-o", "x.sqlite"] + words, in: place.directory).status == 64)
    }
    #expect(
      try Binary(["merge", "--fleet", "none", "-o", "x.sqlite"], in: place.directory).status == 66)
  }
}
