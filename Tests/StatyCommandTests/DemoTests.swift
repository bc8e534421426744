import Foundation
import StatyCommand
import StatyGallery
import StatyReplay
import StatySpecimens
import Testing

/// The tour that needs no file.
@Suite struct DemoTests {
  private let place: Place

  init() throws { place = try Place() }

  private func recordings(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place.path(folder))
      .filter { $0.hasSuffix(".sqlite") }.sorted()
  }

  @Test(arguments: [80, 40])
  func `the tour says the same each time, and fits the terminal`(width: Int) throws {
    let arguments = ["demo"]
    let columns = ["COLUMNS": "\(width)"]
    let run = try Binary(arguments, in: place.directory, environment: columns)
    #expect(run.status == 0, "\(run.err)")
    try expectGolden(run.transcript, "demo-\(width)")
    // A command stays on one line, so that it can be copied, and so does the verdict of a file.
    let lines = run.out.split(separator: "\n").filter {
      !$0.hasPrefix("  $ staty ") && !$0.hasPrefix("    staty ") && !$0.hasPrefix("reproduced ")
    }
    #expect(lines.allSatisfy { $0.count <= width })
    let again = try Binary(arguments, in: place.directory, environment: columns)
    #expect(again.transcript == run.transcript)
  }

  /// With `STATY_WRITE_GOLDEN` set the picture is drawn anew instead.
  @Test func `the README's picture is what the tool draws`() throws {
    _ = try Binary(["demo", "-o", "tour", "-q"], in: place.directory)
    let run = try Binary(["timeline", "--svg", "tour/second-last.sqlite"], in: place.directory)
    // It is the same on every day.
    let picture = run.out.replacing(/, 2\d{3}-\S+Z/, with: "")
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Sources/StatyCommand/Documentation.docc/Resources/second-last.svg")
    if ProcessInfo.processInfo.environment["STATY_WRITE_GOLDEN"] != nil {
      try picture.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(try String(contentsOf: file, encoding: .utf8) == picture)
    }
  }

  @Test func `each recording breaks a rule, is reproduced, and diverges when fixed`()
    throws
  {
    #expect(try Binary(["demo", "-o", "tour", "-q"], in: place.directory).out == "")
    let names = try recordings(in: "tour")
    #expect(names.count >= 4)
    var codes: Set<String> = []
    for name in names {
      let path = place.path("tour/" + name)
      let scenario = try #require(
        SpecimenScenario.all.first { "\($0.name).sqlite" == name })
      let check = try Binary(["check", path])
      #expect(check.status == 1, "\(name): \(check.out)")
      #expect(check.out.contains("error[\(scenario.code ?? "none")]"), "\(name): \(check.out)")
      codes.insert(scenario.code ?? "none")
      #expect(try Binary(["replay", path]).status == 0, "\(name)")
      #expect(try Binary(["replay", "--with", scenario.right, path]).status == 1, "\(name)")
    }
    #expect(codes.count == names.count, "one for each fault")
  }

  @Test(arguments: [80, 40])
  func `the gallery shows every bug and what a check says of it`(width: Int) throws {
    let run = try Binary(
      ["demo", "gallery"], in: place.directory, environment: ["COLUMNS": "\(width)"])
    #expect(run.status == 0, "\(run.err)")
    let lines = run.out.split(separator: "\n").filter {
      !$0.hasPrefix("  $ staty ") && !$0.contains(".sqlite:session 1:")
    }
    #expect(lines.allSatisfy { $0.count <= width })
    for bug in KnownBug.all {
      #expect(run.out.contains("\n\(bug.name)\n"))
      #expect(run.out.contains("staty-gallery/\(bug.name).sqlite:session 1:"), "\(bug)")
    }
  }

  @Test(arguments: KnownBug.all)
  func `a bug of the gallery is explained, and fixed`(_ bug: KnownBug) throws {
    let run = try Binary(["demo", bug.name], in: place.directory)
    #expect(run.status == 0, "\(run.err)")
    let beginnings =
      ["\nREPRODUCED: ", "\nSAME: "] + (bug.minimizing == nil ? [] : ["\nMINIMIZED: "])
    for beginning in beginnings { #expect(run.out.contains(beginning), "\(beginning): \(run.out)") }
    let differs = run.out.contains("\nDIFFERS: ")
    #expect(differs || run.out.contains("\nBROKEN: "), "\(run.out)")
    #expect(
      run.out.contains("expectOneOutcome(\"\(bug.name)\", in: .app)") == differs)
    #expect(
      try recordings(in: "staty-gallery") + recordings(in: "staty-gallery/usual")
        == ["\(bug.name).sqlite", "\(bug.name).sqlite"])
  }

  @Test func `a folder with anything else in it is left alone`() throws {
    try place.write(.clean, to: "mine.sqlite")
    let before = try Data(contentsOf: URL(fileURLWithPath: place.path("mine.sqlite")))
    let run = try Binary(["demo", "-o", "."], in: place.directory)
    #expect(run.status == 73)
    #expect(run.out == "")
    #expect(
      run.err
        == "Error: Recording into '.': there is something in it that no demo has made.\n"
        + "  Choose another folder with '-o', or move that one away.\n")
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path("mine.sqlite"))) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.directory).count == 1)
  }

  @Test func `what was put into a demo's folder survives the next demo`() throws {
    #expect(try Binary(["demo", "-q"], in: place.directory).status == 0)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: place.path("staty-demo/notes.txt")))
    let names = try recordings(in: "staty-demo")
    #expect(try Binary(["demo", "-q"], in: place.directory).status == 0)
    #expect(try recordings(in: "staty-demo") == names)
    #expect(
      try String(contentsOfFile: place.path("staty-demo/notes.txt"), encoding: .utf8) == "mine")
    let sessions = try Binary([
      "sessions", place.path("staty-demo/\(names[0])"), "--format", "ndjson",
    ])
    #expect(sessions.out.split(separator: "\n").count == 1)
  }

  @Test func `an empty folder is taken, and places where none can be are refused`() throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: place.path("empty"), withIntermediateDirectories: false)
    #expect(try Binary(["demo", "-q", "-o", place.path("empty")]).status == 0)
    try Data().write(to: URL(fileURLWithPath: place.path("file")))
    for name in ["file", "none/there", ""] {
      let run = try Binary(["demo", "-o=\(name.isEmpty ? "" : place.path(name))"])
      #expect(run.status == 73, "\(name)")
      #expect(run.err.hasPrefix("Error: Recording into '"), "\(run.err)")
      #expect(run.err.contains("-o"), "\(run.err)")
    }
    #expect(try Binary(["demo", "folder"], in: place.directory).status == 64)
  }

  @Test func `a tool that does not know the specimens says how to teach it`() {
    let capture = Capture(["demo", "-o", place.path("tour")], registry: ControllerRegistry())
    #expect(capture.status == .usage)
    #expect(capture.err.contains("ControllerRegistry.withSpecimens"))
    #expect(!FileManager.default.fileExists(atPath: place.path("tour")))
  }
}
