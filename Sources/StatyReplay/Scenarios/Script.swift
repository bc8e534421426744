import Staty
import StatyHistory

/// Everything that controllers are told in a what-if replay, taken from a recording.
///
/// An input from outside happens at its recorded time. An input that follows from something else
/// depends on a ``Moment``, and happens after that moment, if the moment happens.
struct Script {
  /// The beginning or the end of a controller's recording.
  struct Entrance {
    let controller: Int32
    /// The recorded time.
    let recordedTime: Int64
    let seq: Int64
    let isEnd: Bool
    /// Whether it ends only because the next session goes on with it.
    var goesOn = false
    /// When it happens: never after the first thing that the controller is told.
    var time: Int64
  }

  /// When controllers are attached and detached.
  var entrances: [Entrance] = []
  /// The inputs that happen at a time.
  var timed: [ScriptCue] = []
  /// The inputs that depend on a moment.
  var hung: [Moment: [ScriptCue]] = [:]
  /// The inputs that came in an outward call of a controller; visits stand there for requests.
  var called: [Scenario.Call: [ScriptCue]] = [:]
  /// The inputs that came in the handling of a message by another controller, by the message's number.
  var within: [Int64: [ScriptCue]] = [:]
  /// The recorded moments at which a state was told something.
  var told: Set<Moment> = []
  /// The moments among them at which the state was told in its turn, and when.
  var toldInTurn: [Moment: Int64] = [:]
  /// The moments that a state does not answer, and the edit that asks for that.
  var silenced: [Moment: Edit] = [:]
  /// The recorded delays of the steps that were deferred at a moment, as they ran.
  var steps: [Moment: [Deferred]] = [:]
  /// The visits that an opaque controller requested by itself, first to last.
  var ownRequests: [OwnRequest: [UInt32]] = [:]
  /// The moments at which an opaque controller reported in its state's place.
  var spokenFor: Set<Moment> = []
  /// The visits that were told to exit and waited for their user.
  var awaitingUser: Set<VisitKey> = []
  /// The messages in whose handling a track moved, perhaps to the same value.
  var moving: Set<Int64> = []
  /// Those among them in whose handling it came to another name.
  var changing: Set<Int64> = []
  /// How often each track moved.
  var moves: [Int32: Int] = [:]
  /// How long states took.
  var durations = LawfulDurations()
  /// The first message of each controller that answers one of a controller that is not played.
  var unplayed: [Int32: Int64] = [:]
  /// That messages are not sent, because what they answer is skipped.
  var unasked: [Assumption] = []
  /// Why it is less complete than the recording should allow.
  var doubts: [ReplayDoubt] = []

  /// A deferred step of a controller.
  struct Deferred {
    /// Which of the controller's steps it is; 0 if that is not known.
    let number: UInt32
    /// How long after the moment it ran.
    var delay: Int64
    let seq: Int64
    /// The edits of this step.
    let edits: [Edit]
  }

  /// What distinguishes the requests that a controller made by itself.
  struct OwnRequest: Hashable {
    let controller: Int32
    let state: StateName
  }
}

/// A visit, named by its number and that of its controller in a file.
struct VisitKey: Hashable {
  let controller: Int32
  let visit: UInt32
}

/// An event of a visit that inputs can depend on.
///
/// It names the visit by its recorded number, whatever its number in a replay.
struct Moment: Hashable {
  let controller: Int32
  /// 0 for a deferred step of the controller, which is about no visit.
  let visit: UInt32
  let kind: EventKind

  init(controller: Int32, visit: UInt32, kind: EventKind) {
    (self.controller, self.visit, self.kind) = (controller, visit, kind)
  }

  /// The moment of this kind in the life of an event's visit.
  init(_ row: EventRow, _ kind: EventKind) {
    self.init(controller: row.controller, visit: row.visit, kind: kind)
  }

  /// Whether inputs can depend on events of this kind.
  static func isOne(_ kind: EventKind) -> Bool {
    switch kind {
    case .enqueued, .entering, .entered, .exiting, .exited, .discarded: true
    default: false
    }
  }
}

/// An input: something that a controller is told.
struct ScriptCue {
  enum Action {
    case request(RequestInput)
    /// The state of the visit reports something, done to the end or not; `nil` if that is not told.
    case complete(Completion, UInt32, Role, isFinished: Bool?)
    case cancel(Cancellation)
    /// A message, with its recorded payload, and the number of the message that it answers; 0 if
    /// that is not known.
    case receive(StateName, String?, answering: Int64)
    /// Told only if the visit has not reported the awaited completion.
    case deadline(UInt32, Completion, DeadlineRecovery)
    /// A controller that had no target is given one.
    case resume

    /// Whether it is a request, a message or a cancellation.
    var isMade: Bool {
      switch self {
      case .request, .receive, .cancel: true
      case .complete, .deadline, .resume: false
      }
    }
  }

  /// What a state's report means.
  enum Role {
    /// It answers a call.
    ///
    /// A call that came too early says nothing about the usual time of an answer.
    case answer(isLawful: Bool)
    /// It exits by itself.
    case exitByItself
    /// It reports a completion again, or out of place.
    case stray
  }

  /// The number of the recorded event; `nil` if the input was inserted.
  let seq: Int64?
  /// The number that orders it among inputs at the same time.
  let place: Int64
  let controller: Int32
  let action: Action
  /// Microseconds after the moment that it depends on, or since the session began.
  var delay: Int64
  /// Whether it happens inside of the moment.
  var isInside = false
  /// The edits of this input.
  var edits: [Edit] = []
  /// The outward call that it came in, if it did.
  var call: Scenario.Call?
  /// The message in whose handling by another controller it came; 0 if it did not.
  var message: Int64 = 0
  /// The place in the code and the thread that made it, if recorded.
  var site: Int32 = 0
  var thread: UInt8 = 0
}
