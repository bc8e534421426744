/// The discipline that decides which visit enters and exits when.
///
/// A policy is a plain value: it is told signals and answers with commands, and has no clock,
/// no thread, no callback. A copy of it is a snapshot. The live controller, the replayer and the
/// explorer all drive the same value, so what was seen once can be seen again.
///
/// A policy keeps the promise of the stage: a visit is told to enter at most once, told to leave
/// only after it has come in or where a deadline skips it, and told nothing after it has left or was
/// discarded.
public protocol TransitionPolicy: Hashable, Sendable {
  /// The name by which recordings and commands call this policy.
  static var name: StateName { get }

  /// The order that its controllers keep to; by default ``Discipline/inOrder``.
  static var discipline: Discipline { get }

  /// Takes in what happened and appends what is to be done about it.
  ///
  /// - Returns: whether a completion fitted. Anything but a completion fits.
  mutating func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit

  /// The request that is on the stage, or the last one that was.
  var current: Request? { get }

  /// How far the current visit is.
  var phase: Phase { get }

  /// The request that this one would follow if it were admitted now.
  func predecessor(of request: Request) -> Request?

  /// Everything that the policy knows, in the order in which it would happen.
  var snapshot: PolicySnapshot { get }

  /// A policy that goes on where the snapshot was taken.
  init(restoring snapshot: PolicySnapshot)

  /// A policy at its beginning, with an open stage.
  init()
}

extension TransitionPolicy {
  public static var discipline: Discipline { .inOrder }
}

/// What a policy can be told.
public enum Signal: Hashable, Sendable {
  /// Somebody asks for a state.
  case requested(Request)
  /// The state of a visit says that it is in.
  case entered(VisitNumber)
  /// The state of a visit says that it is out.
  case exited(VisitNumber)
  /// Somebody cancelled.
  case cancelled(Cancellation)
  /// The visit took too long: to come in, or to leave.
  case deadline(VisitNumber, Completion, DeadlineRecovery)
  /// From now on visits can enter: what they are shown on is there.
  case resumed
}

/// Whether a completion fitted what the policy waits for.
public enum Fit: Hashable, Sendable {
  /// It did.
  case fits
  /// It did not, and changed nothing.
  case stray
}

/// What a policy can decide.
public enum Command: Hashable, Sendable {
  /// The visit's state is to come in.
  case enter(Request)
  /// The visit's state is to leave.
  case exit(VisitNumber)
  /// The visit is not shown, or no longer waited for.
  case discard(VisitNumber, DiscardReason)
}

/// How far a visit on the stage is.
public enum Phase: UInt8, Hashable, Sendable {
  /// Nothing has been on the stage yet.
  case empty
  /// It was told to come in.
  case entering
  /// It is in.
  case entered
  /// It was told to leave.
  case exiting
  /// It has left, and stays readable as the last one.
  case left
}

/// A policy's knowledge in a form that all policies share.
public struct PolicySnapshot: Hashable, Sendable {
  /// One visit on the stage.
  public struct Standing: Hashable, Sendable {
    /// Its request.
    public var request: Request
    /// How far it is.
    public var phase: Phase
    /// Whether it will be told to leave as soon as it is in.
    public var leavesOnArrival: Bool

    /// A visit on the stage with these properties.
    public init(request: Request, phase: Phase, leavesOnArrival: Bool = false) {
      self.request = request
      self.phase = phase
      self.leavesOnArrival = leavesOnArrival
    }
  }

  /// Who is on the stage; the current visit is the last.
  public var standing: [Standing] = []
  /// Who waits, next first.
  public var waiting: [Request] = []
  /// Whether enters are held back until the target is there.
  public var isWithholding = false
  /// Whether the controller has been torn down.
  public var isTornDown = false
  /// The routes that requests are held to, if they are.
  public var routes: RouteTable?

  /// The snapshot of a policy at its beginning.
  public init() {}
}
