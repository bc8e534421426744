import Staty
import StatyHistory
import StatyReplay
import StatyRules

/// Why a replay cannot say something: in words, for other programs, and what helps.
struct DoubtWords {
  private let doubt: ReplayDoubt

  init(_ doubt: ReplayDoubt) { self.doubt = doubt }

  /// What other programs call it.
  var reason: String {
    switch doubt {
    case .gap: "gap"
    case .unknownController: "unknown-controller"
    case .unreadable: "unreadable"
    case .nothingToCompare: "nothing-to-compare"
    case .nothingPlayed: "nothing-played"
    case .unanswered: "unanswered"
    case .lateAttachment: "late-attachment"
    case .notMade: "not-made"
    case .overlappingHandling: "overlapping-handling"
    case .runaway: "runaway"
    case .unsettled: "unsettled"
    case .cannotBeTold: "cannot-be-told"
    case .untoldMessage: "untold-message"
    case .unbracketed: "unbracketed"
    case .hiddenInput: "hidden-input"
    case .outgrown: "outgrown"
    case .misplaced: "misplaced"
    case .unmet: "unmet"
    case .cannotBePlaced: "cannot-be-placed"
    }
  }

  /// The number of the controller that it is about; none if it is about all.
  var controller: Int32? {
    switch doubt {
    case .gap(let controller, _), .unknownController(let controller, _),
      .lateAttachment(let controller),
      .notMade(let controller, _), .overlappingHandling(let controller, _),
      .runaway(let controller, _), .unsettled(let controller, _), .cannotBeTold(let controller, _),
      .unbracketed(let controller, _, _), .outgrown(let controller, _),
      .unmet(let controller, _, _), .cannotBePlaced(let controller, _),
      .untoldMessage(let controller, _, _, _):
      controller
    case .nothingPlayed(let controller): controller
    case .unanswered(_, let visit, _): visit.controller
    case .unreadable, .nothingToCompare, .misplaced, .hiddenInput: nil
    }
  }

  /// The number of the event at which it shows, if it shows at one.
  var seq: Int64? {
    switch doubt {
    case .gap(_, let seq), .unreadable(let seq), .overlappingHandling(_, let seq),
      .runaway(_, let seq), .unsettled(_, let seq), .cannotBeTold(_, let seq),
      .unanswered(let seq, _, _), .outgrown(_, let seq), .misplaced(let seq, _),
      .unbracketed(_, let seq, _), .unmet(_, let seq, _), .cannotBePlaced(_, let seq),
      .untoldMessage(_, let seq, _, _):
      seq
    case .unknownController, .nothingToCompare, .nothingPlayed, .lateAttachment, .notMade,
      .hiddenInput:
      nil
    }
  }

  /// The doubt in a sentence or two.
  ///
  /// - Parameter known: the kinds of controller that can be made.
  func sentence(_ events: EventWords, known: [String]) -> String {
    let name = controller.map(events.controller) ?? ""
    switch doubt {
    case .gap(_, let seq):
      return "Events are missing from \(seq) on; \(name) was replayed up to there."
    case .unknownController(_, let policy) where known.contains(policy):
      return "Where \(name) stood when its recording began cannot be read."
    case .unknownController(_, let policy):
      return
        "This tool cannot make a controller of the kind '\(policy.visible)', which \(name) is. "
        + "It knows \(known.joined(separator: ", ")). An app's own is registered in the tool that "
        + "links it."
    case .unreadable(let seq): return "Event \(seq) says something that no version has written."
    case .nothingToCompare:
      return "No decision of a controller was recorded that could be compared."
    case .nothingPlayed(nil):
      return "Nothing was decided in what was played, so that it breaks no rule says nothing."
    case .nothingPlayed:
      return
        "\(name) decided nothing in what was played, so that what it broke is gone says nothing."
    case .unanswered(let seq, let visit, let completion):
      let (told, said) = completion == .entered ? ("come in", "in") : ("leave", "out")
      return
        "Visit \(WhatIfWords.called(visit)) was told to \(told) in event \(seq) and never said "
        + "that it was \(said). Whether it would if another kind of controller told it, no recording "
        + "tells; it is assumed here."
    case .lateAttachment:
      return "The recording begins while \(name) is at work; a replay cannot begin there."
    case .notMade(_, let reason): return "\(name) could not be made: \(reason.visible)."
    case .overlappingHandling(_, let seq):
      return "\(name) was told of event \(seq) while it handled another on another thread."
    case .runaway(_, let seq):
      return "\(name) went on and on by itself when it came to event \(seq)."
    case .unsettled(_, let seq):
      return "\(name) went on after event \(seq) and had not come to rest when its time was over."
    case .cannotBeTold(_, let seq):
      return "What made \(name) has no way of telling it of event \(seq)."
    case .untoldMessage(_, let seq, let message, let why):
      return "\(name) received '\(message.visible)' in event \(seq), which cannot be told again: "
        + "\(why.reason.visible). \(name) was replayed up to there."
    case .unbracketed(_, let seq, let why):
      return why.sentence(seq, name) + " \(name) was replayed up to there."
    case .outgrown(_, let seq):
      return "In the replay more and more waits at \(name) that the recording knows nothing of; it "
        + "was replayed up to event \(seq)."
    case .misplaced(let seq, let cause):
      return "Event \(seq) is said to have happened inside event \(cause), which was over by then."
    case .unmet(_, let seq, let code):
      return
        "The recording breaks the rule '\(code.rawValue)' in event \(seq), and no order that was "
        + "searched does: the search leaves something out that \(name) was told."
    case .cannotBePlaced(_, let seq):
      return "Event \(seq) happened in a call that \(name) makes, where a search cannot tell it."
    case .hiddenInput:
      return "Two runs from the same recording differ: something goes in that is not recorded."
    }
  }

