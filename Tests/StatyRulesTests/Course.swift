import Staty
@testable import StatyHistory

@testable import StatyRules

/// A small history of one controller, built event by event, and the findings in it.
///
/// Each event comes a millisecond after the one before and has the next number. Visit 1 is called
/// "a", visit 2 "b" and so on.
struct Course {
  private(set) var rows: [EventRow] = []
  private(set) var details: [Int64: EventDetail] = [:]
  private var losses: [LossRecord] = []
  private var controllers: [ControllerRecord]
  private var now: Int64 = 0

  init(
    _ discipline: Discipline = .inOrder, fidelity: Fidelity = .full, snapshot: String = "{}"
  ) {
    controllers = [
      .made(id: 7, discipline: discipline, fidelity: fidelity.rawValue, snapshot: snapshot)
    ]
  }

  /// The number of the last event.
  var last: Int64 { rows.last?.seq ?? 0 }

  @discardableResult
  mutating func add(
    _ kind: EventKind, _ visit: UInt32 = 0, _ reason: EventReason? = nil, cause: Int64 = 0,
    thread: UInt8 = 0, controller: Int32? = nil, skipping: Int64 = 0, state: Int32? = nil
  ) -> Int64 {
    now += 1_000
    let seq = last + 1 + skipping
    rows.append(
      EventRow(
        seq: seq, time: now, kind: kind, reason: reason?.code ?? 0, thread: thread,
        controller: controller ?? controllers.last!.id, visit: visit, state: state ?? Int32(visit),
        cause: cause))
    return seq
  }

  @discardableResult
  mutating func request(
    _ visit: UInt32, by origin: UInt32 = 0, priority: Int32 = 0, answers: UInt64 = 0,
    cause: Int64 = 0, thread: UInt8 = 0
  ) -> Int64 {
    let seq = add(.enqueued, visit, cause: cause, thread: thread)
    if origin != 0 || priority != 0 || answers != 0 {
      var detail = EventDetail(seq: seq)
      detail.origin = origin
      detail.priority = priority
      detail.answers = answers
      details[seq] = detail
    }
    return seq
  }

  /// A visit that was open when recording began.
  @discardableResult
  mutating func stand(
    _ visit: UInt32, _ reason: EventReason, answers: UInt64 = 0, state: Int32? = nil
  ) -> Int64 {
    let seq = add(.stood, visit, reason, state: state)
    if answers != 0 {
      details[seq] = EventDetail(seq: seq)
      details[seq]?.answers = answers
    }
    return seq
  }

  /// A request with its enter: enqueued, told to enter, entered.
  mutating func show(_ visit: UInt32, answers: UInt64 = 0) {
    let asked = request(visit, answers: answers)
    add(.entering, visit, cause: asked)
    add(.entered, visit)
  }

  mutating func wait(seconds: Int64) { now += seconds * 1_000_000 }

  /// Loses a number of events here.
  mutating func lose(_ count: Int64) {
    losses.append(
      LossRecord(firstSeq: last + 1, lastSeq: last + count, count: count, reason: "full"))
  }

  /// Behind a loss the recording goes on under another number, with the visits that are open then.
  ///
  /// - Returns: the number of the first `stood`.
  @discardableResult
  mutating func beginAnew(_ open: (visit: UInt32, reason: EventReason)...) -> Int64 {
    add(.detached, 0, .continues)
    var snapshot = SnapshotRecord()
    snapshot.lastVisit = rows.map(\.visit).max() ?? 0
    var controller = controllers.last!
    (controller.id, controller.snapshot) = (controller.id + 1, snapshot.text)
    controllers.append(controller)
    add(.attached)
    for (visit, reason) in open { add(.stood, visit, reason) }
    return last - Int64(open.count) + 1
  }

  private static let names: [Int32: String] = [1: "a", 2: "b", 3: "c", 4: "d", 5: "e"]

  func checker(_ options: CheckOptions = CheckOptions()) -> SessionChecker {
    var checker = SessionChecker(session: 1, controllers: controllers, options: options)
    checker.learn(names: Self.names)
    return checker
  }

  func findings(_ options: CheckOptions = CheckOptions(), isCut: Bool = false) -> [Finding] {
    var checker = checker(options)
    var losses = losses[...]
    for row in rows {
      while let loss = losses.first, loss.firstSeq <= row.seq {
        checker.lose(loss)
        losses.removeFirst()
      }
      checker.take(row, details[row.seq])
    }
    for loss in losses { checker.lose(loss) }
    return (checker.drain() + checker.findingsAtEnd(endTime: now, isCut: isCut)).sorted()
  }

  /// Each finding as its code, the number of the guilty event, and the sentence.
  var words: [String] {
    findings().map { "\($0.code.rawValue) \($0.seq): \($0.detail { Self.names[$0] })" }
  }

  /// Each finding as its code and the number of the guilty event.
  var codes: [String] { findings().map { "\($0.code.rawValue) \($0.seq)" } }
}

extension ControllerRecord {
  static func made(
    id: Int32, discipline: Discipline = .inOrder, fidelity: UInt8 = 1, snapshot: String = "{}"
  ) -> ControllerRecord {
    ControllerRecord(
      id: id, session: 1, name: "checkout", policy: "mine", discipline: discipline.rawValue,
      fidelity: fidelity, snapshot: snapshot)
  }
}
