import Foundation
import Testing

/// What observers did when they heard of an order is replayed as theirs.
@Suite struct HeardCompletionTests {
  private let place: Place

  init() throws { place = try Place() }

  @Test
  func `a state that reports entered while observers hear of another entering counts as entered`()
    throws
  {
    // The presenter checks for a presentation after observers were told that the second state
    // enters. Until then the first had reported that it has entered.
    let text = #"""
      {"format": "staty-history", "version": 1, "sessions": 1}
      {"type": "session", "session": 1, "uuid": "d57a58ad-78b0-408c-8381-81d1982ba09c", "app": "x", "pid": 1, "wall_us": 1795329798258475, "first_seq": 1}
      {"type": "controller", "controller": "s", "policy": "presenter", "fidelity": "full", "snapshot": {"isTornDown": false, "isWithholding": false, "lastVisit": 0, "standing": [], "waiting": []}}
      {"seq": 1, "t_us": 101000, "controller": "s", "thread": 1, "kind": "attached"}
      {"seq": 2, "t_us": 201000, "controller": "s", "thread": 1, "kind": "enqueued", "visit": 1, "state": "b"}
      {"seq": 3, "t_us": 301000, "controller": "s", "thread": 1, "kind": "entering", "visit": 1, "state": "b", "cause": 2}
      {"seq": 4, "t_us": 401000, "controller": "s", "thread": 1, "kind": "enqueued", "visit": 2, "state": "c"}
      {"seq": 5, "t_us": 501000, "controller": "s", "thread": 1, "kind": "entering", "visit": 2, "state": "c", "cause": 4}
      {"seq": 6, "t_us": 601000, "controller": "s", "thread": 1, "kind": "entered", "visit": 1, "state": "b", "inside": 5, "part": "observed"}
      {"seq": 7, "t_us": 701000, "controller": "s", "thread": 1, "kind": "entered", "visit": 2, "state": "c"}
      {"seq": 8, "t_us": 801000, "controller": "s", "thread": 1, "kind": "exited", "visit": 1, "state": "b"}
      {"seq": 9, "t_us": 901000, "controller": "s", "thread": 1, "kind": "enqueued", "visit": 3, "state": "d"}
      {"seq": 10, "t_us": 1001000, "controller": "s", "thread": 1, "kind": "exiting", "visit": 2, "state": "c", "cause": 9}
      {"seq": 11, "t_us": 1101000, "controller": "s", "thread": 1, "kind": "entering", "visit": 3, "state": "d", "cause": 9}
      {"seq": 12, "t_us": 1201000, "controller": "s", "thread": 1, "kind": "exited", "visit": 2, "state": "c"}
      {"seq": 13, "t_us": 1301000, "controller": "s", "thread": 1, "kind": "entered", "visit": 3, "state": "d"}
      {"type": "end", "ended": "clean", "events": 13, "observed": 13}
      """#
    try Data(text.utf8).write(to: URL(fileURLWithPath: place.path("log.ndjson")))
    let made = try Binary(["import", "log.ndjson", "-o", "log.sqlite"], in: place.directory)
    #expect(made.status == 0, "\(made.err)")
    let replay = try Binary(["replay", "log.sqlite"], in: place.directory)
    #expect(replay.out.hasPrefix("REPRODUCED: "), "\(replay.out)")
  }
}
