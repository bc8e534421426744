/// One thing that happened at a controller.
///
/// An event is a plain value without references, so that it can be copied into a recorder's
/// memory as it is. Which fields say something depends on the kind.
public struct TransitionEvent: Sendable {
  /// What happened.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// Recording of the controller begins; a snapshot of it goes with this event.
    case attached = 1
    /// Recording of the controller ends.
    case detached
    /// A request was made.
    case enqueued
    /// The controller told a state to come in.
    case entering
    /// A state says that it is in.
    case entered
    /// The controller told a state to leave.
    case exiting
    /// A state says that it is out.
    case exited
    /// The controller will not show the state, or no longer waits for it.
    case discarded
    /// A completion came that fits nothing.
    case stray
    /// Somebody cancelled one visit, all of them, or tore the controller down.
    case cancelled
    /// A state took longer than it was given.
    case deadline
    /// A step that the controller had put off ran.
    case resumed
    /// A note of the app's own.
    case mark
    /// Events are missing here.
    case lost
    /// An app's own controller called out, such as to its delegate.
    case calling
    /// After `attached`: a visit that was open then, or the last that was shown.
    case stood
    /// A track's value changed: one visit ends and the next begins.
    case moved
    /// A message reached a track or a probe, such as an action, a tap or a response.
    case received
  }

  /// The event's number: larger than that of everything that happened before it.
  ///
  /// As long as a recorder is attached its numbers are the recorder's, one sequence for all the
  /// controllers it serves; else they are the controller's own.
  public var number: UInt64

  /// The innermost place of the thread that made it.
  public var inside: EventPlace

  /// The number of the event that caused this one, if that is another than the event of the place; 0
  /// else.
  ///
  /// A decision has the input that it was made about, a step that was put off the event in whose
  /// handling that was done, and an answer the message that it answers.
  public var ownCause: UInt64

  /// Nanoseconds of a clock that goes on while the machine sleeps.
  public var time: UInt64

  /// What happened.
  public var kind: Kind

  /// The visit it happened to, if it happened to one.
  public var visit: VisitNumber?

  /// The visit's state.
  public var state: StateName?

  /// The number of the first visit that was made with the same state object.
  public var instance: VisitNumber?

  /// What else the kind has to say.
  public var detail: Detail

  /// What an event says beyond its visit.
  public enum Detail: Hashable, Sendable {
    /// Nothing.
    case none
    /// With `enqueued`: how it was asked for.
    case request(RequestDetail)
    /// With `discarded`: why.
    case discard(DiscardReason)
    /// With `stray`: which completion it was.
    case completion(Completion)
    /// With `cancelled`: how much of the controller.
    case cancellation(Cancellation)
    /// With `deadline`: what was being done, and what the controller does about it.
    case deadline(Completion, DeadlineRecovery)
    /// With `resumed`: which of the controller's steps, counted from 1 as they were put off.
    case step(UInt32)
    /// With `received`: whether anything of the message is recorded beyond its name;
    /// ``EventSource/payload(ofMessage:)`` finds it.
    case message(hasPayload: Bool)
    /// With `moved`: how the path of a ``StackTrack`` changed.
    case change(StackChange)
  }

  /// An event with these fields.
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
  /// The number of the event that this one happened because of: its own cause, else the event of the
  /// place; 0 if there is none.
  public var cause: UInt64 { ownCause != 0 ? ownCause : inside.event }

  /// Whether observers did it when they were told of the cause.
  ///
  /// Only said of what a controller is told.
  public var isHeard: Bool {
    inside.part == .observed && ownCause == 0 && kind.side == .input
  }
}

extension TransitionEvent.Kind {
  /// Which way an event goes, seen from the controller.
  public enum Side: Sendable {
    /// Something that the controller is told.
    case input
    /// Something that the controller decided.
    case output
    /// Neither.
    case note
  }

  /// Whether the controller is told this kind of event or decides it.
  public var side: Side {
    switch self {
    case .attached, .detached, .enqueued, .entered, .exited, .stray, .cancelled, .deadline,
      .resumed, .received:
      .input
    case .entering, .exiting, .discarded, .calling, .moved: .output
    case .mark, .lost, .stood: .note
    }
  }
}

/// How a visit was asked for.
public struct RequestDetail: Hashable, Sendable {
  /// What the policy was told.
  public var request: Request
  /// What was asked for, if that was a contextual destination such as `previous`.
  public var asked: StateName?
  /// The visit whose code asked, if that is known.
  public var origin: VisitNumber?
  /// Where in the code it was asked, if that is known.
  public var site: RequestSite?
  /// Whether the state wants anything recorded beyond its name; ``EventSource/payload(of:)`` finds
  /// it.
  public var hasPayload: Bool

  /// The detail with these parts.
  init(
    request: Request, asked: StateName? = nil, origin: VisitNumber? = nil, site: RequestSite?,
    hasPayload: Bool = false
  ) {
    self.hasPayload = hasPayload
    self.request = request
    self.asked = asked
    self.origin = origin
    self.site = site
  }
}

/// A place in the code.
public struct RequestSite: Hashable, Sendable, CustomStringConvertible {
  /// The file, as `#fileID` names it.
  public let file: StaticString
  /// The line in the file.
  public let line: UInt32

  /// The place in this file at this line.
  package init(file: StaticString, line: UInt) {
    self.file = file
    self.line = UInt32(clamping: line)
  }

  /// File and line with a colon between them.
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
  /// An element was put on top; what lies below stays.
  case pushed = 1
  /// The element on top was taken away.
  case popped
}

/// One of the two things that a state says.
public enum Completion: UInt8, Hashable, Sendable {
  /// It is in.
  case entered = 1
  /// It is out.
  case exited
}
