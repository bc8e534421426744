import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import Testing

@testable import StatyCommand

/// Histories that go from file to file, as people see it.
@Suite struct TransferVerbTests {
  private let place: Place

  init() throws { place = try Place() }

  private func run(_ arguments: String...) throws -> Binary {
    try Binary(arguments, in: place.directory)
  }

  @Test func `a story as text, line by line`() throws {
    var story = Story.overlapping()
    story.lose(2)
    story.add(.mark)
    try place.write(story, .clean, isChecked: true)
    try expectGolden(try run("export", "history.sqlite").transcript, "export-ndjson")
    let one = try run("export", "history.sqlite", "--session", "2").out
    #expect(one.split(separator: "\n").count == 18)
  }

  @Test func `what was exported is imported, and says the same`() throws {
    try place.write(.overlapping(), .clean, isChecked: true)
    let out = try run("export", "history.sqlite", "-o", "a.ndjson")
    #expect(out.transcript == "exit 0\n--- out\n--- err\n")
    let made = try run("import", "a.ndjson", "-o", "other.sqlite")
    #expect(
      made.transcript == "exit 0\n--- out\n--- err\nImported 23 events in 2 sessions.\n")
    for verb in ["sessions", "check", "replay"] {
      let (before, after) = (try run(verb, "history.sqlite"), try run(verb, "other.sqlite"))
      #expect(after.status == before.status)
      #expect(after.out.replacing("other.sqlite", with: "history.sqlite") == before.out)
    }
  }

  @Test func `what the rules find and a text leaves out is added`() throws {
    try place.write(.overlapping(), .clean, isChecked: true)
    let text = try run("export", "history.sqlite").out
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix(#"{"type":"finding""#) }
    #expect(lines.count < text.split(separator: "\n").count)
    try Data(lines.joined(separator: "\n").utf8).write(
      to: URL(fileURLWithPath: place.path("a.ndjson")))
    #expect(try run("import", "a.ndjson", "-o", "made.sqlite", "--force").status == 0)
    let (before, after) = (try run("check", "history.sqlite"), try run("check", "made.sqlite"))
    #expect(after.status == 1)
    #expect(after.out.replacing("made.sqlite", with: "history.sqlite") == before.out)
  }

  @Test func `a check shows what happened instead of an entry that never came`() throws {
    let lines = """
      {"format":"staty-history","version":1}
      {"type":"session","uuid":"u","app":"Shop","wall_us":1795625412000000,"first_seq":1}
      {"type":"controller","controller":"checkout","policy":"CheckoutScreens","fidelity":"full"}
      {"seq":1,"t_us":120000,"kind":"attached","controller":"checkout"}
      {"seq":2,"t_us":210000,"kind":"enqueued","controller":"checkout","visit":1,"state":"loading","site":"Shop/CheckoutScreens.swift","line":31}
      {"seq":3,"t_us":210030,"kind":"entering","controller":"checkout","visit":1,"state":"loading","inside":2,"part":"handled"}
      {"seq":4,"t_us":464000,"kind":"entered","controller":"checkout","visit":1,"state":"loading"}
      {"seq":5,"t_us":705000,"kind":"enqueued","controller":"checkout","visit":2,"state":"paymentFailed","site":"Shop/CheckoutScreens.swift","line":58}
      {"seq":6,"t_us":705040,"kind":"exiting","controller":"checkout","visit":1,"state":"loading","inside":5,"part":"handled"}
      {"seq":7,"t_us":790000,"kind":"enqueued","controller":"checkout","visit":3,"state":"summary","site":"Shop/CheckoutScreens.swift","line":44}
      {"seq":8,"t_us":961000,"kind":"exited","controller":"checkout","visit":1,"state":"loading"}
      {"seq":9,"t_us":961030,"kind":"entering","controller":"checkout","visit":3,"state":"summary","inside":8,"part":"handled"}
      {"seq":10,"t_us":1213000,"kind":"entered","controller":"checkout","visit":3,"state":"summary"}
      {"type":"anchor","t_us":9412000,"wall_us":1795625421412000}
      {"type":"end","ended":"suspended"}
      """
    try Data(lines.utf8).write(to: URL(fileURLWithPath: place.path("a.ndjson")))
    #expect(try run("import", "a.ndjson", "-o", "shop.sqlite").status == 0)
    try expectGolden(try run("check", "shop.sqlite").transcript, "check-instead")
    let sites = try run("query", "shop.sqlite", "SELECT site FROM history WHERE seq IN (5, 6)")
    #expect(sites.out.contains("Shop/CheckoutScreens.swift:58"))
    // A policy that drops the request breaks no rule, and that is not all there is to say.
    let played = try run("replay", "shop.sqlite", "--with", "latest", "--what-if").out
    #expect(
      played.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "breaks no rule. Still not shown: #2 paymentFailed is discarded (replaced)."))
    let json = try run("check", "shop.sqlite", "--json").out
    #expect(json.contains(#""site": "Shop/CheckoutScreens.swift:58""#))
  }

  @Test func `a text is imported from standard input, too`() throws {
    try place.write(.clean)
    let staty = "'\(Binary.path)'"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "\(staty) export history.sqlite | \(staty) import - -q -o made.sqlite",
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: place.directory)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try run("diff", "history.sqlite", "made.sqlite").status == 0)
    let nowhere = try run("merge", "history.sqlite", "-o", "none/made.sqlite")
    #expect(
      nowhere.transcript == """
        exit 73
        --- out
        --- err
        Error: Writing 'none/made.sqlite': No such file or directory.
          Choose a place that can be written.

        """)
    let folder = try run("import", ".", "-o", "none.sqlite")
    #expect(folder.err == "Error: Reading '.': Is a directory.\n  Check the path.\n")
  }

  @Test func `a text is imported from a pipe, and a pipe without a writer is not waited for`()
    throws
  {
    try place.write(.overlapping())
    #expect(mkfifo(place.path("pipe"), 0o600) == 0)
    let staty = "'\(Binary.path)'"
    let written = try Binary(
      program: "/bin/sh",
      [
        "-c",
        "(exec >pipe; sleep 3; \(staty) export history.sqlite) & "
          + "\(staty) import pipe -q -o made.sqlite && wait",
      ], in: place.directory)
    #expect(written.status == 0, "\(written.err)")
    #expect(try run("diff", "history.sqlite", "made.sqlite").status == 0)
    let silent = try run("import", "pipe", "-o", "none.sqlite")
    #expect(silent.status == 65 && silent.err.contains("pipe:1: "), "\(silent.err)")
  }

  @Test func `a history that is being recorded is exported as it is at one moment`() throws {
    let recorder = try HistoryRecorder(at: place.path())
    recorder.mark("half way")
    try recorder.flush()
    let out = try run("export", "history.sqlite", "-o", "live.ndjson")
    #expect(out.transcript == "exit 0\n--- out\n--- err\n")
    #expect(try run("import", "live.ndjson", "-o", "live.sqlite").status == 0)
    let reader = try HistoryReader(path: place.path("live.sqlite"))
    #expect(try reader.sessions().map(\.ended) == [.open])
    let check = try run("check", "live.sqlite")
    #expect(check.status == 2 && check.out.contains("Nothing was judged"), "\(check.transcript)")
    recorder.close()
    let later = try run("export", "history.sqlite").out
    #expect(later.contains(#""note":"half way""#))
    #expect(later.contains(#""ended":"clean""#))
  }

  @Test func `what is wrong with a text is told line by line, and nothing is written`() throws {
    let text = """
      {"format":"staty-history","version":1}
      {"type":"session","uuid":"u","first_seq":1}
      {"type":"controller","controller":"main"}
      {"seq":1,"t_us":1,"kind":"enqueued","controller":"main","visit":1,"state":"loading"}
      {"seq":2,"t_us":1,"kind":"enterd","controller":"main","visit":1,"state":"loading"}
      {"seq":2,"kind":"entered","controller":"main","visit":1,"state":"loading"}
      {"seq":2,"t_us":1,"kind":"entered","controler":"main","visit":1,"state":"loading"}
      {"seq":2,"t_us":1,"kind":"exited","controller":"main","visit":1,"state":"\u{1b}[31m"}
      {"seq":2,"t_us":1,"kind":"exited","controller":"\\u001b[31m","visit":1}
      {"type":"end"}

      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: place.path("log.ndjson")))
    try expectGolden(
      try run("import", "log.ndjson", "-o", "log.sqlite").transcript, "import-wrong")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.directory) == ["log.ndjson"])
  }

  @Test func `an import says where it cannot read or write`() throws {
    try place.write(.clean)
    let missing = try run("import", "none.ndjson", "-o", "x.sqlite")
    #expect(missing.status == 66)
    #expect(missing.err.hasPrefix("Error: Reading 'none.ndjson': there is no such file.\n"))
    let bare = try run("import", "none.ndjson")
    #expect(bare.status == 64)
    #expect(bare.err.hasPrefix("Error: Missing expected option '--output <file>'.\n"))
    #expect(try run("export", "history.sqlite", "-o", "a.ndjson").status == 0)
    let occupied = try run("import", "a.ndjson", "-o", "history.sqlite")
    #expect(occupied.status == 73)
    #expect(occupied.err.hasPrefix("Error: Writing 'history.sqlite': there is a file already."))
    #expect(try run("import", "a.ndjson", "-o", "history.sqlite", "--force").status == 0)
    #expect(try run("check", "history.sqlite").status == 0)
    #expect(try run("import", "a.ndjson", "-o", "a.ndjson", "--force").status == 64)
    #expect(try run("import", "history.sqlite", "-o", "b.sqlite").status == 65)
    #expect(try run("export", "a.ndjson").status == 65)
  }

  @Test func `histories are merged, and what is there twice is told`() throws {
    try place.write(.overlapping(), .clean, to: "a.sqlite")
    try place.write(.overlapping(), to: "b.sqlite")
    #expect(
      try run("merge", "b.sqlite", "a.sqlite", "-o", "all.sqlite").transcript == """
        exit 0
        --- out
        --- err
        Session 00000000-0000-0000-0000-000000000000 is in 'b.sqlite' and in 'a.sqlite', equal; it was taken once.
        Merged 23 events in 2 sessions.

        """)
    #expect(try run("check", "-q", "all.sqlite").status == 1)
    try place.write(.clean, to: "c.sqlite")
    #expect(
      try run("merge", "a.sqlite", "c.sqlite", "-o", "none.sqlite").transcript == """
        exit 65
        --- out
        --- err
        Error: Merging: session 00000000-0000-0000-0000-000000000000 is in 'a.sqlite' and 'c.sqlite', and does not say the same.
          One is a copy of an earlier time, or was changed. Leave one of the files out.

        """)
    #expect(!FileManager.default.fileExists(atPath: place.path("none.sqlite")))
  }

  @Test func `a redacted history is judged as before`() throws {
    try place.write(.overlapping(), .clean)
    #expect(
      try run("redact", "history.sqlite", "-o", "red.sqlite").transcript == """
        exit 0
        --- out
        --- err
        Redacted 23 events; of names and payloads 8 tokens were made.

        """)
    try expectGolden(try run("check", "red.sqlite").transcript, "check-redacted")
    for verb in ["check", "replay"] {
      #expect(try run(verb, "red.sqlite").status == run(verb, "history.sqlite").status)
    }
    #expect(try run("redact", "history.sqlite").status == 64)
    try place.tamper("UPDATE event SET visit = 7 WHERE seq = 5")
    #expect(try run("redact", "history.sqlite", "-o", "red2.sqlite").status == 65)
    #expect(try run("merge", "history.sqlite", "-o", "red2.sqlite").status == 65)
    #expect(try run("export", "history.sqlite").status == 65)
    #expect(!FileManager.default.fileExists(atPath: place.path("red2.sqlite")))
  }

  @Test func `a redacted history of a controller that decides by names is reproduced`() throws {
    #expect(try run("demo", "-o", "demo").status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path("demo"))
      .filter { $0.hasSuffix(".sqlite") }
    #expect(names.count > 3)
    for name in names {
      let made = try run("redact", "demo/\(name)", "-o", "red-\(name)")
      #expect(made.status == 0)
      let (before, after) = (
        try run("replay", "--json", "demo/\(name)"), try run("replay", "--json", "red-\(name)")
      )
      #expect(after.status == before.status, "\(name): \(after.out)")
      let isKeyed =
        try run("sessions", "--json", "demo/\(name)").out.contains("keyed-2015")
        || HistoryReader(path: place.path("demo/\(name)")).controllers(session: 1)
          .contains { $0.policy == "keyed-2015" }
      #expect(made.err.contains("since controllers of the kind 'keyed-2015'") == isKeyed)
    }
  }

  @Test func `redacted recordings of the gallery are judged as before, and no class diverges`()
    throws
  {
    #expect(try run("demo", "gallery", "-o", "gallery").status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path("gallery"))
      .filter { $0.hasSuffix(".sqlite") }
    #expect(names.count > 8)
    for name in names {
      #expect(try run("redact", "gallery/\(name)", "-o", "red-\(name)").status == 0)
      let files = ["gallery/\(name)", "red-\(name)"]
      let checks = try files.map { file in
        let said = try JSONSerialization.jsonObject(
          with: Data(run("check", "--json", file).out.utf8))
        let sessions = (said as? [String: Any])?["sessions"] as? [[String: Any]]
        let told = try #require(sessions?.first)
        return try ["findings", "silent"].map { part in
          try #require(told[part] as? [[String: Any]])
            .map { "\($0["code"] ?? ""), \($0["seq"] ?? ""), \($0["reason"] ?? "")" }
        }
      }
      #expect(checks[0] == checks[1], "\(name)")
      let replays = try files.map { try run("replay", $0).status }
      let isTrack = try HistoryReader(path: place.path("gallery/\(name)")).controllers(session: 1)
        .contains(where: \.isTrack)
      #expect(replays == [0, isTrack ? 2 : 0], "\(name)")
    }
  }

  @Test func `a name to keep that is not there is told with the one that is meant`() throws {
    try place.write(.clean)
    let arguments = ["redact", "history.sqlite", "-o", "red.sqlite", "--keep"]
    let slip = try Binary(arguments + ["contnet", "--keep=alert"], in: place.directory)
    #expect(
      slip.transcript == """
        exit 64
        --- out
        --- err
        Error: No name in 'history.sqlite' is 'contnet'. Did you mean 'content'?
          Leave '--keep' out for what is not there; nothing was written.

        """)
    #expect(!FileManager.default.fileExists(atPath: place.path("red.sqlite")))
    #expect(try Binary(arguments + ["content"], in: place.directory).status == 0)
  }
}
