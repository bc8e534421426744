import Chance
import Staty
import Testing

@testable import StatyHistory

/// What an import makes of what other programs write, and what it says of what it does not take.
@Suite struct ImportTests {
  static let head = #"{"format":"staty-history","version":1}"#

  @Test func `what happened to which state is enough`() throws {
    let history = try imported(
      #"{"kind":"enqueued","controller":"main","state":"loading","t_ms":0}"#,
      #"{"kind":"entering","controller":"main","state":"loading","t_ms":0.5}"#,
      #"{"kind":"entered","controller":"main","state":"loading","t_ms":12}"#,
      #"{"kind":"enqueued","controller":"main","state":"content","t_ms":20}"#,
      #"{"kind":"exiting","controller":"main","state":"loading","t_ms":20}"#,
      #"{"kind":"exited","controller":"main","state":"loading","t_ms":30}"#,
      #"{"kind":"mark","note":"half way","t_ms":31}"#)
    #expect(
      try history.query("SELECT seq, controller, visit, state, kind, t_ms FROM history") == [
        "1|main|||attached|0.0", "2|main|1|loading|enqueued|0.0",
        "3|main|1|loading|entering|0.5", "4|main|1|loading|entered|12.0",
        "5|main|2|content|enqueued|20.0", "6|main|1|loading|exiting|20.0",
        "7|main|1|loading|exited|30.0", "8||||mark|31.0",
      ])
    #expect(try history.damage() == nil)
    #expect(try history.query("SELECT policy IS NOT NULL, fidelity FROM controller") == ["1|2"])
    #expect(try history.query("SELECT ended, events FROM sessions") == ["clean|8"])
  }

  @Test func `the same state twice makes two visits, and visits may be named instead`() throws {
    let history = try imported(
      #"{"kind":"entered","controller":"a","state":"x","at":"2026-01-31T12:00:00Z"}"#,
      #"{"kind":"exited","controller":"a","visit":1,"at":"2026-01-31T13:00:00.25+01:00"}"#,
      #"{"kind":"entered","controller":"a","state":"x","at":"2026-01-31T12:00:01Z"}"#,
      #"{"kind":"exited","controller":"a","state":"x","at":"2026-01-31T12:00:02Z"}"#,
      #"{"kind":"exited","controller":"a","state":"x","at":"2026-01-31T12:00:03Z"}"#)
    #expect(
      try history.query("SELECT visit, state, kind, at FROM history WHERE visit > 0") == [
        "1|x|entered|2026-01-31T12:00:00.000Z", "1|x|exited|2026-01-31T12:00:00.250Z",
        "2|x|entered|2026-01-31T12:00:01.000Z", "2|x|exited|2026-01-31T12:00:02.000Z",
        "2|x|exited|2026-01-31T12:00:03.000Z",
      ])
    #expect(try history.query("SELECT fidelity FROM controller") == ["3"])
    #expect(try history.damage() == nil)
  }

