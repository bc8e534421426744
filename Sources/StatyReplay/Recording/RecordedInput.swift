import Staty
import StatyHistory

/// What a recorded input tells a controller.
enum RecordedInput {
  case signal(Signal)
  /// A completion, whether the recorded controller called it stray, and whether it was done to the
  /// end.
  case completion(VisitNumber, Completion, Fit, isFinished: Bool)
  /// A message, with its recorded payload.
  case message(StateName, String?)

  /// Inserted requests and the objects of a scenario are numbered from here; no recorded visit is.
  static let firstInserted: UInt32 = 1 << 31

  /// `nil` if the event is no input, or holds an unknown value.
  init?(_ event: RecordedEvent, names: RecordedNames) {
    let visit = VisitNumber(event.row.visit)
    let isFinished = event.row.isFinished ?? true
    switch (event.kind, event.row.reason) {
    case (.enqueued, _):
      guard let request = Request(event, names: names) else { return nil }
      self = .signal(.requested(request))
    case (.entered, _): self = .completion(visit, .entered, .fits, isFinished: isFinished)
    case (.exited, _): self = .completion(visit, .exited, .fits, isFinished: isFinished)
    case (.stray, _):
      guard let completion = event.row.strayCompletion else { return nil }
      self = .completion(visit, completion, .stray, isFinished: isFinished)
    case (.cancelled, EventReason.cancelledVisit.code): self = .signal(.cancelled(.visit(visit)))
    case (.cancelled, EventReason.cancelledAll.code): self = .signal(.cancelled(.all))
    case (.cancelled, EventReason.cancelledTearDown.code): self = .signal(.cancelled(.tearDown))
    case (.deadline, let code):
      guard let (awaited, recovery) = Self.deadline(code) else { return nil }
      self = .signal(.deadline(visit, awaited, recovery))
    case (.received, _):
      guard let name = names[event.row.state] else { return nil }
      self = .message(name, event.payload)
    case (.resumed, _): self = .signal(.resumed)
    default: return nil
    }
  }

  private static func deadline(_ code: UInt8) -> (Completion, DeadlineRecovery)? {
    switch code {
    case EventReason.enteringReport.code: (.entered, .report)
    case EventReason.enteringForce.code: (.entered, .force)
    case EventReason.enteringSkip.code: (.entered, .skip)
    case EventReason.exitingReport.code: (.exited, .report)
    case EventReason.exitingForce.code: (.exited, .force)
    case EventReason.exitingSkip.code: (.exited, .skip)
    default: nil
    }
  }
}

/// A request, with everything that a policy or an app's own controller is told of it.
struct RequestInput {
  /// The number of the visit in the recording; 0 if the request was inserted.
  var visit: UInt32 = 0
  var state: StateName
  /// The number of the first recorded visit of the same object; 0 if it has none.
  var instance: UInt32 = 0
  var priority: Int32 = 0
  var equality: UInt32?
  var answers: UInt64 = 0
  var objection: Objection?
  var asked: StateName?
  /// The recorded number of the visit that makes the request.
  var origin: UInt32 = 0
  var payload: String?

  /// A request for this state, without an origin.
  init(_ state: StateName) { self.state = state }

  /// The request that an event records; `nil` if its state has no name.
  init?(_ event: RecordedEvent, names: RecordedNames) {
    guard let state = names[event.row.state] else { return nil }
    self.init(state)
    (visit, instance, payload) = (event.row.visit, event.instance, event.payload)
    guard let detail = event.detail else { return }
    (priority, equality, answers) = (detail.priority, detail.equality, detail.answers)
    (objection, asked) = (Objection(rawValue: detail.objection), names[detail.asked])
    origin = detail.origin
  }
}

extension Request {
  fileprivate init?(_ event: RecordedEvent, names: RecordedNames) {
    guard let state = names[event.row.state] else { return nil }
    let detail = event.detail
    let usual = event.instance << 1
    self.init(
      visit: VisitNumber(event.row.visit), state: state, priority: detail?.priority ?? 0,
      equality: detail?.equality ?? usual, answers: detail?.answers ?? 0,
      objection: detail.flatMap { Objection(rawValue: $0.objection) })
  }
}
