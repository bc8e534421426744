import Foundation
import Testing

/// Recordings that no class of the tests makes, written as text.
@Suite struct ImportedReplayTests {
  private let place: Place

  init() throws { place = try Place() }

  /// Imports one controller's events.
  private func write(_ controller: String, _ events: [String]) throws {
    let lines =
      [
        #"{"format":"staty-history","version":1}"#,
        #"{"type":"session","uuid":"u","first_seq":1,"session":1,"app":"a","app_version":"1","#
          + #""os":"l","pid":1,"wall_us":1}"#,
        #"{"type":"controller","controller":"c",\#(controller)}"#,
      ]
      + events.enumerated().map { place, event in
        #"{"seq":\#(place + 1),"t_us":\#(place * 10),"controller":"c","thread":1,\#(event)}"#
      } + [#"{"type":"end","ended":"clean"}"#]
    let run = try Binary(
      ["import", "-", "-q", "-o", "history.sqlite"], in: place.directory,
      input: lines.joined(separator: "\n") + "\n")
    try #require(run.status == 0, "\(run.err)")
  }

  @Test func `a visit is known however many come and go above it`() throws {
    var events = [#""kind":"attached""#]
    let count = 4_300
    for visit in 1...count {
      func add(_ kind: String, _ visit: Int, inside: Int? = nil) {
        events.append(
          #""kind":"\#(kind)","visit":\#(visit),"state":"s""#
            + (inside.map { #","inside":\#($0),"part":"handled""# } ?? ""))
      }
      add("enqueued", visit)
      let request = events.count
      if visit > 1 { add("exiting", visit - 1, inside: request) }
      add("entering", visit, inside: request)
      add("entered", visit)
      // The first one stays under all of them, and is released at the end.
      if visit > 2 { add("exited", visit - 1) }
    }
    events.append(#""kind":"exited","visit":1,"state":"s""#)
    try write(#""policy":"presenter","discipline":"stack","fidelity":"full""#, events)
    let run = try Binary(["replay", "history.sqlite"], in: place.directory)
    #expect(run.status == 0, "\(run.out)\(run.err)")
  }

  @Test func `a request that stood and may follow anything is judged so in what is played, too`()
    throws
  {
    let anew = #""answers":4611686018427387904"#
    let snapshot = """
      "snapshot":{"isTornDown":false,"isWithholding":false,"lastVisit":2,
      "standing":[{"visit":1,"state":"a","phase":3}],"waiting":[{"visit":2,"state":"b",\(anew)}],
      "routes":[{"to":"a"},{"to":"b"}],"states":["a","b"]}
      """
    try write(
      #""policy":"queue","discipline":"in-order","fidelity":"full","#
        + snapshot.replacingOccurrences(of: "\n", with: ""),
      [
        #""kind":"attached""#, #""kind":"stood","visit":1,"state":"a","reason":"exiting""#,
        #""kind":"stood","visit":2,"state":"b","reason":"waiting",\#(anew)"#,
        #""kind":"exited","visit":1,"state":"a""#,
        #""kind":"entering","visit":2,"state":"b","inside":4,"part":"performed""#,
        #""kind":"entered","visit":2,"state":"b""#,
        #""kind":"enqueued","visit":3,"state":"a",\#(anew)"#,
        #""kind":"exiting","visit":2,"state":"b","inside":7,"part":"performed""#,
        #""kind":"exited","visit":2,"state":"b""#,
        #""kind":"entering","visit":3,"state":"a","inside":9,"part":"performed""#,
        #""kind":"entered","visit":3,"state":"a""#,
      ])
    for arguments in [["check"], ["replay"], ["replay", "--delay", "7=500ms"], ["explore"]] {
      let run = try Binary(arguments + ["history.sqlite"], in: place.directory)
      #expect(!run.out.contains("undeclared-transition"), "\(run.out)\(run.err)")
      #expect(run.status == 0, "\(arguments): \(run.out)\(run.err)")
    }
  }

  @Test(arguments: ["staty-2019", "keyed-2015"], ["replay", "minimize"])
  func `numbers that are at their end are refused`(_ policy: String, _ verb: String) throws {
    let last = UInt32.max
    var events = [#""kind":"attached""#]
    for state in ["a", "b", "c", "d"] {
      events.append(#""kind":"enqueued","visit":\#(last),"state":"\#(state)""#)
    }
    events += [
      #""kind":"exiting","visit":\#(last),"state":"b","inside":5,"part":"handled""#,
      #""kind":"entered","visit":\#(last),"state":"b""#,
    ]
    try write(
      #""policy":"\#(policy)","discipline":"in-order","fidelity":"ordered","snapshot":{"#
        + #""isTornDown":false,"isWithholding":false,"lastVisit":\#(last),"standing":[],"waiting":[]}"#,
      events)
    let run = try Binary(
      [verb, "history.sqlite"] + (verb == "minimize" ? ["-o", "less.sqlite"] : []),
      in: place.directory)
    #expect(run.status == 2, "\(run.out)\(run.err)")
  }

  /// Its registry has no way to cancel, so a test could not do what was recorded.
  @Test func `no test is written of what is in doubt`() throws {
    func event(_ kind: String, _ visit: Int, in place: Int? = nil) -> String {
      #""kind":"\#(kind)","visit":\#(visit),"state":"\#("abcd".dropFirst(visit - 1).prefix(1))""#
        + (place.map { #","inside":\#($0),"part":"handled""# } ?? "")
    }
    func step(_ number: Int, of cause: Int) -> String {
      #""kind":"resumed","cause":\#(cause),"step":\#(number)"#
    }
    try write(
      #""policy":"staty-2019","discipline":"in-order","fidelity":"full""#,
      [
        #""kind":"attached""#, event("enqueued", 1), step(1, of: 2), event("entering", 1, in: 3),
        event("entered", 1), #""kind":"cancelled","reason":"all""#, event("enqueued", 2),
        event("exiting", 1, in: 7), event("enqueued", 3), event("exiting", 2, in: 9),
        event("exited", 1), step(2, of: 11), event("entering", 2, in: 12), event("entered", 2),
        event("enqueued", 4), event("exiting", 3, in: 15),
      ])
    #expect(try Binary(["replay", "history.sqlite"], in: place.directory).status == 2)
    let run = try Binary(["test", "history.sqlite"], in: place.directory)
    #expect(run.status == 2 && run.out.isEmpty, "\(run.out)")
    #expect(run.err.contains("what the controller does is in doubt"), "\(run.err)")
  }
}