  @Test func `what else is known can be said`() throws {
    let history = try imported(
      #"{"type":"session","app":"Shop","started_at":"2026-01-31T12:00:00Z","x_build":[1,{"a":2}]}"#,
      #"{"type":"controller","controller":"main","policy":"latest"}"#,
      #"{"kind":"enqueued","controller":"main","state":"a","t_us":5,"payload":{"id":7},"site":"a.py","line":3}"#,
      #"{"type":"loss","count":3,"reason":"disk full"}"#,
      #"{"kind":"discarded","controller":"main","state":"a","t_us":9,"reason":"replaced"}"#,
      #"{"type":"end","ended":"killed"}"#,
      #"{"kind":"mark","t_ms":1}"#)
    #expect(
      try history.query("SELECT session, seq, kind, reason, payload FROM history") == [
        "1|1|attached||", #"1|2|enqueued||{"id":7}"#, "1|6|discarded|replaced|", "2|7|mark||",
      ])
    #expect(
      try history.query("SELECT session, app, started_at, ended, lost FROM sessions") == [
        "1|Shop|2026-01-31T12:00:00.000Z|killed|3", "2||1970-01-01T00:00:00.000Z|clean|0",
      ])
    #expect(try history.damage() == nil)
    #expect(try history.damage(session: 2) == nil)
  }

  @Test func `a controller has the discipline that its line says, and is in order without a word`()
    throws
  {
    let history = try imported(
      #"{"type":"controller","controller":"pages","discipline":"stack"}"#,
      #"{"type":"controller","controller":"alerts","policy":"priority"}"#,
      #"{"kind":"enqueued","controller":"pages","state":"a","t_ms":0}"#,
      #"{"kind":"enqueued","controller":"alerts","state":"a","t_ms":1}"#)
    #expect(try history.query("SELECT discipline FROM controller ORDER BY id") == ["4", "1"])
    #expect(try history.damage() == nil)
  }

  @Test func `two sessions with the same lines are two`() throws {
    let session =
      #"{"type":"session"}"# + "\n" + #"{"kind":"entered","controller":"a","state":"x","t_ms":1}"#
    let uuids = try imported(session + "\n" + session).query("SELECT uuid FROM sessions")
    #expect(Set(uuids).count == 2)
  }

  @Test func `the same text makes the same session`() throws {
    let line = #"{"kind":"entered","controller":"a","state":"x","t_ms":1}"#
    let uuids = try [line, line, line + " "].map {
      try imported($0).query("SELECT uuid FROM sessions")[0]
    }
    #expect(uuids[0] == uuids[1])
    #expect(uuids[0] != uuids[2])
    #expect(uuids[0].utf8.count == 36)
  }

  @Test(arguments: [
    (#"{"kind":"enterd","controller":"a","state":"x","t_ms":1}"#, "'kind' is 'enterd'"),
    (#"{"kind":"entered","state":"x","t_ms":1}"#, "'controller' is missing"),
    (#"{"kind":"entered","controller":"a","t_ms":1}"#, "it names neither 'visit' nor 'state'"),
    (#"{"kind":"entered","controller":"a","state":"x"}"#, "it does not say when it happened"),
    (#"{"kind":"exited","controller":"a","state":"x","t_ms":1}"#, "no visit of 'x' is open"),
    (#"{"kind":"mark","t_ms":1,"seq":4}"#, "'seq' is there, and the session does not say"),
    (#"{"kind":"mark","t_ms":"soon"}"#, "'t_ms' is 'soon'"),
    (#"{"kind":"mark","at":"tomorrow"}"#, "'at' is 'tomorrow'"),
    (#"{"kind":"mark","t_ms":-5}"#, "'t_ms' is -5"),
    (#"{"kind":"mark","t_ms":-0.4}"#, "'t_ms' is -0.4"),
    (#"{"kind":"mark","t_us":-1}"#, "'t_us' is -1"),
    (#"{"kind":"mark","t_ms":4e12}"#, "'t_ms' is 4"),
    (#"{"kind":"mark","t_us":9223372036854775807}"#, "'t_us' is 9223372036854775807"),
    (#"{"kind":"mark","at":"2026-02-30T00:00:00Z"}"#, "'at' is '2026-02-30T00:00:00Z'"),
    (#"{"kind":"mark","at":"1969-12-31T23:59:59Z"}"#, "'at' is '1969-12-31T23:59:59Z'"),
    (#"{"type":"session","wall_us":-1}"#, "'wall_us' is -1"),
    (#"{"kind":"mark","t_ms":1,"tms":1}"#, "there is no key 'tms'"),
    (#"{"kind":"mark","t_ms":1,"t_ms":1}"#, "'t_ms' is there twice"),
    (#"{"kind":"mark","t_ms":1,"policy":"queue"}"#, "'policy' says nothing in a line about"),
    (#"{"kind":"mark","t_ms":1,"reason":"bored"}"#, "'reason' is 'bored'"),
    (#"{"kind":"mark","t_ms":01}"#, "a value is expected at byte 23"),
    (#"{"kind":"mark","t_ms":1"#, "a comma is missing at byte 24"),
    (#"{"kind":"mark","t_ms":1} x"#, "there is more after the object"),
    (#"{"kind":"mark","t_ms":+1}"#, "a value is expected at byte 23"),
    (#"{"kind":"\ud800","t_ms":1}"#, "half a character is in a text"),
    (#"["kind"]"#, "it is no object of JSON"),
    (#"{"type":"sesion"}"#, "'type' is 'sesion'"),
    (#"{"type":"session","first_seq":9}"#, "'uuid' is missing"),
    (#"{"type":"session","first_seq":1,"uuid":"u"}"#, "'first_seq' is 1"),
    (#"{"type":"controller","controller":"a","fidelity":"full"}"#, "'fidelity' is 'full'"),
    (#"{"type":"controller","controller":"a","snapshot":{}}"#, "'snapshot' is an object"),
    (
      #"{"type":"controller","controller":"a","snapshot_text":"{no}"}"#, "'snapshot_text' is '{no}'"
    ),
    // To the views, which look at bytes, these are the same.
    (
      #"{"type":"controller","controller":"a","snapshot_text":"{\u0301no}"}"#,
      "'snapshot_text' is '"
    ),
    (
      #"{"type":"controller","controller":"a","snapshot_text":"{no\u0d4e}"}"#,
      "'snapshot_text' is '"
    ),
    (
      #"{"type":"controller","controller":"a","snapshot_text":"{no}\u0000x"}"#,
      "'snapshot_text' is '"
    ),
  ])
  func `what is wrong is told with its line`(_ line: String, _ message: String) throws {
    let refusal = #expect(throws: ImportRefusal.self) {
      try imported(#"{"kind":"mark","t_ms":0}"#, "", line)
    }
    let problem = try #require(refusal?.problems.first)
    #expect(problem.line == 4)
    #expect(problem.message.hasPrefix(message), "\(problem.message)")
    #expect(!problem.advice.isEmpty)
    #expect(refusal?.problems.count == 1)
    #expect(refusal?.isCut == false)
  }

  @Test(arguments: [
    (#""kind":"mark","inside":2,"part":"handled""#, "'inside' is 2"),
    (#""kind":"mark","inside":1"#, "'part' is missing"),
    (#""kind":"mark","inside":1,"part":"heard""#, "'part' is 'heard'"),
    (#""kind":"mark","part":"handled""#, "'inside' is missing"),
    (#""kind":"mark","inside":"1","part":"handled""#, "'inside' is '1'"),
    (#""kind":"mark","site":"a.swift","line":1"#, "'site' is 'a.swift'"),
    (#""kind":"mark","step":-1"#, "'step' is -1"),
  ])
  func `what is wrong with a place is told`(_ event: String, _ message: String) throws {
    let refusal = #expect(throws: ImportRefusal.self) {
      try imported(
        #"{"type":"session","first_seq":1,"uuid":"u","app":"x","pid":1,"wall_us":0}"#,
        #"{"kind":"mark","seq":1,"t_us":0}"#, #"{"seq":2,"t_us":0,\#(event)}"#)
    }
    let problem = try #require(refusal?.problems.first)
    #expect(problem.message.hasPrefix(message), "\(problem.message)")
  }

  @Test(arguments: EventKind.allCases.filter { $0 != .attached && $0 != .detached })
  func `no visit begins behind the last number that there is`(_ kind: EventKind) throws {
    func line(_ kind: EventKind, _ rest: String) -> String {
      #"{"kind":"\#(kind.text)","controller":"a","t_ms":1,\#(rest)}"#
    }
    let begins: [EventKind] = [.enqueued, .entering, .entered]
    for last in [4_294_967_294, 4_294_967_295] as [Int64] {
      let lines = [
        line(.entered, #""state":"x","visit":\#(last)"#), line(.exited, #""state":"x""#),
        line(kind, #""state":"x""#),
      ]
      guard begins.contains(kind), last == 4_294_967_295 else {
        _ = try? imported(lines[0], lines[1], lines[2])
        continue
      }
      let refusal = #expect(throws: ImportRefusal.self) {
        try imported(lines[0], lines[1], lines[2])
      }
      let problem = try #require(refusal?.problems.first)
      #expect(problem.line == 4)
      #expect(problem.message == "it begins a visit, and visit 4294967295 is the last that can be")
      #expect(problem.advice == "Give the visits before lower numbers, or none.")
    }
  }

  @Test func `very many visits may be open, and each is found by its state`() throws {
    let count = 5_000
    var lines: [String] = [Self.head]
    for kind in ["enqueued", "entering", "entered", "exited"] {
      for number in 0..<count {
        lines.append(#"{"kind":"\#(kind)","controller":"a","state":"s\#(number / 2)","t_ms":1}"#)
      }
    }
    let history = try read(lines.joined(separator: "\n"))
    #expect(
      try history.query(
        "SELECT kind, count(*), count(DISTINCT visit), max(visit) FROM history WHERE visit > 0 "
          + "GROUP BY kind ORDER BY kind") == [
          "enqueued|5000|5000|5000", "entered|5000|5000|5000", "entering|5000|5000|5000",
          "exited|5000|5000|5000",
        ])
  }

  @Test func `of more than 1,024 of one state it has to be said which is meant`() throws {
    let asked = #"{"kind":"enqueued","controller":"a","state":"x","t_ms":1}"#
    func entered(_ rest: String = "") -> String {
      #"{"kind":"entered","controller":"a","state":"x","t_ms":2\#(rest)}"#
    }
    func read(_ count: Int, _ line: String) throws -> TemporaryHistory {
      try self.read(
        ([Self.head] + Array(repeating: asked, count: count) + [line]).joined(separator: "\n"))
    }
    let visit = "SELECT visit FROM history WHERE kind = 'entered'"
    #expect(try read(1_024, entered()).query(visit) == ["1"])
    #expect(try read(1_025, entered(#","visit":1025"#)).query(visit) == ["1025"])
    let refusal = #expect(throws: ImportRefusal.self) { try read(1_025, entered()) }
    #expect(refusal?.problems.first?.message == "more than 1024 visits of 'x' are open")
  }

  @Test func `what can be stored and not be read again is refused`() throws {
    let payload = String(repeating: "x", count: TransferLine.mostBytes)
    func line(_ state: String, _ payload: String) -> String {
      #"{"kind":"enqueued","controller":"a","state":"\#(state)","payload":"\#(payload)","t_ms":1}"#
    }
    let history = try imported(line("a", payload))
    #expect(
      try history.query("SELECT length(payload) FROM history WHERE payload IS NOT NULL")
        == ["\(payload.utf8.count)"])
    let refusal = #expect(throws: ImportRefusal.self) { try imported(line("a", payload + "x")) }
    #expect(refusal?.problems.map(\.line) == [2])
    #expect(refusal?.problems.first?.message == "'payload' has \(payload.utf8.count + 1) bytes")
  }

  @Test(arguments: [
    ("SQLite format 3\0\n\n\n", "it is a database, and no text"),
    ("a,b\n1,2\n3,4\n", "it does not say what the text is"), ("", "it does not say what"),
  ])
  func `what is no such text is told once`(_ text: String, _ message: String) throws {
    let refusal = #expect(throws: ImportRefusal.self) { try read(text) }
    #expect(refusal?.problems.count == 1)
    #expect(refusal?.problems.first?.line == 1)
    #expect(refusal?.problems.first?.message.hasPrefix(message) == true)
  }

  /// What a session of numbered events begins with.
  static let session = #"{"type":"session","uuid":"u","first_seq":"#
  static let most = Int64.max / 4

  @Test(arguments: [
    [
      session + "\(most)}", #"{"seq":\#(most + 1),"t_us":0,"kind":"mark"}"#,
      #"{"seq":1,"t_us":0,"kind":"mark"}"#,
    ],
    [session + "\(Int64.max)}"],
    [
      session + #"1,"session":7}"#, #"{"type":"end"}"#,
      #"{"type":"session","uuid":"v","first_seq":2,"session":7}"#,
    ],
    [session + "1}", #"{"type":"end"}"#, session + "2}", #"{"type":"end"}"#],
    [session + "5}", #"{"type":"end"}"#, session + "5}"],
    [session + "1}", #"{"seq":1,"t_us":0,"kind":"entered","controller":"a","visit":4294967296}"#],
    [session + "1}", #"{"seq":1,"t_us":0,"kind":"entered","controller":"a"}"#],
    [session + "1}", #"{"type":"loss","first_seq":3,"last_seq":2}"#],
    [session + "1}", #"{"type":"loss","first_seq":1,"last_seq":\#(Int64.max)}"#],
    [session + "1}", #"{"type":"end","events":3}"#],
    [session + "1}", #"{"type":"end","observed":-1}"#],
    // Fewer numbers than are there.
    [
      session + "1}", #"{"seq":1,"t_us":0,"kind":"mark"}"#,
      #"{"seq":2,"t_us":0,"kind":"mark"}"#, #"{"type":"end","observed":1}"#,
    ],
    [
      session + "1}", #"{"seq":1,"t_us":0,"kind":"mark"}"#,
      #"{"type":"loss","first_seq":1,"last_seq":1}"#, #"{"type":"end","events":1}"#,
    ],
    [session + "1}"],
    [#"{"type":"end"}"#],
    [#"{"kind":"mark","t_ms":1e300}"#],
    [#"{"kind":"mark","t_us":1e30}"#],
    [#"{"kind":"mark","at":"2026-13-01T00:00:00Z"}"#],
    [#"{"type":"controller","controller":"a"}"#, #"{"type":"controller","controller":"a"}"#],
    [#"{"kind":"mark","t_ms":1,"thread":64}"#],
    [#"{"kind":"mark","t_ms":1,"payload_base64":"a"}"#],
    [String(repeating: "[", count: 100_000)],
    [#"{"x_a":"# + String(repeating: "[", count: 100_000)],
  ])
  func `numbers and shapes that nobody means are refused, and nothing traps`(
    _ lines: [String]
  ) throws {
    let refusal = #expect(throws: ImportRefusal.self) {
      try read(([Self.head] + lines).joined(separator: "\n"))
    }
    #expect(refusal?.isCut == false)
  }

  @Test func `after a session that is refused the next is not to blame`() throws {
    let session = #"{"type":"session","session":1,"uuid":"u","first_seq":"#
    let event = #"{"seq":1,"t_us":0,"kind":"mark"}"#
    for end in [#"{"type":"end","observed":0}"#, #"{"type":"end","events":7}"#] {
      let lines = [Self.head, session + "1}", event, end, session + "1}", event, end]
      let refusal = #expect(throws: ImportRefusal.self) {
        try read(lines.joined(separator: "\n"))
      }
      #expect(refusal?.problems.map(\.line).prefix(2) == [4, 5])
    }
    // Of two without anything in them each is one.
    let plain = #"{"type":"session"}"#
    #expect(
      try imported(plain, plain, #"{"kind":"mark","t_ms":0}"#).query("SELECT events FROM sessions")
        == ["0", "1"])
  }

  @Test func `a controller that is there twice is refused, and found where it is`() throws {
    let refusal = #expect(throws: ImportRefusal.self) {
      try imported(
        #"{"type":"session","uuid":"u","first_seq":1}"#,
        #"{"type":"controller","controller":"a"}"#, #"{"type":"controller","controller":"a"}"#,
        #"{"seq":1,"t_us":0,"kind":"mark","controller":"a"}"#, #"{"type":"end"}"#)
    }
    #expect(refusal?.problems.map(\.line) == [4])
  }

  @Test func `so many lost events as there are numbers are refused in the end`() throws {
    let lines = (0..<20).map { _ in #"{"type":"loss","count":1099511627776}"# }
    let history = try read(([Self.head] + lines).joined(separator: "\n"))
    #expect(try history.query("SELECT lost / 1099511627776 FROM sessions") == ["20"])
  }

  @Test func `bytes that a dice has thrown are refused, and nothing traps`() throws {
    let seed = testSeed
    var random = seed
    func next(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % bound
    }
    let place = try TemporaryHistory()
    try place.write { try SmallHistory.write($0) }
    let reader = try HistoryReader(path: place.path)
    for form in HistoryExport.Format.allCases {
      var text: [UInt8] = []
      try HistoryExport(reader, as: form).write(reader.sessions()) { text += $0.utf8 }
      for run in 0..<60 {
        var changed = text
        for _ in 0..<(1 + next(3)) { changed[next(changed.count)] = UInt8(next(256)) }
        let other = try TemporaryHistory()
        let writer = try HistoryWriter(path: other.path)
        var reading = HistoryImport(into: writer)
        do {
          try reading.take(changed)
          _ = try reading.finish()
          try writer.close()
          #expect(try other.damage() == nil, "seed \(seed), run \(run)")
        } catch let refusal as ImportRefusal {
          #expect(!refusal.problems.isEmpty)
        }
      }
    }
  }

  @Test func `a text without its first line is refused once`() throws {
    let refusal = #expect(throws: ImportRefusal.self) {
      try read(#"{"kind":"mark","t_ms":0}"# + "\n" + #"{"kind":"mark","t_ms":0}"#)
    }
    #expect(refusal?.problems.map(\.line) == [1])
    #expect(throws: ImportRefusal.self) { try read("") }
    #expect(throws: ImportRefusal.self) { try read("seq,kind\n1,mark\n") }
  }

  @Test func `a newer version is refused by its number`() throws {
    let refusal = #expect(throws: ImportRefusal.self) {
      try read(#"{"format":"staty-history","version":2}"#)
    }
    #expect(refusal?.problems.first?.message.contains("version 2") == true)
  }

  @Test func `only so many problems are told, and it says that it stopped`() throws {
    let lines = (0..<100).map { _ in #"{"kind":"?"}"# }
    let refusal = #expect(throws: ImportRefusal.self) {
      try read(([Self.head] + lines).joined(separator: "\n"))
    }
    #expect(refusal?.problems.map(\.line) == Array(2...21))
    #expect(refusal?.isCut == true)
  }

  @Test func `a line that does not end is refused before it fills the memory`() throws {
    var limits = HistoryImport.Limits()
    limits.lineBytes = 1_000
    let place = try TemporaryHistory()
    let writer = try HistoryWriter(path: place.path)
    var reading = HistoryImport(into: writer, limits: limits)
    try reading.take((Self.head + "\n").utf8)
    let refusal = #expect(throws: ImportRefusal.self) {
      while true { try reading.take(repeatElement(UInt8(ascii: "x"), count: 100)) }
    }
    #expect(refusal?.problems.first?.message.contains("1000 bytes") == true)
  }

  @discardableResult
  private func imported(_ lines: String...) throws -> TemporaryHistory {
    try read(([Self.head] + lines).joined(separator: "\n"))
  }

  @discardableResult
  private func read(_ text: String) throws -> TemporaryHistory {
    let place = try TemporaryHistory()
    let writer = try HistoryWriter(path: place.path)
    var reading = HistoryImport(into: writer)
    try reading.take(text.utf8)
    _ = try reading.finish()
    try writer.close()
    return place
  }
}
