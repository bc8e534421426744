package import Staty

/// The meaning of events, in sentences: the text of the reference.
extension EventKind {
  /// What happened.
  package var sentence: String {
    switch self {
    case .attached: "Recording of the controller begins; the event has a snapshot of it."
    case .detached: "Recording of the controller ends."
    case .enqueued: "A request was made."
    case .entering: "The controller told a state to enter."
    case .entered: "A state has entered."
    case .exiting: "The controller told a state to exit."
    case .exited: "A state has exited."
    case .discarded: "The controller will not show the state, or no longer waits for it."
    case .stray: "A completion came that was not expected."
    case .cancelled: "One visit or all were cancelled, or the controller was torn down."
    case .deadline: "A state took longer than it was given."
    case .resumed: "A deferred step ran; its cause is the event that deferred it."
    case .mark: "A note of the app."
    case .lost: "Events are missing here."
    case .calling: "An app's own controller called other code; its `state` is the name of the call."
    case .stood:
      "After `attached`: a visit that was open when recording began, or the last that was shown."
    case .moved: "A track's value changed: one visit ends and the next begins."
    case .received:
      "A message reached a track or a probe; its `state` is the message's name, and its `payload` what was recorded of it."
    }
  }

  /// Whether the controller is told the event or decides it, in a word; empty if neither.
  package var sideText: String {
    switch side {
    case .input: "input"
    case .output: "output"
    case .note: ""
    }
  }
}

extension EventReason {
  /// What the reason adds to the kind.
  package var sentence: String {
    switch self {
    case .rejected: "The request was not allowed."
    case .replaced: "A newer request took its place."
    case .coalesced: "The request before it is equal."
    case .cancelled: "One visit or all were cancelled, or the controller was torn down."
    case .timedOut: "It took longer than it was given."
    case .tornDown: "The controller or its target was torn down."
    case .strayEntered: "It reported that it had entered."
    case .strayExited: "It reported that it had exited."
    case .continues: "Its recording continues in the next session."
    case .cancelledVisit: "One visit was cancelled."
    case .cancelledAll: "Every open visit was cancelled."
    case .cancelledTearDown: "The controller was torn down."
    case .enteringReport: "Entering did, and that is only reported."
    case .enteringForce: "Entering did; the controller goes on as if the state had entered."
    case .enteringSkip: "Entering did; the controller gives the visit up."
    case .exitingReport: "Exiting did, and that is only reported."
    case .exitingForce: "Exiting did; the controller goes on as if the state had exited."
    case .exitingSkip: "Exiting did; the controller gives the visit up."
    case .stoodWaiting: "It was waiting."
    case .stoodEntering: "It had been told to enter."
    case .stoodEntered: "It had entered."
    case .stoodExiting: "It had been told to exit."
    case .stoodExited: "It had exited, and no other had been shown since."
    case .movedPush: "It was put on top of a path; what lies below stays."
    case .movedPop: "It was on top of a path and was taken away."
    default: ""
    }
  }
}
