import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRules
import Testing

/// What the tool says of searches, word for word.
@Suite struct ExploreReportTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expect(
    _ arguments: [String], _ name: String, status: Int32, columns: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try place.expect(
      ["explore"] + arguments, name, status: status, columns: columns,
      sourceLocation: sourceLocation)
  }

  @Test func `an order that breaks a rule is shown step by step`() throws {
    try place.write(.quiet("staty-2019"))
    try expect(["history.sqlite"], "explore-broken", status: 1)
    try expect(["history.sqlite"], "explore-broken-40", status: 1, columns: 40)
    try expect(["--json", "history.sqlite"], "explore-json", status: 1)
    try expect(["--rule=never-entered", "history.sqlite"], "explore-rule", status: 1)
  }

  @Test func `a controller that breaks none is searched to the end`() throws {
    try place.write(.quiet("staty-2019"))
    try expect(["--with=queue", "history.sqlite"], "explore-passed", status: 0)
    try expect(["--with=queue", "--never", "history.sqlite"], "explore-never", status: 0)
    try expect(
      ["--with=queue", "--never", "--rule=never-arrived", "history.sqlite"], "explore-never-rule",
      status: 1)
  }

  @Test func `for each rule that is broken an order is shown, and all are one history`() throws {
    try place.write(.quiet("staty-2019"))
    try expect(["--each", "history.sqlite"], "explore-each", status: 1)
    try expect(["--each", "--json", "history.sqlite"], "explore-each-json", status: 1)
    let run = try Binary(
      ["explore", "--each", "-o", "each.sqlite", "history.sqlite"], in: place.directory)
    let reader = try HistoryReader(path: place.path("each.sqlite"))
    let sessions = try reader.sessions()
    #expect(sessions.count > 1)
    #expect(run.err == "Note: 'each.sqlite' holds \(sessions.count) orders, a session each.\n")
    let codes = try sessions.map { session in
      Set(try HistoryCheck(reader).session(session.id).findings.map(\.code))
    }
    for code in [.exitBeforeEnter, .neverEntered] as [RuleCode] {
      #expect(codes.contains { $0.contains(code) }, "\(code)")
    }
    #expect(try Binary(["replay", "each.sqlite"], in: place.directory).status == 0)
    // Of a second session the same orders come.
    let twice = try Binary(
      ["explore", "--each", "-o", "twice.sqlite", "history.sqlite", "history.sqlite"],
      in: place.directory)
    #expect(twice.err == "Note: 'twice.sqlite' holds \(sessions.count) orders, a session each.\n")
  }

  @Test func `a search that is cut says so`() throws {
    try place.write(.quiet("staty-2019"))
    // How the orders end is known, and that longer ones were not searched for a broken rule is said.
    try expect(
      ["--rule=overlap", "--max-steps=3", "history.sqlite"], "explore-cut-steps", status: 0)
    try expect(["--with=queue", "--time=0ms", "history.sqlite"], "explore-cut-time", status: 2)
    var story = Story("queue")
    for visit in 1...9 as ClosedRange<UInt32> { story.add(.enqueued, visit) }
    try place.write(story, to: "many.sqlite")
    try expect(["--memory=0M", "many.sqlite"], "explore-error-memory", status: 64)
  }

  @Test func `a recording without requests cannot be searched, and has not passed`()
    throws
  {
    try place.write(Story("queue"))
    try expect(["history.sqlite"], "explore-nothing", status: 2)
  }

  @Test func `a recording that stops before the last answer breaks no rule`() throws {
    var story = Story("queue")
    let first = story.add(.enqueued, 1)
    story.add(.entering, 1, cause: first)
    story.add(.entered, 1)
    let second = story.add(.enqueued, 2)
    story.add(.exiting, 1, cause: second)
    story.end = .killed
    try place.write(story)
    try expect(["history.sqlite"], "explore-stopped", status: 0)
    // However long it waits.
    story.wait(seconds: 60)
    story.add(.enqueued, 3)
    try place.write(story, to: "long.sqlite")
    try expect(["long.sqlite"], "explore-silent", status: 0)
    try expect(["--rule=never-exited", "long.sqlite"], "explore-silent-rule", status: 1)
  }

  @Test(arguments: ["second-exit", "interrupted-animation", "closed-alert", "dropped-presentation"])
  func `what another controller fixes in a replay it fixes in every order`(_ fault: String) throws {
    #expect(try Binary(["demo", "-o", "demo"], in: place.directory).status == 0)
    let replay = try Binary(
      ["replay", "--with=queue", "--what-if", "demo/\(fault).sqlite"], in: place.directory)
    let search = try Binary(
      ["explore", "--with=queue", "demo/\(fault).sqlite"], in: place.directory)
    #expect(search.status == 0, "\(search.transcript) \(replay.transcript)")
    #expect([0, 2].contains(replay.status), "\(replay.transcript)")
  }

  @Test func `of many sessions each gets a line`() throws {
    try place.write(.quiet("staty-2019"), .quiet("queue"), .quiet("shop-2024"))
    try expect(["history.sqlite"], "explore-many", status: 1)
    try expect(["--session=3", "history.sqlite"], "explore-unknown", status: 2)
  }

  @Test func `the order that was found is a history that checks and replays`() throws {
    try place.write(.quiet("staty-2019"))
    let run = try Binary(
      ["explore", "--rule=never-entered", "-o", "found.sqlite", "history.sqlite"],
      in: place.directory)
    #expect(run.status == 1)
    let reader = try HistoryReader(path: place.path("found.sqlite"))
    #expect(try HistoryCheck(reader).session(1).findings.map(\.code).contains(.neverEntered))
    #expect(try Binary(["check", "found.sqlite"], in: place.directory).status == 1)
    let replay = try Binary(["replay", "found.sqlite"], in: place.directory)
    #expect(replay.status == 0, "\(replay.out) \(replay.err)")
    let none = try Binary(
      ["explore", "--with=queue", "-o", "none.sqlite", "history.sqlite"], in: place.directory)
    #expect(none.status == 0)
    #expect(
      none.err
        == "Note: no order that breaks a rule was found, so 'none.sqlite' is not written.\n")
    #expect(!FileManager.default.fileExists(atPath: place.path("none.sqlite")))
  }

  @Test func `the shortest order of all files is written, with the file that it belongs to`() throws
  {
    #expect(try Binary(["demo", "-o", "demo"], in: place.directory).status == 0)
    let paths = ["second-exit", "closed-alert", "unknown-key"].map { "demo/\($0).sqlite" }
    func explore(_ paths: [String], _ out: String) throws -> String {
      let run = try Binary(["explore", "-o", out] + paths, in: place.directory)
      #expect(run.status == 1, "\(run.transcript)")
      return run.err
    }
    func uuid(_ name: String) throws -> String {
      try HistoryReader(path: place.path(name)).session(1).uuid
    }
    var orders: [(path: String, steps: Int64, uuid: String)] = []
    for (number, path) in paths.enumerated() {
      #expect(try explore([path], "\(number).sqlite") == "")
      let rows = try HistoryReader(path: place.path("\(number).sqlite")).session(1).stored
      orders.append((path, rows, try uuid("\(number).sqlite")))
    }
    var written: Set<String> = []
    for turn in paths.indices {
      let turned = paths[turn...] + paths[..<turn]
      let note = try explore(Array(turned), "all-\(turn).sqlite")
      let made = try uuid("all-\(turn).sqlite")
      // Equal orders have equal names.
      let found = try #require(
        orders.filter { made == $0.uuid }.map(\.path).first { path in
          note.contains("that of \(path), session 1.")
        }, "\(note)")
      written.insert(found)
    }
    // Whichever comes first, one is written; of equal ones the first.
    #expect(written.count < paths.count, "\(orders)")
  }

  @Test func `a search that leaves a doubt is not complete`() throws {
    try place.write(.quiet("shop-2024"))
    let run = try Binary(["explore", "--json", "history.sqlite"], in: place.directory)
    #expect(run.status == 2 && run.out.contains(#""complete": false"#), "\(run.out)")
  }

  @Test(arguments: ["explore", "check"])
  func `where no session is nothing is said to be unbroken`(verb: String) throws {
    try place.write()
    let run = try Binary([verb, "history.sqlite", "-q"], in: place.directory)
    #expect(run.status == 2 && run.out == "", "\(run.transcript)")
    #expect(run.err.contains("for there is no session in it."), "\(run.err)")
    guard verb == "check" else { return }
    let junit = try Binary(["check", "history.sqlite", "--junit=out.xml"], in: place.directory)
    #expect(junit.status == 2)
    let xml = try String(contentsOfFile: place.path("out.xml"), encoding: .utf8)
    #expect(xml.contains(#"tests="1" failures="0" errors="1""#), "\(xml)")
    #expect(xml.contains("there is no session in it"))
  }

  @Test func `what is written over and what is not known is told of`() throws {
    try place.write(.quiet("queue"))
    try expect(["--rule=overlaps", "history.sqlite"], "explore-error-rule", status: 64)
    try expect(["--rule=slow-exit", "history.sqlite"], "explore-error-times", status: 64)
    try expect(["-o", "history.sqlite", "history.sqlite"], "explore-error-output", status: 64)
  }

  @Test func `an order that is longer than what was searched is not called the shortest`() throws {
    _ = try Binary(["demo", "gallery", "-q", "-o", "gallery"], in: place.directory)
    for (steps, isShortest) in [(1, false), (8, true)] {
      let run = try Binary(
        ["explore", "--json", "--max-steps=\(steps)", "gallery/banners.sqlite"],
        in: place.directory)
      #expect(run.out.contains("\"shortest\": \(isShortest)"), "\(steps)")
    }
  }

  @Test
  func `outcomes are allowed by the line that is advised, and only from a file that is there`()
    throws
  {
    _ = try Binary(["demo", "gallery", "-q", "-o", "gallery"], in: place.directory)
    let none = try Binary(
      ["explore", "--allow", "none.outcomes", "gallery/pause.sqlite"], in: place.directory)
    #expect(none.status == 64, "\(none.out)")
    _ = try Binary(
      ["merge", "-q", "-o", "all.sqlite", "gallery/sign-out.sqlite", "gallery/pause.sqlite"],
      in: place.directory)
    let run = try Binary(
      ["explore", "--session", "1", "--deviations=3", "all.sqlite"], in: place.directory)
    let line = try #require(run.out.split(separator: "\n").first { $0.contains("--allow") })
    #expect(line.contains("--deviations 3 "))
    let words = line.split(separator: " ").map(String.init)
    let begin = try #require(words.firstIndex(of: "explore"))
    // The usual outcome of each session is kept with the one that is named.
    for arguments in [
      Array(words[begin...]), ["explore", "--session=2", "--allow=2", "all.sqlite"],
    ] {
      let allowed = try Binary(arguments, in: place.directory)
      #expect(allowed.status == 0 && allowed.out.contains("SAME"), "\(line)\n\(allowed.out)")
    }
  }

  @Test func `an outcome that only its number tells from another cannot be allowed`() throws {
    let log = """
      {"format":"staty-history","version":1,"sessions":1}
      {"type":"session","session":1,"uuid":"u","first_seq":1}
      {"type":"controller","controller":"gallery-alerts","policy":"moves","discipline":"moves","fidelity":"full","snapshot":{"isTornDown":false,"isWithholding":false,"lastVisit":1,"standing":[{"equality":2,"phase":2,"state":"none","visit":1}],"waiting":[]}}
      {"kind":"attached","controller":"gallery-alerts","seq":1,"t_us":1000}
      {"kind":"stood","controller":"gallery-alerts","visit":1,"state":"none","reason":"entered","seq":2,"t_us":1000}
      {"kind":"received","controller":"gallery-alerts","state":"fail","payload":"{\\"fail\\":{}}","seq":3,"t_us":3000}
      {"kind":"moved","controller":"gallery-alerts","visit":2,"state":"alert","inside":3,"part":"handled","seq":4,"t_us":3000}
      {"kind":"received","controller":"gallery-alerts","state":"ok","payload":"{\\"ok\\":{}}","seq":5,"t_us":5000}
      {"kind":"moved","controller":"gallery-alerts","visit":2,"state":"alert","inside":5,"part":"handled","equality":1006,"seq":6,"t_us":5000}
      {"kind":"received","controller":"gallery-alerts","state":"fail","payload":"{\\"fail\\":{}}","seq":7,"t_us":7000}
      {"kind":"moved","controller":"gallery-alerts","visit":2,"state":"alert","inside":7,"part":"handled","equality":1008,"seq":8,"t_us":7000}
      {"kind":"received","controller":"gallery-alerts","state":"ok","payload":"{\\"ok\\":{}}","seq":9,"t_us":9000}
      {"kind":"moved","controller":"gallery-alerts","visit":2,"state":"alert","inside":9,"part":"handled","equality":1010,"seq":10,"t_us":9000}
      {"kind":"received","controller":"gallery-alerts","state":"dismissed","payload":"{\\"dismissed\\":{\\"_0\\":1}}","cause":5,"seq":11,"t_us":11000}
      {"kind":"moved","controller":"gallery-alerts","visit":3,"state":"none","inside":11,"part":"handled","seq":12,"t_us":11000}
      {"kind":"received","controller":"gallery-alerts","state":"dismissed","payload":"{\\"dismissed\\":{\\"_0\\":3}}","cause":9,"seq":13,"t_us":13000}
      {"kind":"moved","controller":"gallery-alerts","visit":3,"state":"none","inside":13,"part":"handled","equality":1014,"seq":14,"t_us":13000}
      {"kind":"received","controller":"gallery-alerts","state":"fail","payload":"{\\"fail\\":{}}","seq":15,"t_us":15000}
      {"kind":"moved","controller":"gallery-alerts","visit":4,"state":"alert","inside":15,"part":"handled","seq":16,"t_us":15000}
      {"type":"end","ended":"clean"}

      """
    try Data(log.utf8).write(to: URL(fileURLWithPath: place.path("log.ndjson")))
    let made = try Binary(
      ["import", "-q", "-o", "alerts.sqlite", "log.ndjson"], in: place.directory)
    try #require(made.status == 0, "\(made.err)")
    let run = try Binary(["explore", "--allow=2", "alerts.sqlite"], in: place.directory)
    #expect(run.status == 64, "\(run.transcript)")
    #expect(run.err.contains("cannot be allowed") && run.err.contains(".showing"), "\(run.err)")
    #expect(!FileManager.default.fileExists(atPath: place.path("alerts.sqlite.outcomes")))
  }

  @Test func `what is allowed of one search says nothing of another`() throws {
    _ = try Binary(["demo", "gallery", "-q", "-o", "gallery"], in: place.directory)
    _ = try Binary(
      ["merge", "-q", "-o", "all.sqlite", "gallery/sign-out.sqlite", "gallery/pause.sqlite"],
      in: place.directory)
    func explore(_ options: String...) throws -> Binary {
      try Binary(["explore", "all.sqlite"] + options, in: place.directory)
    }
    #expect(try explore("--session=1", "--allow=2").status == 0)
    let other = try explore("--session=2")
    #expect(other.status == 0 && other.out.contains("DIFFERS"), "\(other.out)")
    let both = try explore()
    #expect(both.status == 0 && both.out.contains("1 same, 1 differs"), "\(both.out)")
    // Lines above the first heading are of every search.
    try Data("another end\n".utf8).write(
      to: URL(fileURLWithPath: place.path("all.sqlite.outcomes")))
    #expect(try explore("--session=2").status == 1)
  }

  @Test func `what waited when the recording began comes first`() throws {
    var story = Story("queue")
    story.snapshot.waiting = [.init(visit: 2, state: "alert")]
    story.snapshot.standing = [.init(visit: 1, state: "loading")]
    story.snapshot.standing[0].phase = 3
    story.snapshot.lastVisit = 2
    let exited = story.add(.exited, 1)
    story.add(.entering, 2, cause: exited)
    story.add(.entered, 2)
    story.add(.enqueued, 3)
    try place.write(story)
    let run = try Binary(
      ["explore", "--with=latest", "--json", "history.sqlite"], in: place.directory)
    #expect(run.status != 70, "\(run.err)")
    #expect(!run.out.contains("\"verdict\": \"differs\""), "\(run.out)")
  }
}

extension Story {
  /// Three states, one after the other, and nothing wrong with it.
  fileprivate static func quiet(_ policy: String) -> Story {
    var story = Story(policy)
    for visit in 1...3 as ClosedRange<UInt32> {
      var cause = story.add(.enqueued, visit)
      if visit > 1 {
        story.add(.exiting, visit - 1, cause: cause)
        cause = story.add(.exited, visit - 1)
      }
      story.add(.entering, visit, cause: cause)
      story.add(.entered, visit)
    }
    return story
  }
}
