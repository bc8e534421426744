public import Staty

/// One choice of what happens next in a ``Scenario``.
///
/// It names requests and not visits, so that it means the same when other requests are taken out.
public enum Step: Hashable, Sendable {
  /// The request or the cancellation with this number is made.
  case make(Int)
  /// The state that this request asked for says that it has done what it was told.
  case say(Completion, Int)
  /// A step runs that a controller had put off.
  case putOff(PutOff)
  /// What this controller shows its states on is there.
  case bind(Int32)
  /// The state that this request asked for exits by itself.
  case leave(Int)
  /// It says again what it has said.
  case `repeat`(Completion, Int)
  /// It took longer than it was given.
  case deadline(Completion, Int)

  /// A step that a controller puts off, named by what it was put off in.
  public struct PutOff: Hashable, Sendable {
    /// The controller.
    public var controller: Int32
    /// What the controller was handling.
    public var kind: TransitionEvent.Kind?
    /// The request to whose visit that happened; 0 if to none that was asked for.
    public var request: Int
    /// How many steps were put off in the like before.
    public var number: Int
  }

  /// The request that it is about; `nil` if it is about none.
  ///
  /// - Parameter scenario: says which numbers are cancellations.
  package func request(in scenario: Scenario) -> Int? {
    switch self {
    case .make(let id): scenario.request(id)?.id
    case .say(_, let id), .leave(let id), .repeat(_, let id), .deadline(_, let id): id
    case .putOff(let step): step.request == 0 ? nil : step.request
    case .bind: nil
    }
  }
}

/// In which order things happen in a scenario: its steps, first to last.
public typealias Schedule = [Step]
