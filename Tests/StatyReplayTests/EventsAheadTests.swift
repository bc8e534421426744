import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyReplay
import StatyRules
import StatySQLite
import Testing

/// Events that a thread reads ahead are those that are read one by one.
@Suite struct EventsAheadTests {
  /// So many that it is worth a thread, and an end that fills no batch.
  private static let transitions = 15_001

  /// A queue with states that enter and exit at once.
  ///
  /// - Parameter isFaulty: whether some are told to enter twice, some requests come from a state that is
  ///   over, and some events are missing.
  private func write(isFaulty: Bool = false) throws -> RecordedHistory {
    let history = try RecordedHistory()
    let writer = try HistoryWriter(path: history.path)
    let session = try writer.beginSession(
      SessionOpening(
        uuid: "long", app: "", appVersion: "", os: "", pid: 1, wallTime: 1, firstSeq: 1))
    var opening = SnapshotRecord()
    opening.isWithholding = false
    let controller = try writer.addController(
      session: session, name: "queue", policy: "queue", fidelity: 1, snapshot: opening.text)
    let state = try writer.intern(name: "state")
    var rows = [EventRow(seq: 1, time: 0, kind: .attached, controller: controller)]
    func add(_ kind: EventKind, _ visit: UInt32, cause: Int64) {
      let seq = Int64(rows.count) + 1
      rows.append(
        EventRow(
          seq: seq, time: seq, kind: kind, controller: controller, visit: visit, state: state,
          cause: cause))
    }
    for visit in 1...UInt32(Self.transitions) {
      add(.enqueued, visit, cause: 0)
      let request = Int64(rows.count)
      if visit > 1 {
        add(.exiting, visit - 1, cause: request)
        add(.exited, visit - 1, cause: request + 1)
      }
      let last = Int64(rows.count)
      add(.entering, visit, cause: last)
      add(.entered, visit, cause: last + 1)
      if isFaulty, visit % 1_000 == 0 { add(.entering, visit, cause: last) }
    }
    var details: [EventDetail] = []
    if isFaulty {
      details = rows.filter { $0.kind == 3 && $0.visit % 700 == 3 }.map { request in
        var detail = EventDetail(seq: request.seq)
        detail.origin = request.visit - 2
        return detail
      }
      // In the middle of a visit, and between two.
      rows.removeAll { $0.visit % 2_500 == 1_234 && $0.kind == 4 || $0.visit % 4_000 == 99 }
    }
    for start in stride(from: 0, to: rows.count, by: 4_096) {
      try rows[start..<min(start + 4_096, rows.count)].withUnsafeBufferPointer {
        _ = try writer.append($0, details: details, to: session)
      }
    }
    try writer.recordMissing(from: 1, through: rows.last!.seq) { _ in "taken out" }
    try writer.endSession(session, .clean)
    try writer.close()
    return history
  }

  private func numbers(_ reader: HistoryReader, isAhead: Bool) throws -> [Int64] {
    var events = try RecordedEvents(reader, session: 1, through: nil, isAhead: isAhead)
    var numbers: [Int64] = []
    while let event = events.next {
      numbers.append(event.row.seq)
      try events.advance()
    }
    events.letGo()
    return numbers
  }

  @Test func `they are the same events, and the recording is reproduced`() throws {
    let history = try write()
    let reader = try HistoryReader(path: history.path)
    let one = try numbers(reader, isAhead: false)
    #expect(one.count > 1 << 16)
    #expect(try numbers(reader, isAhead: true) == one)
    let verification = try Verification(reader, session: 1)
    let result = try verification.run()
    #expect(result.verdict == .reproduced, "\(result)")
    #expect(result.matched + result.told == one.count - 1)
  }

  @Test func `a check of them finds what it finds one by one`() throws {
    let history = try write(isFaulty: true)
    let reader = try HistoryReader(path: history.path)
    let result = try HistoryCheck(reader).session(1)
    let session = try reader.session(1)
    var checker = try SessionChecker(
      session: 1, controllers: reader.controllers(session: 1), firstSeq: 1)
    var events = try SessionEvents(reader, session: session)
    while try events.give(to: &checker) {}
    events.giveRest(to: &checker)
    let findings =
      (checker.drain() + checker.findingsAtEnd(endTime: session.endTime, isCut: false))
      .sorted { ($0.seq, $0.code.rawValue) < ($1.seq, $1.code.rawValue) }
    #expect(result.findings == findings)
    #expect(Set(findings.map(\.code)).isSuperset(of: [.doubleEnter, .staleRequest]))
    #expect(result.losses.count > 6)
  }

  @Test func `a reader can be used for something else as soon as reading ahead ends`() throws {
    let history = try write()
    let reader = try HistoryReader(path: history.path)
    for taken in [0, 1, 1_023, 1_024, 5_000] {
      var events = try RecordedEvents(reader, session: 1, through: nil, isAhead: true)
      for _ in 0..<taken { try events.advance() }
      #expect(events.next?.row.seq == Int64(taken) + 1)
      events.letGo()
      events.letGo()
      #expect(try reader.session(1).uuid == "long")
      #expect(try reader.events(session: 1).next()?.seq == 1)
    }
  }

  @Test func `a reading that is released needs no call to end it`() throws {
    let history = try write()
    let reader = try HistoryReader(path: history.path)
    for _ in 0..<20 {
      _ = try RecordedEvents(reader, session: 1, through: nil, isAhead: true)
    }
    #expect(try numbers(reader, isAhead: true).count > 1 << 16)
    try reader.close()
  }

  /// What goes on in the thread cannot be hurried or held up from here, so it is done often.
  @Test func `what was let go can be closed at once`() throws {
    let history = try write()
    for taken in 0..<100 {
      let reader = try HistoryReader(path: history.path)
      var events = try RecordedEvents(reader, session: 1, through: nil, isAhead: true)
      for _ in 0..<taken { try events.advance() }
      events.letGo()
      try reader.close()
    }
  }

  /// Some pages in the middle of the file cannot be read.
  @Test func `a reading that fails midway says so after the same events`() throws {
    let history = try write()
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: history.path)))
    let page = 4_096
    // Between pages of events lie some of visits.
    let middle = bytes.count / page / 2 * page
    bytes.replaceSubrange(middle..<middle + 16 * page, with: repeatElement(0xFF, count: 16 * page))
    try Data(bytes).write(to: URL(fileURLWithPath: history.path))

    func read(isAhead: Bool) throws -> (count: Int, failure: HistoryError?) {
      let reader = try HistoryReader(path: history.path)
      var events = try RecordedEvents(reader, session: 1, through: nil, isAhead: isAhead)
      var count = 0
      do throws(HistoryError) {
        while events.next != nil {
          count += 1
          try events.advance()
        }
        return (count, nil)
      } catch {
        return (count, error)
      }
    }
    let one = try read(isAhead: false)
    let ahead = try read(isAhead: true)
    #expect(one.count > 1 << 14)
    #expect(one.failure != nil)
    #expect(ahead.count == one.count)
    #expect("\(ahead.failure as Any)" == "\(one.failure as Any)")
  }
}
