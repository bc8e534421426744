import Staty
import StatyHistory

/// An event together with what the model knew when it happened: what rules judge.
struct Moment {
  /// What is known of the event's visit.
  enum Subject: UInt8 {
    /// The event has no visit, or nothing certain is known of it.
    case uncertain
    /// It was asked for and is not over.
    case open
    /// It is over.
    case gone
  }

  var row: EventRow
  var discipline: Discipline
  var fidelity: Fidelity
  /// How long a state may take to leave.
  var slowExit: Int64 = 0
  var subject = Subject.uncertain
  /// The visit as it was before the event, if it was open.
  var visit = VisitRecord()
  /// What had become of it, if it was gone and that is still known.
  var past: VisitPast?
  /// Another visit on the stage; 0 if there was none.
  var other: UInt32 = 0
  var otherState: Int32 = 0
  /// The state that was shown before, if no declared route leads from there; -1 if one does.
  var undeclaredFrom: Int32 = -1
  /// The visit whose code made the request, if it was gone; 0 if not.
  var goneOrigin: UInt32 = 0
  /// The event in whose handling this one happened; its kind is 0 if it is not known.
  var cause = RecentEvents.Event()
  /// The input without cause that another thread made in between; its number is 0 if none did.
  var intruder = RecentEvents.Event()

  /// A finding whose guilty event is this one.
  func finding(_ code: RuleCode, _ facts: Finding.Facts = .init()) -> Finding {
    Finding(
      code, seq: row.seq, controller: row.controller, visit: row.visit, state: row.state, facts)
  }
}

/// An open visit at the end of what is known so far: what rules judge that only the end shows.
struct Ending {
  var visit: VisitRecord
  var controller: Int32
  var discipline: Discipline
  var fidelity: Fidelity
  /// Whether somebody on the stage is coming in or leaving.
  var isStageBusy: Bool
  /// Whether what is on the stage is known.
  var isStageKnown: Bool
  var isWithholding: Bool
  /// Since when the stage has not been busy.
  var stageFree: VisitRecord.Moment
  /// The last input without cause.
  var lastTopInput: Int64
  /// The visit that came onto the stage last, if it is still there; 0 if not.
  var current: UInt32
  /// The same, if it is in.
  var shown: UInt32
  var shownState: Int32
  /// The time of the last event of the session, or of the controller's recording.
  var time: Int64
  var patience: Int64

  /// A finding whose guilty event is this one of the visit.
  func finding(
    _ code: RuleCode, _ guilty: VisitRecord.Moment, _ facts: Finding.Facts = .init()
  ) -> Finding {
    Finding(
      code, seq: guilty.seq, controller: controller, visit: visit.visit, state: visit.state, facts)
  }
}
