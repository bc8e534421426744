import Foundation
import Testing

/// Histories that were written as text, as people or other programs write them.
@Suite struct WrittenHistoryTests {
  private let place: Place

  init() throws { place = try Place() }

  private static let head = #"{"format":"staty-history","version":1}"#
  private static let controller =
    #"{"type":"controller","controller":"c","policy":"queue","discipline":"in-order","fidelity":"full"}"#

  private func run(_ arguments: String...) throws -> Binary {
    try Binary(arguments, in: place.directory)
  }

  /// Imports a history of these lines.
  @discardableResult
  private func write(_ lines: [String], to name: String = "history.sqlite") throws -> Binary {
    let text = ([Self.head] + lines).map { $0 + "\n" }.joined()
    return try Binary(["import", "-", "-q", "-o", name], in: place.directory, input: text)
  }

  /// The lines of a session with one controller.
  private func session(
    _ uuid: String = "u", _ head: String = "", events: [String], ended: String = "clean"
  ) -> [String] {
    let opening = #"{"type":"session","uuid":"\#(uuid)","first_seq":1,"wall_us":1760000000000000"#
    return [opening + head + "}", Self.controller] + events
      + [#"{"type":"end","ended":"\#(ended)"}"#]
  }

  private static let requested = [
    #"{"seq":1,"t_us":0,"kind":"attached","controller":"c"}"#,
    #"{"seq":2,"t_us":1000,"kind":"enqueued","controller":"c","visit":1,"state":"alert"}"#,
    #"{"seq":3,"t_us":1000,"kind":"entering","controller":"c","visit":1,"state":"alert","inside":2,"part":"handled"}"#,
  ]

  @Test func `a session that goes on keeps its causes when it is merged without its beginning`()
    throws
  {
    func message(_ seq: Int, _ name: String, _ cause: String = "") -> String {
      #"{"seq":\#(seq),"t_us":\#(seq)000000,"kind":"received","controller":"feed","state":"\#(name)"\#(cause)}"#
    }
    func move(_ seq: Int, _ visit: Int, _ state: String) -> String {
      #"{"seq":\#(seq),"t_us":\#(seq)000000,"kind":"moved","controller":"feed","visit":\#(visit),"state":"\#(state)","inside":\#(seq - 1),"part":"handled"}"#
    }
    try write([
      #"{"type":"session","uuid":"two","run":"one","first_seq":100,"wall_us":1760000000000000}"#,
      #"{"type":"controller","controller":"feed","policy":"moves","discipline":"moves","fidelity":"full"}"#,
      #"{"seq":100,"t_us":100000000,"kind":"attached","controller":"feed"}"#,
      message(101, "search"), move(102, 1, "searching"), message(103, "refreshed", #","cause":99"#),
      move(104, 2, "feed"), message(105, "found", #","cause":101"#), move(106, 3, "results"),
      #"{"type":"end"}"#,
    ])
    let merged = try run("merge", "history.sqlite", "-o", "all.sqlite")
    #expect(merged.status == 0, "\(merged.err)")
    for file in ["history.sqlite", "all.sqlite"] {
      // The answer to what was asked before is no act of the user.
      let check = try run("check", "--strict", file)
      #expect(check.status == 0, "\(file): \(check.out)")
    }
    #expect(try run("merge", "history.sqlite", "all.sqlite", "-o", "both.sqlite").status == 0)
  }

  @Test func `an open session with a gap is sound after each way into another file`() throws {
    let events =
      Self.requested + [
        #"{"seq":5,"t_us":2000,"kind":"entered","controller":"c","visit":1,"state":"alert"}"#
      ]
    #expect(try write(session(events: events, ended: "open")).status == 0)
    for (verb, out) in [("merge", "a"), ("redact", "b"), ("prune", "c")] {
      let limit = verb == "prune" ? ["--keep-sessions=1"] : []
      let written = try Binary([verb, "history.sqlite", "-o", out] + limit, in: place.directory)
      #expect(written.status == 0, "\(verb): \(written.err)")
    }
    for file in ["history.sqlite", "a", "b", "c"] {
      let doctor = try run("doctor", file)
      #expect(doctor.status == 0, "\(file): \(doctor.out)")
      #expect(try run("check", file).status != 65, "\(file)")
    }
  }

  @Test func `what cannot have happened is refused, and not imported as damaged`() throws {
    let strange = [
      #"{"seq":5,"t_us":2000,"kind":"entered","controller":"c","visit":1,"state":"alert","inside":4,"part":"handled"}"#,
      #"{"seq":4,"t_us":2000,"kind":"enqueued","controller":"c","visit":2,"state":"home","cause":50}"#,
      #"{"seq":2305843009213693952,"t_us":2000,"kind":"mark"}"#,
    ]
    for line in strange {
      let run = try write(session(events: Self.requested + [line]), to: "other.sqlite")
      #expect(run.status == 65, "\(line): \(run.err)")
    }
  }

  @Test func `a rule without the column 'controller' finds what is chosen`() throws {
    let entered =
      #"{"seq":4,"t_us":2000,"kind":"entered","controller":"c","visit":1,"state":"alert"}"#
    try write(session(events: Self.requested + [entered]))
    try FileManager.default.createDirectory(
      atPath: place.path("rules"), withIntermediateDirectories: false)
    try Data("SELECT session, seq FROM history WHERE kind = 'enqueued'".utf8)
      .write(to: URL(fileURLWithPath: place.path("rules/any-request.sql")))
    for choice in [[], ["--controller=c"]] {
      let check = try Binary(
        ["check", "--rules=rules", "history.sqlite"] + choice, in: place.directory)
      #expect(check.status == 1 && check.out.contains("any-request"), "\(choice): \(check.out)")
    }
  }

  @Test func `values of JSON can be taken apart in a query`() throws {
    try write(session(events: Self.requested))
    let rows = try run(
      "query", "history.sqlite", "--format=csv",
      "SELECT h.seq, j.value FROM history h, json_each('[7]') j WHERE h.kind = 'enqueued'")
    #expect(rows.status == 0 && rows.out.contains("2,7"), "\(rows.out)\(rows.err)")
    let tree = try run("query", "history.sqlite", "SELECT count(*) FROM json_tree('[1,[2]]')")
    #expect(tree.status == 0, "\(tree.err)")
  }

  @Test func `numbers in a gap are those of the gap`() throws {
    let loss = #"{"type":"loss","first_seq":4,"last_seq":9,"reason":"overload"}"#
    let later = #"{"seq":10,"t_us":2000,"kind":"mark","note":"later"}"#
    for events in [[loss], [loss, later]] {
      let file = "\(events.count).sqlite"
      try write(session(events: Self.requested + events), to: file)
      for choice in ["--seq=5..7", "--around=5"] {
        let shown = try run("show", choice, file)
        #expect(shown.status == 0, "\(shown.err)")
        #expect(
          shown.out.components(separatedBy: "6 events are missing").count == 2, "\(shown.out)")
      }
    }
    for number in [4, 7, 9] {
      let played = try run("play", "--at=\(number)", "2.sqlite")
      #expect(played.err.contains("The nearest before it is 3."), "\(played.err)")
    }
  }

  @Test func `a message is about a part, and asks for none`() throws {
    try write([
      #"{"type":"session","uuid":"u","first_seq":1,"wall_us":1760000000000000}"#,
      #"{"type":"controller","controller":"feed","policy":"moves","discipline":"moves","fidelity":"full"}"#,
      #"{"seq":1,"t_us":0,"kind":"attached","controller":"feed"}"#,
      #"{"seq":2,"t_us":1000,"kind":"received","controller":"feed","state":"loaded","asked":"items"}"#,
      #"{"type":"end"}"#,
    ])
    let shown = try run("show", "history.sqlite").out
    #expect(shown.contains("about 'items'") && !shown.contains("asked for"), "\(shown)")
  }

  @Test func `a recording without events is replayed without a second run that fails`() throws {
    try write(session(events: []))
    let replay = try run("replay", "history.sqlite")
    #expect(replay.status == 2 && !replay.out.contains("failed with"), "\(replay.out)")
  }

  @Test func `a request inside of another is declared before a written test uses it`() throws {
    func event(_ seq: Int, _ time: Int, _ kind: String, _ rest: String = "") -> String {
      #"{"seq":\#(seq),"t_us":\#(time),"kind":"\#(kind)","controller":"screen"\#(rest)}"#
    }
    func visit(_ number: Int, _ state: String, _ rest: String = "") -> String {
      #","visit":\#(number),"state":"\#(state)"\#(rest)"#
    }
    func inside(_ seq: Int, _ part: String = "handled") -> String {
      #","inside":\#(seq),"part":"\#(part)""#
    }
    try write([
      #"{"type":"session","uuid":"u","first_seq":1,"wall_us":1760000000000000}"#,
      #"{"type":"controller","controller":"screen","policy":"staty-2019","discipline":"in-order","fidelity":"full"}"#,
      event(1, 0, "attached"),
      event(2, 1_000, "enqueued", visit(1, "loading")),
      event(3, 1_001, "resumed", #","cause":2,"step":1"#),
      event(4, 1_002, "entering", visit(1, "loading", inside(3))),
      event(5, 1_003, "enqueued", visit(2, "content", inside(4, "performed"))),
      event(6, 1_004, "exiting", visit(1, "loading", inside(5))),
      event(7, 300_000, "entered", visit(1, "loading")),
      event(8, 600_000, "exited", visit(1, "loading")),
      event(9, 600_001, "resumed", #","cause":8,"step":2"#),
      event(10, 600_002, "entering", visit(2, "content", inside(9))),
      event(11, 900_000, "entered", visit(2, "content")),
      event(12, 1_900_000, "enqueued", visit(3, "alert")),
      event(13, 1_900_001, "exiting", visit(2, "content", inside(12))),
      event(14, 2_000_000, "stray", visit(1, "loading", #","reason":"exited""#)),
      event(15, 2_000_001, "resumed", #","cause":14,"step":3"#),
      event(16, 2_000_002, "entering", visit(3, "alert", inside(15))),
      event(17, 2_200_000, "entered", visit(3, "alert")),
      #"{"type":"end","ended":"clean"}"#,
    ])
    let test = try run("test", "history.sqlite", "--finding=16")
    #expect(test.status == 0, "\(test.err)")
    let declared = try #require(test.out.range(of: "let content = screen.request"))
    let used = try #require(test.out.range(of: "complete(content"))
    #expect(declared.lowerBound < used.lowerBound, "\(test.out)")
  }

  @Test func `a class that pauses between two states is not accused before its pause is over`()
    throws
  {
    func event(_ seq: Int, _ time: Int, _ kind: String, _ rest: String = "") -> String {
      #"{"seq":\#(seq),"t_us":\#(time),"kind":"\#(kind)","controller":"screen"\#(rest)}"#
    }
    func visit(_ number: Int, _ inside: Int = 0) -> String {
      #","visit":\#(number),"state":"s\#(number)""#
        + (inside == 0 ? "" : #","inside":\#(inside),"part":"handled""#)
    }
    let events = [
      #"{"type":"session","uuid":"u","first_seq":1,"wall_us":1760000000000000}"#,
      #"{"type":"controller","controller":"screen","policy":"mine","discipline":"in-order","fidelity":"full"}"#,
      event(1, 0, "attached"), event(2, 1_000, "enqueued", visit(1)),
      event(3, 1_000, "entering", visit(1, 2)), event(4, 300_000, "entered", visit(1)),
      event(5, 1_000_000, "enqueued", visit(2)), event(6, 1_000_000, "exiting", visit(1, 5)),
      event(7, 1_300_000, "exited", visit(1)),
      event(8, 1_600_000, "resumed", #","cause":7,"step":1"#),
      event(9, 1_600_000, "entering", visit(2, 8)), event(10, 1_900_000, "entered", visit(2)),
      event(11, 3_000_000, "enqueued", visit(3)), event(12, 3_000_000, "exiting", visit(2, 11)),
      event(13, 3_300_000, "exited", visit(2)),
    ]
    let end = #"{"type":"end","ended":"clean"}"#
    try write(events + [event(14, 3_400_000, "enqueued", visit(4)), end], to: "soon.sqlite")
    let soon = try run("check", "soon.sqlite")
    #expect(soon.status == 0, "\(soon.out)")
    try write(events + [event(14, 4_400_000, "enqueued", visit(4)), end], to: "later.sqlite")
    let later = try run("check", "later.sqlite")
    #expect(later.status == 1 && later.out.contains("never-entered"), "\(later.out)")
  }
}
