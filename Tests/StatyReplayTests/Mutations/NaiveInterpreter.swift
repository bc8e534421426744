import Staty
import StatyHistory

/// Replays recordings of policies the plain way, so that the replayer can be held against it.
///
/// It is written apart from the replayer, on purpose: the whole recording is in memory, and calls
/// lie in each other as they did in the app. A policy is told of an input at once; what it decides
/// is performed one after the other when nothing of the same controller is in hand; what was
/// recorded inside an event is told when that event happens. In the end what each controller did
/// is compared with what was recorded of it, event by event.
final class NaiveInterpreter {
  /// Something that happened at a controller, with all that is compared.
  struct Happening: Hashable {
    /// The number of an input, so that it is known again wherever it is told.
    var input: Int64 = 0
    var kind: UInt8
    var visit: UInt32
    var reason: UInt8
    var cause: Int64
    var refusal = ""
    var isDecided: Bool { input == 0 }
  }

  /// A controller at work.
  private final class Desk {
    var policy: any TransitionPolicy
    var decided: [(command: Command, cause: Int64)] = []
    var isPerforming = false
    var deliveries = 0
    /// The number of the last recorded event that has happened.
    var last: Int64

    init(_ policy: any TransitionPolicy, _ last: Int64) {
      self.policy = policy
      self.last = last
    }
  }

  private let recording: PlainRecording
  /// Its events; what a controller does in its own work has what lies around that as its cause.
  private let rows: [EventRow]
  private var desks: [Int32: Desk] = [:]
  private var done: [Int32: [Happening]] = [:]
  private var hasHappened: Set<Int64> = []
  private var isMisplaced = false
  /// The number of the last recorded event that has happened, at any controller.
  private var last: Int64 = 0
  /// The numbers of inputs of controllers that are not recorded at that time.
  private var ignored: Set<Int64> = []

  init(_ recording: PlainRecording) {
    self.recording = recording
    let all = Dictionary(uniqueKeysWithValues: recording.rows.map { ($0.seq, $0) })
    rows = recording.rows.map { row in
      guard row.kind == EventKind.cancelled.rawValue, row.part == .handled,
        let input = all[row.inside], input.controller == row.controller
      else { return row }
      var row = row
      row.set(input.part, of: input.inside)
      return row
    }
  }

  /// What came of it.
  enum Verdict {
    /// Every controller did what was recorded of it, where it was recorded, if it could be told its
    /// inputs.
    case same
    /// A controller did something else.
    case diverged
    /// Something stands in the file where no run could have put it: behind the call that it was made
    /// in, or between an input of a controller at rest and what that decided.
    case misplaced
  }

  /// Replays it.
  func run() -> Verdict {
    for row in rows where row.cause == 0 && row.side == .input { tell(row) }
    let controllers = Set(rows.map(\.controller)).union(done.keys)
    if isMisplaced { return .misplaced }
    return controllers.allSatisfy { done[$0, default: []] == recorded($0) } ? .same : .diverged
  }

  /// The numbers of the inputs that could not be told.
  var unreached: [Int64] {
    rows.filter {
      isTold($0) && !hasHappened.contains($0.seq) && !ignored.contains($0.seq)
    }.map(\.seq)
  }

  /// What was recorded of a controller, without what could not be told.
  private func recorded(_ controller: Int32) -> [Happening] {
    rows.filter { row in
      row.controller == controller && (isTold(row) ? hasHappened.contains(row.seq) : isDecided(row))
    }.map { row in
      guard !isDecided(row) else { return recordedHappening(row) }
      return Happening(
        input: row.seq, kind: row.kind, visit: row.visit, reason: row.reason, cause: row.cause)
    }
  }

  private func isTold(_ row: EventRow) -> Bool { row.side == .input && row.kind > 2 }
  private func isDecided(_ row: EventRow) -> Bool { row.side == .output }
}

