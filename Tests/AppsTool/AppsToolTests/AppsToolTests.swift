import Foundation
import Testing

/// What an app's own tool does with the recorded bugs of the three apps.
@Suite struct AppsToolTests {
  struct App: Sendable, CustomTestStringConvertible {
    let name: String
    let rule: String
    /// What the written test expects of the model without the bug.
    let moves: String
    /// How a search of the model without the bug ends.
    var verdict = "SAME"
    var testDescription: String { name }
  }

  private static let apps = [
    App(name: "feed", rule: "late-answer", moves: #"expectMoves("loading", "loading", "empty")"#),
    App(
      name: "basket", rule: "undeclared-transition",
      moves: #"expectMoves("filled", "paying", "paid")"#,
      // Whether the basket can be filled while it is being paid depends on when the answer comes.
      verdict: "DIFFERS: 2 outcomes"),
    App(name: "gallery", rule: "double-push", moves: #"expectMoves(.pushed("photo"))"#),
  ]

  /// The folder of the test bundle, which has the tool, too.
  private static var programs: URL {
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      return (bundle ?? .main).bundleURL.deletingLastPathComponent()
    #else
      return Bundle.main.bundleURL
    #endif
  }

  /// Runs the tool in a folder.
  private static func run(
    _ arguments: [String], in folder: URL
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = programs.appendingPathComponent("apps-tool")
    process.currentDirectoryURL = folder
    process.arguments = arguments
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test(arguments: apps)
  func `a bug is replayed, named, searched for, reduced and written as a test`(
    app: App
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func tool(_ arguments: String...) throws -> (status: Int32, text: String) {
      try tool(arguments)
    }
    func tool(_ arguments: [String]) throws -> (status: Int32, text: String) {
      try Self.run(arguments, in: folder)
    }
    func expect(
      _ status: Int32, _ word: String, _ run: (status: Int32, text: String),
      _ place: SourceLocation = #_sourceLocation
    ) {
      #expect(run.status == status && run.text.contains(word), "\(run)", sourceLocation: place)
    }
    let (fixed, file) = (app.name + "-fixed", "history.sqlite")
    #expect(try tool("record", app.name, file).status == 0)
    expect(1, "[\(app.rule)]", try tool("check", "--strict", file))
    expect(0, "REPRODUCED", try tool("replay", file))
    expect(1, "DIVERGED", try tool("replay", "--with", fixed, file))
    expect(1, "BROKEN: \(app.rule) after 4 steps", try tool("explore", file))
    expect(0, app.verdict, try tool("explore", "--with", fixed, file))
    let source = ["--registry", "." + app.name, "--import", "App"]
    for verb in ["replay", "explore", "minimize", "test"] {
      let words = [verb, "--with", "queue", file] + (verb == "test" ? source : [])
      expect(64, "no policy receives the messages of the track '\(app.name)'", try tool(words))
    }
    expect(64, "is of a track", try tool("replay", "--insert", "after 4: empty", file))
    for words in [
      ["show", file], ["timeline", file], ["stats", file], ["graph", file],
      ["report", file, "-o", "page.html"], ["export", file, "-o", "lines.jsonl"],
      ["import", "lines.jsonl", "-o", "again.sqlite"], ["diff", file, "again.sqlite"],
    ] {
      let run = try tool(words)
      #expect(run.status == 0, "\(words): \(run.text)")
    }
    let minimized = try tool("minimize", file, "-o", "small.sqlite")
    expect(0, "MINIMIZED: \(app.rule) with 4 messages of 4", minimized)
    expect(0, "apps-tool test --rule \(app.rule) --registry .own", minimized)
    expect(0, "REPRODUCED", try tool("replay", "small.sqlite"))
    let library = app.name.prefix(1).uppercased() + app.name.dropFirst()
    let early = try tool(["test", "small.sqlite"] + source)
    expect(0, "expectNoFindings(", early)
    #expect(!early.text.contains("expectMoves") && !early.text.contains("expected order"))
    expect(
      0, app.moves,
      try tool(
        "test", "--with", fixed, "--registry", "." + app.name, "--import", library,
        "small.sqlite"))
  }

  @Test func `an outcome is allowed once, and another one is broken from then on`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func tool(_ arguments: String...) throws -> (status: Int32, text: String) {
      try Self.run(arguments, in: folder)
    }
    _ = try tool("record", "basket", "h.sqlite")
    let explore = ["explore", "--with", "basket-fixed"]
    #expect(try tool(explore[0], explore[1], explore[2], "h.sqlite").text.hasPrefix("DIFFERS: 2"))
    #expect(try tool(explore[0], explore[1], explore[2], "--strict", "h.sqlite").status == 1)
    #expect(
      try tool(explore[0], explore[1], explore[2], "--allow", "3", "h.sqlite").status == 64)
    let allowed = try tool(explore[0], explore[1], explore[2], "--allow", "2", "h.sqlite")
    #expect(
      allowed.status == 0
        && allowed.text.contains("SAME: every order ends in a way that")
        && allowed.text.contains("'h.sqlite.outcomes'"))
    let file = folder.appendingPathComponent("h.sqlite.outcomes")
    let lines = "filled, set by 'added (2)'\npaid, set by 'paid'\n"
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasPrefix("[session ") && text.hasSuffix("]\n" + lines), "\(text)")
    #expect(try tool(explore[0], explore[1], explore[2], "h.sqlite").text.hasPrefix("SAME"))
    try Data("filled, set by 'added (2)'\n".utf8).write(to: file)
    let broken = try tool(explore[0], explore[1], explore[2], "h.sqlite")
    #expect(broken.status == 1 && broken.text.hasPrefix("BROKEN: it can end in a way that is not"))
    #expect(broken.text.contains("This is not allowed."))
  }
}
