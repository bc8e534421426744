import Chance
import Staty
import Testing

@testable import StatyHistory
@testable import StatyReading

/// What an import makes of lines, and what it says of what it does not take.
@Suite struct ImportTests {
  static let head = #"{"format":"staty-history","version":1}"#

  @Test func `what a session, its controllers and its events say is stored`() throws {
    let history = try read(
      [
        Self.head,
        #"{"type":"session","uuid":"u","run":"r","app":"Shop","first_seq":5,"x_build":[1]}"#,
        #"{"type":"controller","controller":"pages","discipline":"stack"}"#,
        #"{"type":"controller","controller":"alerts","key":"b","fidelity":"three-kind"}"#,
        #"{"seq":5,"t_us":7,"kind":"attached","controller":"pages"}"#,
        #"{"seq":6,"t_us":7,"kind":"stood","controller":"pages","visit":3,"state":"a","reason":"entered","age_us":9000}"#,
        #"{"seq":7,"t_us":8,"kind":"enqueued","controller":"b","visit":1,"state":"a","payload":"p"}"#,
        #"{"type":"loss","first_seq":8,"last_seq":9,"reason":"disk full"}"#,
        #"{"type":"end","ended":"killed","events":3}"#,
      ].joined(separator: "\n"))
    #expect(
      try history.query("SELECT seq, controller, visit, state, kind, payload FROM history") == [
        "5|pages|||attached|", "6|pages|3|a|stood|", "7|alerts|1|a|enqueued|p",
      ])
    #expect(try history.query("SELECT discipline, fidelity FROM controller") == ["4|2", "1|3"])
    #expect(try history.query("SELECT age FROM detail WHERE age IS NOT NULL") == ["9000"])
    #expect(try history.query("SELECT app, ended, lost FROM sessions") == ["Shop|killed|2"])
    #expect(try history.query("SELECT run FROM session") == ["r"])
    #expect(try history.damage() == nil)
  }

  @Test(arguments: [
    (#"{"seq":2,"t_us":1,"kind":"enterd","controller":"a","visit":1}"#, "'kind' is 'enterd'"),
    (#"{"seq":2,"kind":"mark"}"#, "'t_us' is missing"),
    (#"{"t_us":1,"kind":"mark"}"#, "'seq' is missing"),
    (#"{"seq":1,"t_us":1,"kind":"mark"}"#, "'seq' is 1"),
    (#"{"seq":2,"t_us":1,"kind":"entered","controller":"b"}"#, "no controller is called 'b'"),
    (#"{"kind":"mark","t_us":"soon"}"#, "'t_us' is 'soon'"),
    (#"{"kind":"mark","t_us":-1}"#, "'t_us' is -1"),
    (#"{"kind":"mark","t_us":0.4}"#, "'t_us' is 0.4"),
    (#"{"kind":"mark","t_us":9223372036854775807}"#, "'t_us' is 9223372036854775807"),
    (#"{"kind":"mark","t_us":1,"tus":1}"#, "there is no key 'tus'"),
    (#"{"kind":"mark","t_us":1,"policy":"queue"}"#, "'policy' says nothing in a line about"),
    (#"{"seq":2,"kind":"mark","t_us":1,"reason":"bored"}"#, "'reason' is 'bored'"),
    (#"{"kind":"mark","t_us":01}"#, "it is no object of JSON"),
    (#"{"kind":"mark","t_us":1"#, "it is no object of JSON"),
    (#"{"kind":"mark","t_us":1} x"#, "it is no object of JSON"),
    (#"{"kind":"mark","t_us":+1}"#, "it is no object of JSON"),
    (#"{"kind":"\ud800","t_us":1}"#, "it is no object of JSON"),
    (#"{"kind":"mark","t_us":true}"#, "'t_us' is true"),
    (#"{"kind":"mark","t_us":{"at":1}}"#, "'t_us' is an object"),
    (#"["kind"]"#, "it is no object of JSON"),
    (#"{"type":"sesion"}"#, "'type' is 'sesion'"),
    (#"{"type":"controller","controller":"a"}"#, "there is a controller 'a' already"),
    (#"{"type":"controller","controller":"c","snapshot":{}}"#, "'snapshot' is not a whole"),
    (
      #"{"type":"controller","controller":"c","snapshot_text":"{no}"}"#, "'snapshot_text' is '{no}'"
    ),
    // To the views, which look at bytes, these are the same.
    (
      #"{"type":"controller","controller":"c","snapshot_text":"{\u0301no}"}"#,
      "'snapshot_text' is '"
    ),
    (
      #"{"type":"controller","controller":"c","snapshot_text":"{no\u0d4e}"}"#,
      "'snapshot_text' is '"
    ),
    (
      #"{"type":"controller","controller":"c","snapshot_text":"{no}\u0000x"}"#,
      "'snapshot_text' is '"
    ),
  ])
  func `what is wrong is told with its line`(_ line: String, _ message: String) throws {
    let refusal = #expect(throws: ImportRefusal.self) {
      try imported(
        #"{"type":"controller","controller":"a"}"#, #"{"seq":1,"kind":"mark","t_us":0}"#, "", line)
    }
    let problem = try #require(refusal?.problems.first)
    #expect(problem.line == 6)
    #expect(problem.message.hasPrefix(message), "\(problem.message)")
    #expect(!problem.advice.isEmpty)
    #expect(refusal?.problems.count == 1)
    #expect(refusal?.isCut == false)
  }

  @Test func `what follows a wrong controller is not judged, but the next session is`() throws {
    let refusal = #expect(throws: ImportRefusal.self) {
      try imported(
        #"{"type":"controller","controller":"a","discipline":"any"}"#,
        #"{"seq":1,"kind":"entered","t_us":0,"controller":"a","visit":1,"state":"x"}"#,
        #"{"type":"end"}"#, #"{"type":"session","uuid":"v","first_seq":2}"#,
        #"{"seq":2,"kind":"entered","t_us":0,"controller":"b"}"#)
    }
    #expect(
      refusal?.problems.map(\.message) == [
        "'discipline' is 'any'", "no controller is called 'b'",
      ])
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
      try imported(#"{"kind":"mark","seq":1,"t_us":0}"#, #"{"seq":2,"t_us":0,\#(event)}"#)
    }
    let problem = try #require(refusal?.problems.first)
    #expect(problem.message.hasPrefix(message), "\(problem.message)")
  }

  @Test func `what can be stored and not be read again is refused`() throws {
    let payload = String(repeating: "x", count: TransferLine.mostBytes)
    func line(_ state: String, _ payload: String) -> String {
      #"{"seq":1,"kind":"enqueued","state":"\#(state)","payload":"\#(payload)","t_us":1}"#
    }
    let history = try imported(line("a", payload))
    #expect(
      try history.query("SELECT length(payload) FROM history WHERE payload IS NOT NULL")
        == ["\(payload.utf8.count)"])
    let refusal = #expect(throws: ImportRefusal.self) { try imported(line("a", payload + "x")) }
    #expect(refusal?.problems.first?.line == 3)
    #expect(refusal?.problems.first?.message == "'payload' has \(payload.utf8.count + 1) bytes")
    // Both are in one row.
    let both = #expect(throws: ImportRefusal.self) {
      try imported(
        #"{"seq":1,"kind":"mark","note":"xy","payload":"\#(payload.dropFirst())","t_us":1}"#)
    }
    #expect(
      both?.problems.first?.message == "its texts have \(payload.utf8.count + 1) bytes together")
  }

  @Test(arguments: [
    (
      [
        #"{"type":"loss","first_seq":2,"last_seq":9}"#,
        #"{"type":"loss","first_seq":3,"last_seq":6}"#,
        #"{"seq":10,"t_us":1,"kind":"mark"}"#, #"{"type":"end"}"#,
      ], "two losses say that 3 is missing"
    ),
    (
      [#"{"type":"end","observed":100}"#],
      "the session has drawn 100 numbers, and says nothing of 99 of them"
    ),
    (
      [#"{"seq":4,"t_us":1,"kind":"mark"}"#, #"{"type":"end"}"#],
      "the session has drawn 4 numbers, and says nothing of 2 of them"
    ),
  ])
  func `numbers that are lost twice, or of which nothing is said, are told`(
    _ lines: [String], _ message: String
  ) throws {
    let before = [Self.head, Self.session + "1}", #"{"seq":1,"t_us":0,"kind":"mark"}"#]
    let refusal = #expect(throws: ImportRefusal.self) {
      try read((before + lines).joined(separator: "\n"))
    }
    #expect(refusal?.problems.map(\.message) == [message])
    guard !message.contains("missing") else { return }
    // Those of an open session may come.
    let open = lines.map { $0.replacing(#""end""#, with: #""end","ended":"open""#) }
    #expect(try read((before + open).joined(separator: "\n")).damage() == nil)
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
    [session + #"1,"wall_us":-1}"#],
    [#"{"type":"session","first_seq":1}"#],
    [#"{"type":"session","uuid":"u"}"#],
    [#"{"seq":1,"kind":"mark","t_us":1}"#],
    [session + "1}", #"{"seq":1,"kind":"mark","t_us":1e300}"#],
    [session + "1}", #"{"seq":1,"kind":"mark","t_us":1e30}"#],
    [session + "1}", #"{"seq":1,"kind":"mark","t_us":1,"thread":64}"#],
    [session + "1}", #"{"seq":1,"kind":"mark","t_us":1,"payload_base64":"a"}"#],
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
  }

  @Test func `the numbers of a session with a wrong controller are not free`() throws {
    let text = """
      {"format":"staty-history","version":1}
      {"type":"session","session":1,"uuid":"a","first_seq":1}
      {"type":"controller","controller":"one","fidelity":"none"}
      {"type":"session","session":1,"uuid":"b","first_seq":1}
      {"type":"session","session":2,"uuid":"c","first_seq":1}
      """
    let refusal = #expect(throws: ImportRefusal.self) { try read(text) }
    #expect(refusal?.problems.map(\.line) == [3, 4, 5], "\(String(describing: refusal))")
  }

  @Test func `a controller that is there twice is refused, and found where it is`() throws {
    let refusal = #expect(throws: ImportRefusal.self) {
      try imported(
        #"{"type":"controller","controller":"a"}"#, #"{"type":"controller","controller":"a"}"#,
        #"{"seq":1,"t_us":0,"kind":"mark","controller":"a"}"#)
    }
    #expect(refusal?.problems.map(\.line) == [4])
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
    do {
      var text: [UInt8] = []
      try HistoryExport(reader).write(reader.sessions()) { text += $0.utf8 }
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
      try read(#"{"kind":"mark","t_us":0}"# + "\n" + #"{"kind":"mark","t_us":0}"#)
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
    let place = try TemporaryHistory()
    let writer = try HistoryWriter(path: place.path)
    var reading = HistoryImport(into: writer, lineBytes: 1_000)
    try reading.take((Self.head + "\n").utf8)
    let refusal = #expect(throws: ImportRefusal.self) {
      while true { try reading.take(repeatElement(UInt8(ascii: "x"), count: 100)) }
    }
    #expect(refusal?.problems.first?.message.contains("1000 bytes") == true)
  }

  /// A history of one session in which these lines are.
  @discardableResult
  private func imported(_ lines: String...) throws -> TemporaryHistory {
    try read(
      ([Self.head, Self.session + "1}"] + lines + [#"{"type":"end"}"#]).joined(separator: "\n"))
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