// What is told.
extension NaiveInterpreter {
  private func tell(_ row: EventRow) {
    switch EventKind(rawValue: row.kind) {
    case .attached: return attach(row)
    case .detached: return desks[row.controller] = nil
    default: break
    }
    guard let desk = desks[row.controller] else {
      ignored.insert(row.seq)
      return tellInside(row.seq)
    }
    guard let signal = signal(row) else { return }
    var commands = CommandQueue()
    if signal == .cancelled(.tearDown) { desk.decided.removeAll { $0.command.isOrder } }
    let fit = desk.policy.receive(signal, &commands)
    while let command = commands.popFirst() { desk.decided.append((command, row.seq)) }
    if fit == .fits, case .exited(let visit) = signal {
      desk.decided.removeAll { $0.command.visit == visit && $0.cause != row.seq }
    }
    happen(row, desk, happening(row, signal, fit))
    desk.deliveries += 1
    tellInside(row.seq)
    desk.deliveries -= 1
    perform(row.controller, desk)
  }

  private func attach(_ row: EventRow) {
    let record = recording.controllers.first { $0.id == row.controller }!
    let snapshot = PolicySnapshot(SnapshotRecord(record.snapshot)!)
    let kinds: [any TransitionPolicy.Type] = [
      QueuePolicy.self, LatestPolicy.self, ImmediatePolicy.self, RejectPolicy.self,
      PriorityPolicy.self, CoalescePolicy.self,
    ]
    let kind = kinds.first { "\($0.name)" == record.policy }!
    desks[row.controller] = Desk(kind.init(restoring: snapshot), row.seq)
  }

  /// Tells the inputs that were recorded inside of an event, at whatever controller.
  private func tellInside(_ seq: Int64) {
    for row in rows where row.cause == seq && row.side == .input { tell(row) }
  }

  private func signal(_ row: EventRow) -> Signal? {
    let visit = VisitNumber(row.visit)
    let recoveries: [DeadlineRecovery] = [.report, .force, .skip]
    switch (EventKind(rawValue: row.kind), row.reason) {
    case (.enqueued, _): return .requested(request(row))
    case (.entered, _), (.stray, 1): return .entered(visit)
    case (.exited, _), (.stray, 2): return .exited(visit)
    case (.cancelled, 1): return .cancelled(.visit(visit))
    case (.cancelled, 2): return .cancelled(.all)
    case (.cancelled, 3): return .cancelled(.tearDown)
    case (.deadline, 1...3): return .deadline(visit, .entered, recoveries[Int(row.reason) - 1])
    case (.deadline, 4...6): return .deadline(visit, .exited, recoveries[Int(row.reason) - 4])
    case (.resumed, _): return .resumed
    default: return nil
    }
  }

  private func request(_ row: EventRow) -> Request {
    let detail = recording.details[row.seq] ?? EventDetail(seq: row.seq)
    let object = detail.instance == 0 ? row.visit : detail.instance
    return Request(
      visit: VisitNumber(row.visit), state: StateName(recording.names[row.state] ?? ""),
      priority: detail.priority, equality: detail.equality ?? object * 2, answers: detail.answers,
      objection: Objection(rawValue: detail.objection))
  }

  /// An input as it happens now: whether a completion fits is for the controller to say.
  private func happening(_ row: EventRow, _ signal: Signal, _ fit: Fit) -> Happening {
    var happening = Happening(
      input: row.seq, kind: row.kind, visit: row.visit, reason: row.reason, cause: row.cause)
    switch signal {
    case .entered:
      happening.kind = (fit == .fits ? EventKind.entered : .stray).rawValue
      happening.reason = fit == .fits ? 0 : 1
    case .exited:
      happening.kind = (fit == .fits ? EventKind.exited : .stray).rawValue
      happening.reason = fit == .fits ? 0 : 2
    default: break
    }
    return happening
  }
}

// What is decided.
extension NaiveInterpreter {
  private func perform(_ controller: Int32, _ desk: Desk) {
    if desk.isPerforming || desk.deliveries > 0 { return }
    desk.isPerforming = true
    while let (command, cause) = desk.decided.first,
      !(command.isOrder && hasNoTarget(controller, desk))
    {
      desk.decided.removeFirst()
      perform(command, cause, controller, desk)
    }
    desk.isPerforming = false
  }

