/// A value type that decides when visits enter and exit.
///
/// A policy maps signals to commands. It has no clock, no thread and no callback, and a copy of it
/// is a snapshot. Controllers, replays and searches all use the same policy values, so what
/// happened once can be reproduced.
///
/// Every policy must keep these promises: a visit is told to enter at most once. It is told to exit
/// only after it has entered, or when a deadline skips it. It is told nothing after it has exited
/// or was discarded.
public protocol TransitionPolicy: Hashable, Sendable {
  /// The name of the policy in recordings and commands.
  static var name: StateName { get }

  /// The order in which visits enter; by default ``Discipline/inOrder``.
  static var discipline: Discipline { get }

  /// Handles a signal, and appends the commands to perform.
  ///
  /// - Returns: whether a completion was expected. For other signals, ``Fit/fits``.
  mutating func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit

  /// The current request, or the last one.
  var current: Request? { get }

  /// The phase of the current visit.
  var phase: Phase { get }

  /// Returns the request that a new request would follow.
  func predecessor(of request: Request) -> Request?

  /// Everything that the policy knows.
  var snapshot: PolicySnapshot { get }

  /// Creates a policy that continues from a snapshot.
  init(restoring snapshot: PolicySnapshot)

  /// Creates a policy without any visit, in which visits can enter at once.
  init()
}

extension TransitionPolicy {
  public static var discipline: Discipline { .inOrder }
}

/// An input of a policy.
public enum Signal: Hashable, Sendable {
  /// A state was requested.
  case requested(Request)
  /// The state of a visit has entered.
  case entered(VisitNumber)
  /// The state of a visit has exited.
  case exited(VisitNumber)
  /// One visit or all visits were cancelled, or the controller was torn down.
  case cancelled(Cancellation)
  /// A visit exceeded its time limit to enter or to exit.
  case deadline(VisitNumber, Completion, DeadlineRecovery)
  /// There is a target: visits can enter from now on.
  case resumed
}

/// Whether a policy expected a completion.
public enum Fit: Hashable, Sendable {
  /// The completion was expected.
  case fits
  /// The completion was not expected, and changed nothing.
  case stray
}

/// A decision of a policy.
public enum Command: Hashable, Sendable {
  /// Tell the visit's state to enter.
  case enter(Request)
  /// Tell the visit's state to exit.
  case exit(VisitNumber)
  /// Discard the visit: it is not shown, or its completion is no longer awaited.
  case discard(VisitNumber, DiscardReason)
}

/// The phase of a visit.
public enum Phase: UInt8, Hashable, Sendable {
  /// The state was not told to enter yet, or there is no visit.
  case empty
  /// The state was told to enter.
  case entering
  /// The state has entered.
  case entered
  /// The state was told to exit.
  case exiting
  /// The state has exited; the visit stays available as the last one.
  case exited
}

/// What a policy knows, in a form that all policies share.
public struct PolicySnapshot: Hashable, Sendable {
  /// A visit that is shown.
  public struct Standing: Hashable, Sendable {
    /// The visit's request.
    public var request: Request
    /// The visit's phase.
    public var phase: Phase
    /// Whether the visit will be told to exit when it has entered.
    public var exitsOnceEntered: Bool

    /// Creates a shown visit.
    public init(request: Request, phase: Phase, exitsOnceEntered: Bool = false) {
      self.request = request
      self.phase = phase
      self.exitsOnceEntered = exitsOnceEntered
    }
  }

  /// The visits that are shown; the current one is the last.
  public var standing: [Standing] = []
  /// The pending requests, next first.
  public var waiting: [Request] = []
  /// Whether no visit enters, because there is no target yet.
  public var isWithholding = false
  /// Whether the controller was torn down.
  public var isTornDown = false
  /// The routes that requests are checked against, if there are any.
  public var routes: RouteTable?

  /// Creates the snapshot of a new policy.
  public init() {}
}
