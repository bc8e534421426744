import Staty
import StatyHistory

/// What everybody but the controllers does in a what-if replay, taken from a recording.
///
/// What came from outside comes at its time. What answers to something hangs on the ``Moment`` that
/// it answers to, and comes when that does, if it does.
struct Script {
  /// A controller of the recording comes in, or goes.
  struct Entrance {
    let controller: Int32
    /// The time that was recorded.
    let recordedTime: Int64
    let seq: Int64
    let isEnd: Bool
    /// When it happens: never after the first thing that the controller is told.
    var time: Int64
  }

  /// When controllers come and go.
  var entrances: [Entrance] = []
  /// What comes at its time.
  var timed: [Cue] = []
  /// What comes with a moment.
  var hung: [Moment: [Cue]] = [:]
  /// The moments that were recorded at which a state was told something.
  var told: Set<Moment> = []
  /// Those of them at which it was its turn, and when: nobody else was on the stage, or it was in.
  var toldInTurn: [Moment: Int64] = [:]
  /// The moments to which a state answers nothing, and the edit that wants that.
  var silenced: [Moment: Edit] = [:]
  /// What steps took that were put off in the handling of a moment, first to last.
  var steps: [Moment: [PutOff]] = [:]
  /// The visits that an opaque controller asked for by itself, first to last.
  var ownRequests: [OwnRequest: [UInt32]] = [:]
  /// The moments at which an opaque controller answered in its state's place.
  var spokenFor: Set<Moment> = []
  /// How long states took.
  var durations = LawfulDurations()
  /// Why it says less than the recording should.
  var doubts: [ReplayDoubt] = []

  /// A step that a controller put off.
  struct PutOff {
    /// How long after the moment it ran.
    var delay: Int64
    let seq: Int64
    /// The edits that are about it.
    var edits: [Edit] = []
    /// Whether it was recorded and never runs.
    var isSkipped = false
  }

  /// What tells requests apart that a controller made by itself.
  struct OwnRequest: Hashable {
    let controller: Int32
    let state: StateName
  }
}

/// Something that happens to a visit and that others answer to.
///
/// It is named by the recorded number of the visit, whatever the visit's number in a replay.
struct Moment: Hashable {
  let controller: Int32
  /// 0 for a step of the controller's own, which is about no visit.
  let visit: UInt32
  let kind: EventKind

  /// Whether anything can hang on events of this kind.
  static func isOne(_ kind: EventKind) -> Bool {
    switch kind {
    case .enqueued, .entering, .entered, .exiting, .exited, .discarded: true
    default: false
    }
  }
}

/// Something that somebody does.
struct Cue {
  enum Action {
    case ask(Ask)
    /// The state of the visit says something.
    case say(Completion, UInt32, Role)
    case cancel(Cancellation)
    /// A message comes, with what was recorded of it, and the number of the message that it answers; 0
    /// if that is not known.
    case receive(StateName, String?, answering: Int64)
    /// Told only if the visit is still where it was told to go.
    case deadline(UInt32, Completion, DeadlineRecovery)
    /// A controller that was without a target has one.
    case resume
  }

  /// What it means that a state says something.
  enum Role {
    /// It does what it was told to. What was told too early says nothing of how a state does what
    /// it is told in time.
    case answer(isLawful: Bool)
    /// It exits by itself.
    case leave
    /// It says a thing again, or out of place.
    case stray
  }

  /// The number of the recorded event; `nil` of what was inserted.
  let seq: Int64?
  /// The number after which it comes, if others come at the same time.
  let place: Int64
  let controller: Int32
  let action: Action
  /// Microseconds after the moment that it hangs on, or since the session began.
  var delay: Int64
  /// Whether it comes inside of the moment.
  var isInside = false
  /// The edits that are about it.
  var edits: [Edit] = []
  /// Whether it was recorded and is left out.
  var isSkipped = false
  /// Who did it, as far as it was recorded: the place in the code, and the thread.
  var site: Int32 = 0
  var thread: UInt8 = 0
}

/// A request, with everything that a policy or an app's own controller is told of it.
struct Ask {
  /// The number that the visit has in the recording; 0 of one that was inserted.
  var visit: UInt32 = 0
  var state: StateName
  /// The number of the first recorded visit of the same object; 0 if it has none.
  var instance: UInt32 = 0
  var priority: Int32 = 0
  var equality: UInt32?
  var answers: UInt64 = 0
  var objection: Objection?
  var asked: StateName?
  /// The recorded number of the visit whose code asks.
  var origin: UInt32 = 0
  var payload: String?

  /// A request for this state, by nobody in particular.
  init(_ state: StateName) { self.state = state }
}
