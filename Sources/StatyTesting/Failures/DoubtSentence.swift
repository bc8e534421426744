extension ReplayDoubt {
  /// Why a test is inconclusive, and what to do about it.
  var sentence: String {
    switch self {
    case .cannotBeTold:
      "What made the controller has no way of telling it that somebody cancels. Hand `cancel` over "
        + "where it is made a subject of."
    case .untoldMessage(_, let seq, let name, let why):
      "The message '\(name)' of event \(seq) cannot be told again: \(why.reason). "
        + why.advice(name)
    case .runaway: "The controller goes on and on by itself. Look there for a loop."
    case .unsettled:
      "The controller had not come to rest when its time was over. Look there for something that "
        + "asks again for what it just did."
    case .unknownController(_, let policy):
      "The scenario has a controller of the kind '\(policy)', which the registry does not make."
    case .notMade(_, let reason): "The controller could not be made: \(reason)."
    case .lateAttachment:
      "The scenario begins with the controller at work, which cannot be taken up from outside."
    case .overlappingHandling:
      "The controller was told of something while it handled something else on another thread."
    case .hiddenInput:
      "Two runs of the same steps differ: the controller asks something beside its inputs. Hand that "
        + "in from outside."
    case .outgrown: "More and more waits at the controller that the steps do not ask for."
    case .unbracketed(_, let seq, .controller):
      "The recording does not say in which call event \(seq) happened. Record with the closures of the "
        + "probe's methods."
    case .unbracketed(_, let seq, .call):
      "The controller called something without a bracket, which led to event \(seq). Bracket the call with "
        + "`probe.calling`, or make what it calls in the registry's factory."
    case .unbracketed(_, let seq, .tooWide):
      "The controller did more in a bracket than the call, which led to event \(seq). Move that out of it."
    case .unbracketed(_, let seq, .unreported):
      "The controller did what event \(seq) says about nothing that it reported. Report inputs with "
        + "`received`, `requested` and `told`, and steps that are put off with `deferred`."
    case .unmet(_, let seq, let code):
      "The recording breaks the rule '\(code.rawValue)' in event \(seq), and no order that was searched does: "
        + "something is left out. See whether the recording replays."
    case .cannotBePlaced(_, let seq):
      "Event \(seq) happened in a call that the controller makes, where a search cannot tell it. Make what is "
        + "called in the registry's factory."
    case .gap(_, let seq): "Events are missing from the recording from \(seq) on."
    case .misplaced(let seq, let cause):
      "Event \(seq) of the recording is said to have happened inside event \(cause), which was over."
    case .unreadable(let seq):
      "Event \(seq) of the recording says something that no version has written."
    case .unanswered(let seq, _, _):
      "A state was told something in event \(seq) of the recording and never answered; whether it "
        + "would, nobody knows."
    case .nothingToCompare: "Nothing that the controller decided was recorded."
    case .nothingPlayed: "The controller decided nothing, so that it breaks no rule says nothing."
    }
  }
}
