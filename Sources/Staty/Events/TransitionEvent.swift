/// One thing that happened in a controller.
///
/// An event is a plain value without references, so that a recorder can copy it into its memory.
/// Which fields are used depends on the kind.
public struct TransitionEvent: Sendable {
  /// What happened.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// Recording of the controller begins. Its snapshot is stored with this event.
    case attached = 1
    /// Recording of the controller ends.
    case detached
    /// A request was made.
    case enqueued
    /// The controller told a state to enter.
    case entering
    /// A state reported that it has entered.
    case entered
    /// The controller told a state to exit.
    case exiting
    /// A state reported that it has exited.
    case exited
    /// The controller will not show the state, or no longer waits for its completion.
    case discarded
    /// A completion that was not expected, such as a second exit.
    case stray
    /// One visit or all visits were cancelled, or the controller was torn down.
    case cancelled
    /// A state exceeded its time limit.
    case deadline
    /// A step that the controller had deferred ran.
    case resumed
    /// A note that the app added.
    case mark
    /// Events are missing here.
    case lost
    /// An app's own controller called other code, such as its delegate.
    case calling
    /// Follows `attached`: a visit that was open at that time, or the last that was shown.
    case stood
    /// A track's value changed: one visit ends and the next begins.
    case moved
    /// A message reached a track or a probe, such as an action, a tap or a response.
    case received
    /// A message was sent to a track, and will be received later.
    case sent
  }

  /// The event's number, which is larger than the numbers of all earlier events.
  ///
  /// While a recorder is attached, all controllers that it records share one sequence of numbers.
  /// Otherwise each controller has its own sequence.
  public var number: UInt64

  /// The innermost call in which the event happened.
  public var inside: EventPlace

  /// The number of the event that caused this one, if it is not the event of ``inside``; otherwise
  /// 0.
  ///
  /// For an output, this is the input that it was decided for. For a deferred step, it is the event
  /// during which the step was deferred. For an answer, it is the message that it answers.
  public var ownCause: UInt64

  /// The time in nanoseconds, from a clock that continues while the machine sleeps.
  public var time: UInt64

  /// What happened.
  public var kind: Kind

  /// The visit that the event is about, if there is one.
  public var visit: VisitNumber?

  /// The visit's state.
  public var state: StateName?

  /// The number of the first visit of the same state object.
  public var instance: VisitNumber?

  /// Further information, depending on the kind.
  public var detail: Detail

  /// Information that only some kinds of events have.
  public enum Detail: Hashable, Sendable {
    /// Nothing.
    case none
    /// With `enqueued`: the request.
    case request(RequestDetail)
    /// With `discarded`: the reason.
    case discard(DiscardReason)
    /// With `stray`: the unexpected completion, and whether it was done to the end, if that was told.
    case completion(Completion, finished: Bool? = nil)
    /// With `exiting`: the state exits only when the user closes it.
    case awaitsUser
    /// With `entered` and `exited`: whether it was done to the end.
    case finished(Bool)
    /// With `cancelled`: what was cancelled.
    case cancellation(Cancellation)
    /// With `deadline`: the completion that is late, and what the controller does.
    case deadline(Completion, DeadlineRecovery)
    /// With `resumed`: the number of the deferred step, counted from 1 in each controller.
    case step(UInt32)
    /// With `received`: whether the message has a payload, which
    /// ``EventSource/payload(ofMessage:)`` returns, and which part of a model it is about.
    case message(hasPayload: Bool, part: StateName?)
    /// With `moved`: how the path of a ``StackTrack`` changed.
    case change(StackChange)
    /// With `moved`: a hash of what a track shows, which is equal only in this process.
    case showing(UInt32)
  }

  /// Creates an event.
  package init(
    number: UInt64 = 0, inside: EventPlace = .root, cause: UInt64 = 0, time: UInt64 = 0, kind: Kind,
    visit: VisitNumber? = nil, state: StateName? = nil, instance: VisitNumber? = nil,
    detail: Detail = .none
  ) {
    self.number = number
    self.inside = inside
    ownCause = cause == inside.event ? 0 : cause
    self.time = time
    self.kind = kind
    self.visit = visit
    self.state = state
    self.instance = instance
    self.detail = detail
  }
}

extension TransitionEvent {
  /// The number of the event that caused this one: ``ownCause``, or the event of ``inside``; 0 if
  /// there is none.
  public var cause: UInt64 { ownCause != 0 ? ownCause : inside.event }

  /// Whether an observer made this event when it was told of the cause.
  ///
  /// This can be true only for inputs.
  public var isHeard: Bool {
    inside.part == .observed && ownCause == 0 && kind.side == .input
  }
}

extension TransitionEvent.Kind {
  /// The direction of an event, seen from the controller.
  public enum Side: Sendable {
    /// The controller is told something.
    case input
    /// The controller decided something.
    case output
    /// Neither.
    case note
  }

  /// Whether this kind of event is an input of the controller, an output or neither.
  public var side: Side {
    switch self {
    case .attached, .detached, .enqueued, .entered, .exited, .stray, .cancelled, .deadline,
      .resumed, .received:
      .input
    case .entering, .exiting, .discarded, .calling, .moved: .output
    case .mark, .lost, .stood, .sent: .note
    }
  }
}

/// The details of a request.
public struct RequestDetail: Hashable, Sendable {
  /// The request as the policy got it.
  public var request: Request
  /// The contextual destination that was requested, such as `previous`, if there is one.
  public var asked: StateName?
  /// The visit that made the request, if it is known.
  public var origin: VisitNumber?
  /// The call site of the request, if it is known.
  public var site: RequestSite?
  /// Whether the state has a payload, which ``EventSource/payload(of:)`` returns.
  public var hasPayload = false
}

/// A call site in the source code.
public struct RequestSite: Hashable, Sendable, CustomStringConvertible {
  /// The file, in the form of `#fileID`.
  public let file: StaticString
  /// The line in the file.
  public let line: UInt32

  /// Creates a call site.
  package init(file: StaticString, line: UInt) {
    self.file = file
    self.line = UInt32(clamping: line)
  }

  /// The file and the line, separated by a colon.
  public var description: String { "\(file):\(line)" }

  public static func == (one: RequestSite, other: RequestSite) -> Bool {
    one.line == other.line && one.description == other.description
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(line)
  }
}

/// How one event changes the path of a ``StackTrack``.
public enum StackChange: UInt8, Hashable, Sendable {
  /// An element was added on top.
  case pushed = 1
  /// The top element was removed.
  case popped
}

/// What a state reports when it is done.
public enum Completion: UInt8, Hashable, Sendable {
  /// The state has entered.
  case entered = 1
  /// The state has exited.
  case exited
}
