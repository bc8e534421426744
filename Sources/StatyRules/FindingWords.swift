extension Finding {
  /// Describes what went wrong, in one sentence.
  ///
  /// - Parameters:
  ///   - name: returns the text of a name by its number. A state without a name is described by its
  ///     visit alone.
  ///   - track: returns the name of a controller or track by its number.
  public func detail(
    naming name: @escaping (Int32) -> String?, track: @escaping (Int32) -> String? = { _ in nil }
  ) -> String {
    let words = Words(finding: self, name: name, track: track)
    return words.sentence
  }
}

/// Describes a finding in words.
private struct Words {
  let finding: Finding
  let name: (Int32) -> String?
  let track: (Int32) -> String?

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
        ? "Visit \(visit) was told to exit before it was told to enter."
        : "Visit \(visit) was told to exit before it had entered."
    case .overlap: "Visit \(visit) entered while \(other) was still on the stage."
    case .doubleEnter:
      facts.sentence == 0
        ? "Visit \(visit) entered a second time while it was on the stage."
        : "Visit \(visit) entered again after it had ended."
    case .doubleExit: doubleExit
    case .neverEntered: neverEntered
    case .neverArrived:
      isForEver
        ? "Visit \(visit) was told to enter and never entered."
        : "Visit \(visit) was told to enter and had not entered \(seconds) later."
    case .neverExited:
      isForEver
        ? "Visit \(visit) was told to exit and never exited."
        : "Visit \(visit) was told to exit and had not exited \(seconds) later."
    case .outOfOrder: outOfOrder
    case .undeclaredTransition:
      facts.sentence == 0
        ? "Visit \(visit) entered, but no route leads there from the beginning."
        : "Visit \(visit) entered, but no route leads there from "
          + "\(stateName(facts.otherState))."
    case .staleRequest:
      "Visit \(visit) was requested by visit #\(facts.other), which had already ended."
    case .slowEnter: "Visit \(visit) took \(seconds) to enter."
    case .slowExit: "Visit \(visit) took \(seconds) to exit."
    case .reentrantRequest:
      "Visit \(visit) was requested while \(other) was being told to "
        + (facts.sentence == 1 ? "exit." : "enter.")
    case .overlappingHandling:
      "Another thread told the controller something about "
        + (finding.visit == 0 ? "no visit in particular" : "visit \(visit)")
        + " while it was handling event \(facts.time)."
    case .lateAnswer:
      "Visit \(visit) took the answer to \(message(facts.asked, facts.time)), although \(lateReason)"
    case .invariant: "The condition '\(stateName(finding.state))' does not hold."
    case .doublePush:
      facts.sentence == 0
        ? "Visit \(visit) was put right above an equal element, visit \(other)."
        : "Visit \(visit) was put right above another of the same name, visit \(other), which had just entered."
    case .mirror: mirror
    case .askedTwice:
      "'\(stateName(finding.state))' was sent again before event \(facts.time), a message of its name, was answered."
    case .answeredTwice:
      "\(message(facts.asked, facts.time)) was answered a second time by '\(stateName(finding.state))'."
    case .neverAnswered:
      "'\(stateName(finding.state))' was not answered; other messages of its name were."
    case .aliveTwice:
      "Another track of this name, since event \(facts.time), was there at the same time."
    case .neverReceived:
      "'\(stateName(finding.state))' was sent more often than it was received."
    case .neverLeft:
      isForEver
        ? "Visit \(visit) was never left." : "Visit \(visit) was still shown after \(seconds)."
    case .uncausedChange: "Visit \(visit) began outside of any message."
    }
  }

  private var lateReason: String {
    let newer = message(facts.newerName, facts.newer)
    return switch MessageRules.Late(rawValue: facts.sentence) {
    case .outOfDate, nil: "\(newer), a newer message, had been answered before."
    case .behindUser: "\(newer), a message from outside, had changed the state since."
    case .behindAnswer: "the answer to \(newer), another question, had changed the state since."
    case .perhapsOutOfDate:
      "\(newer), a newer message, had been answered before. Whether anything changed is not recorded: see "
        + "'showing:'."
    case .behindIgnored:
      "\(newer), a message from outside, had come since and changed nothing. If it should have changed "
        + "something, that is the bug."
    case .behindPop: "the path had been popped since (\(newer)), outside of any message."
    case .behindChange: "\(newer), a message from outside, had set what is shown since."
    }
  }

  private func message(_ number: Int32, _ seq: Int64) -> String {
    name(number).map { "'\($0)' (event \(seq))" } ?? "event \(seq)"
  }

  /// What two tracks showed, with the numbers of their elements if these differ.
  private var mirror: String {
    func shown(_ visit: UInt32, _ state: Int32) -> String {
      visit == 0 ? "nothing" : called(visit, state)
    }
    let (count, others) = MirrorWatch.counts(facts.newer)
    let depth =
      count == others
      ? "" : ", \(count) element\(count == 1 ? "" : "s") against \(others)"
    let (one, other) = (
      track(finding.controller).map { "'\($0)'" } ?? "The track",
      track(facts.otherController).map { "its mirror '\($0)'" } ?? "its mirror"
    )
    return "\(one) showed \(shown(finding.visit, finding.state)) and \(other) "
      + "\(shown(facts.other, facts.otherState))\(depth); neither moved within the declared time."
  }

  private var doubleExit: String {
    switch DoubleExit.Sentence(rawValue: facts.sentence) {
    case .toldTwice, nil: "Visit \(visit) was told to exit a second time."
    case .toldWhenOver: "Visit \(visit) was told to exit after it had ended."
    case .reportedTwice:
      "Visit \(visit) reported its exit a second time, and the controller accepted it."
    case .strayActedUpon:
      "Visit \(visit) reported its exit a second time, and the controller acted on it: "
        + "it changed visit \(other)."
    }
  }

  private var outOfOrder: String {
    switch OutOfOrder.Sentence(rawValue: facts.sentence) {
    case .requestedLater, nil:
      "Visit \(visit) entered before \(other), which had been requested earlier."
    case .lessUrgent: "Visit \(visit) was told to enter before \(other), which is more urgent."
    case .exitsBelow: "Visit \(visit) was told to exit before \(other), which lies over it."
    }
  }

  private var neverEntered: String {
    switch NeverEntered.Sentence(rawValue: facts.sentence) {
    case .overtaken, nil:
      "Visit \(visit) never entered, although \(other), requested later, did."
    case .nothingInItsWay:
      "Visit \(visit) never entered, although nothing was in its way."
    case .passedOver: "Visit \(visit) never entered, although \(other), less urgent, did."
    case .stageEmpty: "Visit \(visit) never entered, although the stage was empty."
    case .nothingExits:
      "Visit \(visit) never entered, because \(other) was not told to exit after it had entered."
    case .toldTooEarly:
      "Visit \(visit) never entered, because \(other) was told to exit before it entered, and not again."
    case .behindOpen:
      "Visit \(visit) never entered: \(other) was still on screen, and visits here exit by themselves."
    }
  }
}
