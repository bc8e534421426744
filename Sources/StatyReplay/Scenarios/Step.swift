public import Staty

/// One choice of what happens next in a ``Scenario``.
///
/// A step names requests, not visits, so that it keeps its meaning when other requests are removed.
public enum Step: Hashable, Sendable {
  /// The request or the cancellation with this number is made, or the message is received.
  case make(Int)
  /// The state of this request reports that it has entered or exited, and whether this was done to the
  /// end, such as an animation.
  case complete(Completion, Int, finished: Bool = true)
  /// A deferred step of a controller runs.
  case deferred(Deferred)
  /// The view that this controller shows its states on is bound.
  case bind(Int32)
  /// The state of this request exits by itself.
  case exitByItself(Int)
  /// The state of this request reports a completion again.
  case `repeat`(Completion, Int)
  /// The state of this request exceeds its deadline.
  case deadline(Completion, Int)

  /// A deferred step, named by what its controller was handling when it deferred the step.
  public struct Deferred: Hashable, Sendable {
    /// The controller.
    public var controller: Int32
    /// What the controller was handling.
    public var kind: TransitionEvent.Kind?
    /// The request of the visit that the controller was handling; 0 if it is none of the scenario.
    public var request: Int
    /// How many steps were deferred in the same situation before.
    public var number: Int
  }

  /// The request that it is about; `nil` if it is about none.
  ///
  /// - Parameter scenario: says which numbers are cancellations and messages.
  package func request(in scenario: Scenario) -> Int? {
    switch self {
    case .make(let id): scenario.request(numbered: id)?.id
    case .complete(_, let id, _), .exitByItself(let id), .repeat(_, let id), .deadline(_, let id):
      id
    case .deferred(let step): step.request == 0 ? nil : step.request
    case .bind: nil
    }
  }
}

extension Step {
  /// The same report, done to the end or not; `nil` if it is no report.
  package var otherwiseFinished: Step? {
    guard case .complete(let completion, let id, let finished) = self else { return nil }
    return .complete(completion, id, finished: !finished)
  }
}

/// In which order things happen in a scenario: its steps, first to last.
public typealias Schedule = [Step]
