extension Finding {
  /// Describes what went wrong, in one sentence.
  ///
  /// - Parameter name: returns the text of a name by its number. A state without a name is
  ///   described by its visit alone.
  public func detail(naming name: @escaping (Int32) -> String?) -> String {
    let words = Words(finding: self, name: name)
    return words.sentence
  }
}

/// Describes a finding in words.
private struct Words {
  let finding: Finding
  let name: (Int32) -> String?

  private var facts: Finding.Facts { finding.facts }
  private var visit: String { called(finding.visit, finding.state) }
  private var other: String { called(facts.other, facts.otherState) }

  private func called(_ visit: UInt32, _ state: Int32) -> String {
    name(state).map { "#\(visit) (\($0))" } ?? "#\(visit)"
  }

  private func stateName(_ state: Int32) -> String { name(state) ?? "an unknown state" }

  private var isForEver: Bool { facts.time == .max }

  private var seconds: String {
    let milliseconds = facts.time / 1_000
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
  }

  var sentence: String {
    switch finding.code {
    case .enteredDiscarded:
      facts.sentence == 0
        ? "Visit \(visit) was told to enter after it had been discarded."
        : "Visit \(visit) was told to enter after it had been cancelled."
    case .exitBeforeEnter:
      facts.sentence == 0
        ? "Visit \(visit) was told to leave before it was told to come in."
        : "Visit \(visit) was told to leave before it was in."
    case .overlap: "Visit \(visit) was let in while \(other) was still on the stage."
    case .doubleEnter:
      facts.sentence == 0
        ? "Visit \(visit) was let in a second time while it was on the stage."
        : "Visit \(visit) was let in again after it had gone."
    case .doubleExit: doubleExit
    case .neverEntered: neverEntered
    case .neverArrived:
      isForEver
        ? "Visit \(visit) was told to come in and never said that it was in."
        : "Visit \(visit) was told to come in and had not said that it was in \(seconds) later."
    case .neverExited:
      isForEver
        ? "Visit \(visit) was told to leave and never said that it was out."
        : "Visit \(visit) was told to leave and had not said that it was out \(seconds) later."
    case .outOfOrder: outOfOrder
    case .undeclaredTransition:
      facts.sentence == 0
        ? "Visit \(visit) was let in, but no route leads there from the beginning."
        : "Visit \(visit) was let in, but no route leads there from "
          + "\(stateName(facts.otherState))."
    case .staleRequest:
      "Visit \(visit) was asked for by visit #\(facts.other), which had gone by then."
    case .slowEnter: "Visit \(visit) took \(seconds) to enter."
    case .slowExit: "Visit \(visit) took \(seconds) to leave."
    case .reentrantRequest:
      "Visit \(visit) was asked for while \(other) was being told to "
        + (facts.sentence == 1 ? "leave." : "come in.")
    case .overlappingHandling:
      "Another thread told the controller something about "
        + (finding.visit == 0 ? "no visit in particular" : "visit \(visit)")
        + " while it was handling event \(facts.time)."
    case .staleAnswer:
      "Visit \(visit) follows from an answer to event \(facts.time), and an answer to a newer message had "
        + "been handled before."
    case .doublePush: "Visit \(visit) was put right above an equal element, visit \(other)."
    }
  }

  private var doubleExit: String {
    switch DoubleExit.Sentence(rawValue: facts.sentence) {
    case .toldTwice, nil: "Visit \(visit) was told to leave a second time."
    case .toldWhenOver: "Visit \(visit) was told to leave after it had gone."
    case .saidTwice: "Visit \(visit) said a second time that it was out, and was believed."
    case .strayActedUpon:
      "Visit \(visit) said a second time that it was out, and the controller acted upon it: "
        + "it changed visit \(other)."
    }
  }

  private var outOfOrder: String {
    switch OutOfOrder.Sentence(rawValue: facts.sentence) {
    case .requestedLater, nil:
      "Visit \(visit) was let in before \(other), which had been asked for earlier."
    case .lessUrgent: "Visit \(visit) was told to enter before \(other), which is more urgent."
    case .exitsBelow: "Visit \(visit) was told to exit before \(other), which lies over it."
    }
  }

  private var neverEntered: String {
    switch NeverEntered.Sentence(rawValue: facts.sentence) {
    case .overtaken, nil:
      "Visit \(visit) was never let in, although \(other), asked for later, was."
    case .nothingInItsWay:
      "Visit \(visit) was never let in, although nothing was in its way."
    case .passedOver: "Visit \(visit) never entered, although \(other), less urgent, did."
    case .stageEmpty: "Visit \(visit) was never let in, although the stage was empty."
    case .nobodyLeaves:
      "Visit \(visit) was never let in, because nobody told \(other) to leave."
    }
  }
}
