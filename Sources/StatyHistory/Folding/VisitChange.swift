package import Staty

/// An event, with what was known of its visit and its controller just before it.
package struct VisitChange {
  /// The state of knowledge about the event's visit.
  package enum Subject: Sendable {
    /// The event has no visit, or nothing certain is known of it.
    case uncertain
    /// It was requested and is not over.
    case open
    /// It is over.
    case gone
  }

  package private(set) var row = EventRow(seq: 0, time: 0, kind: .mark)
  package private(set) var discipline = Discipline.inOrder
  package private(set) var fidelity = Fidelity.full
  /// Whether the controller's fidelity is known.
  package private(set) var isVerified = true
  /// Whether the controller is a track that does not say what it showed when its recording began.
  package private(set) var isUnheard = false
  package internal(set) var subject = Subject.uncertain
  /// The visit before the event; only if it was open.
  package internal(set) var visit = OpenVisit()
  /// What had happened to it, if it was over and that is still known.
  package internal(set) var past: VisitPast?
  /// Another visit on the stage, or 0.
  ///
  /// At `exiting` of a stack: the highest visit that lies over it and was not told to exit.
  package internal(set) var other: UInt32 = 0
  package internal(set) var otherState: Int32 = 0
  /// The state that was shown before, if no declared route leads from there; -1 if one does.
  package internal(set) var undeclaredFrom: Int32 = -1
  /// The visit that made the request, if it was over; otherwise 0.
  package internal(set) var goneOrigin: UInt32 = 0
  /// Whether events may have been lost since the controller's last event.
  package internal(set) var hasLost = false
  /// Whether it is the first known event of its visit.
  package internal(set) var begins = false
  /// The outcome in the row of its visit, if the visit ended with this event.
  package internal(set) var outcome: UInt8?
  /// The visit that ended because a track moved on; 0 if none did.
  package internal(set) var left: UInt32 = 0
  /// What is worth a look about the messages of its track, and has become certain with this event.
  package internal(set) var remarks: [TrackRemark] = []
  /// What lies right below a visit that comes on a path or a stack.
  package internal(set) var below: VisitBelow?
  /// The other tracks that should show the same as its track; only at its first event.
  package internal(set) var mirrors: [TrackMirror] = []
  /// Whether its state is that of an optional that holds nothing; only of a track with a mirror.
  package internal(set) var isNothing = false
  /// The place of its controller in the fold.
  package private(set) var place = 0

  /// Starts over with another event of a controller.
  mutating func begin(_ row: EventRow, _ controller: borrowing ControllerVisits, hasLost: Bool) {
    self.row = row
    discipline = controller.discipline
    fidelity = controller.fidelity
    isVerified = controller.isVerified
    isUnheard = controller.isUnheard
    place = controller.place
    self.hasLost = hasLost
    subject = .uncertain
    begins = false
    outcome = nil
    past = nil
    (other, otherState, undeclaredFrom, goneOrigin, left) = (0, 0, -1, 0, 0)
    below = nil
    if !remarks.isEmpty { remarks = [] }
    if !mirrors.isEmpty { mirrors = [] }
    isNothing = false
  }
}

/// The visit right below one that comes on a path or a stack.
package struct VisitBelow: Sendable {
  package let visit: UInt32
  package let state: Int32
  /// Whether it is the same element of a path.
  package let isSame: Bool
  /// Whether it has not entered yet.
  package let isEntering: Bool
  /// The event in which it came.
  package let came: OpenVisit.Point
  /// The message in whose handling it was pushed; 0 if that is not known.
  package let inside: Int64
}

/// An open visit at the end of what is known.
package struct VisitEnding {
  package let visit: OpenVisit
  package let controller: Int32
  /// The place of its controller in the fold.
  package let place: Int
  package let discipline: Discipline
  package let fidelity: Fidelity
  /// Whether a visit on the stage is entering or exiting.
  package let isStageBusy: Bool
  /// Whether what is on the stage is known.
  package let isStageKnown: Bool
  package let isWithholding: Bool
  /// Whether recording ended while nothing was under way, and the controller does nothing by
  /// itself: then nothing more follows.
  package let isSettled: Bool
  /// Whether its controller has acted outside of an input, as in a task of its own.
  package let actsOutsideInputs: Bool
  /// Whether its controller has let others wait for longer before a deferred step let them enter.
  package let mayPause: Bool
  /// Whether visits of its controller exit by themselves, and it makes no room for those that wait.
  package let waitsForExits: Bool
  /// The event since which the stage is not busy.
  package let stageFree: OpenVisit.Point
  /// The visit that entered the stage last, if it is still there; otherwise 0.
  package let current: UInt32
  /// The same, if it has entered.
  package let shown: UInt32
  package let shownState: Int32
  /// Whether that one had been told to exit before it was told to enter.
  package let wasToldEarly: Bool
  /// Whether its state was declared to be left again.
  package let isTransient: Bool
  /// Whether the recording of its controller has ended.
  package let isDetached: Bool
  /// The time of the last event of the session, or of the controller's recording.
  package let time: Int64
}

/// What is known if a session ends.
package struct SessionEnding {
  /// The time up to which the session is known to have run.
  package let time: Int64
  /// Whether no events were lost since the last one of each controller.
  package let isWhole: Bool
  /// The open visits with a known phase.
  package internal(set) var visits: [VisitEnding] = []
  /// What is worth a look about messages of tracks, if nothing follows.
  package internal(set) var remarks: [TrackRemark] = []
}
