import StatyReading
import Staty
import StatyHistory
import Testing

/// What a file says of where events happened is held against what it holds.
@Suite struct PlaceDamageTests {
  private let history: TemporaryHistory

  init() throws {
    history = try TemporaryHistory()
  }

  private static func row(
    _ seq: Int64, _ kind: EventKind = .mark, _ part: EventPlace.Part = .handled, of inside: Int64,
    thread: UInt8 = 1
  ) -> EventRow {
    var row = EventRow(seq: seq, time: seq, kind: kind, thread: thread)
    row.set(part, of: inside)
    return row
  }

  private func write(_ rows: [EventRow], ending: SessionEnd? = .clean) throws {
    try history.write { writer in
      let session = try writer.beginSession(.test())
      try writer.append(rows)
      if ending != nil { try writer.recordLoss(first: 4, last: 5, count: 2, reason: "overload") }
      if let ending { try writer.endSession(session, ending) }
    }
  }

  private func expectDamage(at seq: Int64) throws {
    let damage = try history.damage()
    #expect(damage?.kind == .place && damage?.firstSeq == seq, "\(damage?.description ?? "none")")
  }

  @Test func `an event lies inside an earlier one of its thread, or inside a lost one`() throws {
    try write([
      Self.row(1, of: 0), Self.row(2, .mark, .observed, of: 1), Self.row(3, of: 0, thread: 2),
      Self.row(6, .mark, .called, of: 2), Self.row(7, of: 5), Self.row(8, of: 3, thread: 2),
    ])
    #expect(try history.damage() == nil)
    #expect(
      try history.query("SELECT seq, cause, inside, part FROM history WHERE inside IS NOT NULL")
        == [
          "2|1|1|observed", "6|2|2|called", "7|5|5|handled", "8|3|3|handled",
        ])
  }

  @Test(arguments: [
    row(7, of: 7), row(7, of: 8), row(7, of: 100), row(7, of: -1), row(7, of: 3), row(7, of: 6),
  ])
  func `a place in a later one, in one of another thread, or in none that is there is damage`(
    _ wrong: EventRow
  ) throws {
    var rows = [Self.row(1, of: 0), Self.row(2, of: 1), Self.row(3, of: 0, thread: 2)]
    rows += [wrong, Self.row(8, of: 0)]
    try write(rows)
    // No event can say that it lies inside itself.
    if wrong.inside == 7 {
      #expect(try history.damage()?.kind != .place)
    } else {
      try expectDamage(at: 7)
    }
  }

  @Test func `of a thread or an event that is not known nothing is said`() throws {
    try write([
      Self.row(1, of: 0, thread: 0), Self.row(2, of: 1, thread: 3), Self.row(3, of: 2, thread: 0),
    ])
    #expect(try history.damage() == nil)
  }

  @Test func `while a session goes on, what an event lies in may come later`() throws {
    try write([Self.row(1, of: 0), Self.row(3, of: 2)], ending: nil)
    #expect(try history.damage() == nil)
    try history.write { writer in
      try writer.recordLoss(first: 2, last: 2, count: 1, reason: "unfinished")
      try writer.endSession(1, .killed)
    }
    #expect(try history.damage() == nil)
  }

  @Test func `it is noticed however far away the event is`() throws {
    let far: Int64 = 10_000
    let between = (6..<far).map { Self.row($0, of: 0) }
    let first = [Self.row(1, of: 0), Self.row(2, of: 0, thread: 2), Self.row(3, of: 0)]
    try write(first + between + [Self.row(far, of: 3), Self.row(far + 1, of: 2)])
    try expectDamage(at: far + 1)
  }
}
