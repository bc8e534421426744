extension RuleCode {
  /// The rule in one sentence, which is also the text of the reference.
  public var sentence: String {
    switch self {
    case .enteredDiscarded: "A visit that was discarded or cancelled does not enter."
    case .exitBeforeEnter: "A visit is told to exit only after it has entered."
    case .overlap:
      "One visit at a time is on the stage, unless the controller's discipline shows several."
    case .doubleEnter:
      "A visit is told to enter once; where only `entered` is recorded, it enters once."
    case .doubleExit:
      "A visit is told to exit once and reports its exit once; a second exit has no effect."
    case .neverEntered:
      "A pending visit is told to enter once nothing is in its way; `never-arrived` is about one that was "
        + "told. Where visits exit by themselves, as alerts do, and are never told to, it is a note."
    case .neverArrived:
      "A visit that was told to enter reports that it has entered; `never-entered` is about one that was not told."
    case .neverExited: "A visit that was told to exit reports that it has exited."
    case .outOfOrder:
      "Visits enter in the order of their requests, or the most urgent first, as the discipline says; on a "
        + "stack the one on top exits first."
    case .undeclaredTransition:
      "Where routes are declared, a visit enters only if one leads to it from what was shown before."
    case .staleRequest: "A state makes requests only until it has exited."
    case .slowEnter: "A state that is told to enter enters soon."
    case .slowExit: "A state that is told to exit exits soon."
    case .reentrantRequest:
      "No request is made while the controller is telling a state to enter or to exit."
    case .overlappingHandling:
      "No other thread calls the controller while it handles an input."
    case .lateAnswer:
      "An answer changes nothing once a newer message of the same name, or with an answer of the same "
        + "name, was answered, nor once a message from outside has changed the name of the state. If only "
        + "something else came in between, such as another answer, or if a call goes on changing the track, as "
        + "the reader of a stream does, it is a note."
    case .invariant:
      "A condition of the app's own holds, which the registry gives with the model; only a replay can see it."
    case .doublePush:
      "An element is not put on a path right above an equal one, nor above one of the same name that has "
        + "just come."
    case .mirror:
      "Two tracks that mirror each other show the same whenever neither has moved for the declared time."
    case .askedTwice: "A message is sent again only after it was answered."
    case .answeredTwice: "A message is answered once by messages of one name."
    case .neverAnswered:
      "A message of the user's is answered if other messages of its name are."
    case .aliveTwice:
      "Two tracks of one name are not there at the same time: a screen has one model, unless it is one of many."
    case .neverReceived: "A message that was sent to a track is received."
    case .neverLeft:
      "A state that was declared to be left again is not shown any more when the recording ends."
    case .uncausedChange: "A track that records messages changes only in the handling of one."
    }
  }
}