  private func perform(_ command: Command, _ cause: Int64, _ controller: Int32, _ desk: Desk) {
    let happening = happening(command, cause)
    // The recorded event that this is: the next decision, if it says the same.
    let next = rows.first {
      $0.controller == controller && isDecided($0) && $0.seq > desk.last
        && !hasHappened.contains($0.seq)
    }
    guard let next, recordedHappening(next) == happening else {
      if standsTooEarly(happening, controller, desk) { isMisplaced = true }
      return done[controller, default: []].append(happening)
    }
    happen(next, desk, happening)
    tellInside(next.seq)
  }

  /// Whether a decision stands in the file before something of another controller that happened
  /// before it, and was gone past because of what happened in that.
  private func standsTooEarly(
    _ happening: Happening, _ controller: Int32, _ desk: Desk
  ) -> Bool {
    rows.contains { row in
      row.controller == controller && isDecided(row) && row.seq < desk.last
        && !hasHappened.contains(row.seq) && recordedHappening(row) == happening
        && rows.contains {
          $0.controller != controller && $0.seq > row.seq && hasHappened.contains($0.seq)
        }
    }
  }

  /// What its states are shown on has gone: the controller says that it is torn down in the place
  /// of telling a state anything.
  private func hasNoTarget(_ controller: Int32, _ desk: Desk) -> Bool {
    let next = rows.first { $0.controller == controller && $0.seq > desk.last }
    return next.map { EventKind(rawValue: $0.kind) == .cancelled && $0.reason == 3 } ?? false
  }

  private func happen(_ row: EventRow, _ desk: Desk, _ happening: Happening) {
    hasHappened.insert(row.seq)
    // One thread records in the order of events, at all controllers.
    if row.seq < last { isMisplaced = true }
    last = max(last, row.seq)
    desk.last = max(desk.last, row.seq)
    done[row.controller, default: []].append(happening)
  }

  private func recordedHappening(_ row: EventRow) -> Happening {
    Happening(
      kind: row.kind, visit: row.visit, reason: row.reason, cause: row.cause,
      refusal: refusal(row))
  }

  private func refusal(_ row: EventRow) -> String {
    guard let detail = recording.details[row.seq], detail.refusal != 0 else { return "" }
    return "\(detail.refusal) \(detail.objection)"
  }

  private func happening(_ command: Command, _ cause: Int64) -> Happening {
    switch command {
    case .enter(let request):
      Happening(
        kind: EventKind.entering.rawValue, visit: request.visit.rawValue, reason: 0, cause: cause)
    case .exit(let visit):
      Happening(
        kind: EventKind.exiting.rawValue, visit: visit.rawValue, reason: 0, cause: cause)
    case .discard(let visit, let reason):
      Happening(
        kind: EventKind.discarded.rawValue, visit: visit.rawValue, reason: reason.number,
        cause: cause, refusal: reason.refusal)
    }
  }
}

extension Command {
  fileprivate var visit: VisitNumber {
    switch self {
    case .enter(let request): request.visit
    case .exit(let visit), .discard(let visit, _): visit
    }
  }

  /// Whether it tells a state to enter or to exit.
  fileprivate var isOrder: Bool {
    if case .discard = self { false } else { true }
  }
}

extension DiscardReason {
  fileprivate var number: UInt8 {
    switch self {
    case .rejected: 1
    case .replaced: 2
    case .coalesced: 3
    case .cancelled: 4
    case .timedOut: 5
    case .tornDown: 6
    }
  }

  /// The numbers of what was the matter with a rejected request; without routes there are two.
  fileprivate var refusal: String {
    switch self {
    case .rejected(.busy): "1 0"
    case .rejected(.objection(let objection)): "5 \(objection.rawValue)"
    default: ""
    }
  }
}