  /// What can be tried.
  func step(_ steps: NextSteps.Situation) -> NextSteps.Step {
    switch doubt {
    case .gap(_, let seq) where seq > steps.firstSeq:
      steps.step("Up to the gap only:", "replay", until: seq - 1)
    case .gap: NextSteps.Step(text: "Record with more room, so that no event is lost.")
    case .unknownController(_, let policy) where steps.known.contains(policy):
      NextSteps.Step(text: "Take another copy of the file from where it was recorded.")
    case .unknownController(let controller, _):
      steps.replacing(controller, "With a kind that this tool knows:")
        ?? NextSteps.Step(
          text: "Register it in the tool, or replay with a kind that the tool knows.")
    case .unreadable:
      NextSteps.Step(text: "Use the staty that belongs to the app's version of the recorder.")
    case .nothingToCompare:
      NextSteps.Step(text: "Replay a session, or more of it, in which states come in and leave.")
    case .nothingPlayed:
      NextSteps.Step(text: "Skip less of what was asked for, or play more of the session.")
    case .unanswered(_, let visit, _):
      NextSteps.Step(
        text:
          "Find out why \(visit.state?.visible ?? "the state") never answered. If the controller "
          + "was the reason, only a recording of the other one shows it.")
    case .lateAttachment:
      NextSteps.Step(text: "Attach the recorder before the controller is asked for anything.")
    case .notMade: NextSteps.Step(text: "Mend the factory that the tool registers for it.")
    case .overlappingHandling(_, let seq):
      steps.step("Up to there only:", "replay", until: seq.clampedAdding(-1))
    case .runaway, .unsettled:
      NextSteps.Step(text: "Look for a state or controller that asks again for what it just did.")
    case .unbracketed(_, _, let why): NextSteps.Step(text: why.step)
    case .untoldMessage(_, _, let message, let why):
      NextSteps.Step(text: why.advice(message.visible))
    case .cannotBeTold:
      NextSteps.Step(text: "Give the factory that the tool registers for it the missing closure.")
    case .misplaced:
      NextSteps.Step(text: "Replay the recording as it was before it was edited.")
    case .outgrown(_, let seq):
      steps.step("Up to there only:", "replay", until: seq)
    case .unmet: steps.step("What the recording has and the replay has not:", "replay")
    case .cannotBePlaced:
      NextSteps.Step(
        text:
          "Make what it calls in the factory that the tool registers, so that it is run in the search, "
          + "too.")
    case .hiddenInput:
      NextSteps.Step(
        text: "Look for what it asks beside its inputs, and hand that in from outside.")
    }
  }
}

extension ReplayDoubt.Unbracketed {
  /// What is not known of an event, and why.
  fileprivate func sentence(_ seq: Int64, _ controller: String) -> String {
    switch self {
    case .controller:
      "\(controller) was recorded without brackets, so the recording does not say in which call event "
        + "\(seq) happened."
    case .call(let inside):
      "Event \(seq) happened while \(controller) handled event \(inside), and in the replay \(controller) "
        + "does not do it by itself: it called something without a bracket."
    case .tooWide(let inside):
      "Event \(seq) happened in a call that \(controller) makes in event \(inside), and in the replay "
        + "\(controller) does the same by itself there: the bracket holds more than the call."
    case .unreported:
      "\(controller) did what event \(seq) says without having reported what it did that about."
    }
  }

  /// What to change in the class, with the lines to write.
  fileprivate var step: String {
    switch self {
    case .controller:
      "Record with brackets: 'requested', 'telling' and 'told' of the probe take closures."
    case .call:
      "Bracket the call in the class: probe.calling(\"delegate\") { delegate.changed() }. Or make what it "
        + "calls in the factory that the tool registers, so that it is run in the replay, too."
    case .tooWide:
      "Move everything but the call out of the bracket: probe.telling(.enter, state) { state.enter() }."
    case .unreported:
      "Report inputs through 'received' of the track, or through 'received', 'requested' and 'told' of "
        + "the probe, and steps that are put off: "
        + "queue.async(execute: probe.deferred { … })."
    }
  }
}
