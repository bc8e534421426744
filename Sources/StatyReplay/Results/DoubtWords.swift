import Staty
import StatyRules
import StatyText

extension ReplayDoubt {
  /// The doubt's code, for other programs: the name of its case, such as `late-attachment`.
  package var word: String { StateName(ofCase: self).description.words(joinedBy: "-") }

  /// The number of the controller in doubt; `nil` if the doubt is about all.
  package var controller: Int32? {
    switch self {
    case .gap(let id, _), .unknownController(let id, _), .unreadableSnapshot(let id),
      .lateAttachment(let id),
      .unmoved(let id), .halfMirror(let id), .notMade(let id, _), .overlappingHandling(let id, _),
      .runaway(let id, _),
      .unsettled(let id, _), .cannotBeTold(let id, _), .unbracketed(let id, _, _),
      .outgrown(let id, _), .unmet(let id, _, _), .cannotBePlaced(let id, _),
      .unplayedQuestion(let id, _),
      .untoldMessage(let id, _, _, _):
      id
    case .nothingPlayed(let id): id
    case .unanswered(_, let visit, _), .leftWaiting(_, let visit): visit.controller
    case .keptOrder(let id), .silent(let id), .meddling(let id, _), .elsewhere(let id),
      .heldWeakly(let id), .unrecordedAnswer(let id), .ownStates(let id):
      id
    case .unreadable, .nothingToCompare, .misplaced, .noEffect, .askedOtherwise, .hiddenInput: nil
    }
  }

  /// The number of the event at which the doubt begins; `nil` if there is none.
  package var seq: Int64? {
    switch self {
    case .gap(_, let seq), .unreadable(let seq), .noEffect(let seq),
      .askedOtherwise(let seq),
      .overlappingHandling(_, let seq),
      .runaway(_, let seq), .unsettled(_, let seq), .cannotBeTold(_, let seq),
      .unanswered(let seq, _, _), .leftWaiting(let seq, _), .outgrown(_, let seq),
      .misplaced(let seq, _),
      .unbracketed(_, let seq, _), .unmet(_, let seq, _), .cannotBePlaced(_, let seq),
      .untoldMessage(_, let seq, _, _), .unplayedQuestion(_, let seq):
      seq
    case .unknownController, .unreadableSnapshot, .nothingToCompare, .nothingPlayed, .unmoved,
      .halfMirror, .lateAttachment, .notMade, .hiddenInput, .keptOrder, .silent, .meddling,
      .elsewhere,
      .heldWeakly, .unrecordedAnswer, .ownStates:
      nil
    }
  }
}

// For readers. Nothing that comes from the file can control a terminal.
extension ReplayDoubt {
  /// The doubt in one or two sentences.
  ///
  /// - Parameter called: the names of controllers, by their numbers.
  package func sentence(_ called: (Int32) -> String) -> String {
    let name = controller.map { called($0).escapedForOneLine } ?? ""
    return switch self {
    case .gap(_, let seq): "Events are missing from \(seq) on; \(name) was replayed up to there."
    case .unreadableSnapshot:
      "The snapshot with which the recording of \(name) begins cannot be read."
    case .unknownController(_, let kind):
      "\(name) cannot be run here: no controller or model is registered as '\(kind.escapedForOneLine)'."
    case .unreadable(let seq): "Event \(seq) was written by no known version."
    case .nothingToCompare: "No decision of a controller was recorded that could be compared."
    case .nothingPlayed(nil):
      "No controller decided anything when it was played, so it is no news that no rule is broken."
    case .nothingPlayed:
      "\(name) decided nothing when it was played, so it is no news that its error is gone."
    case .unmoved:
      "\(name) reported no change of its value when it was played, so it is no news that no rule is "
        + "broken."
    case .halfMirror:
      "The track that says what \(name) shows is not played, so it is not known whether both agree."
    case .heldWeakly:
      "\(name) holds a state weakly. When the app released the state is not recorded, and in a replay it "
        + "stays."
    case .unrecordedAnswer:
      "\(name) asks other code and goes by its answer, which is not recorded, and does something else here."
    case .ownStates:
      "\(name) shows a state that it creates itself. Here nothing says when that state reports."
    case .silent:
      "\(name) reported nothing of what it was told, so nothing it does could be judged."
    case .keptOrder:
      "The messages of \(name) were tried in their recorded order alone, because none says which one "
        + "it answers."
    case .unplayedQuestion(_, let seq):
      "What \(name) received in event \(seq) answers a message of another controller, which is not played "
        + "here, so it is not known when it may come."
    case .unanswered(let seq, let visit, let completion):
      "Visit \(visit.called) was told to \(completion == .entered ? "enter" : "exit") in event "
        + "\(seq) and never reported that it has. Whether it does here is not known; it is assumed."
    case .leftWaiting(_, let visit):
      "Visit \(visit.called) was told to enter when it was recorded. Here it still waits when the recording "
        + "ends, so it is not known whether it ever enters."
    case .noEffect(let seq):
      "Event \(seq) was to come otherwise, and did not come at all, so it is not known what would come of it."
    case .askedOtherwise(let seq):
      "What event \(seq) answers was not asked for here, or something else was, so it is not known what "
        + "would come in its place."
    case .lateAttachment:
      "The recording begins while \(name) is at work; a replay cannot begin there."
    case .notMade(_, let reason): "\(name) could not be made: \(reason.escapedForOneLine)."
    case .overlappingHandling(_, let seq):
      "At event \(seq), \(name) may still have handled another event on another thread."
    case .runaway(_, let seq): "\(name) went on without end when it came to event \(seq)."
    case .unsettled(_, let seq):
      "\(name) went on after event \(seq) and had not come to rest when its time was over."
    case .cannotBeTold(_, 0):
      "What the factory of \(name) returned has no way to tell it this."
    case .cannotBeTold(_, let seq):
      "What the factory of \(name) returned has no way to tell it of event \(seq)."
    case .untoldMessage(_, 0, let message, let why):
      "\(name) cannot be told '\(message.escapedForOneLine)': \(why.reason.escapedForOneLine)."
    case .untoldMessage(_, let seq, let message, let why):
      "\(name) received '\(message.escapedForOneLine)' in event \(seq), which cannot be told again: "
        + "\(why.reason.escapedForOneLine). \(name) was replayed up to there."
    case .unbracketed(_, let seq, let why):
      why.sentence(seq, name) + " \(name) was replayed up to there."
    case .outgrown(_, let seq):
      "In the replay, more and more requests that are not recorded wait at \(name); it "
        + "was replayed up to event \(seq)."
    case .misplaced(let seq, let cause):
      "Event \(seq) is recorded inside event \(cause), which was over by then."
    case .unmet(_, let seq, let code):
      "The recording breaks the rule '\(code.rawValue)' in event \(seq), and no order that was "
        + "searched does: the search leaves something out that \(name) was told."
    case .cannotBePlaced(_, let seq):
      "Event \(seq) happened in a call that \(name) makes, where a search cannot tell it."
    case .meddling(_, let condition):
      "The condition '\(condition.escapedForOneLine)' changes \(name) when it is looked at, or says something else "
        + "the second time."
    case .elsewhere:
      "\(name) goes on in a 'Task', or on a queue, timer or thread of its own, which a replay does not wait for."
    case .hiddenInput:
      "Two runs from the same recording differ: something goes in that is not recorded."
    }
  }

  /// What to do about it.
  package var advice: String {
    switch self {
    case .gap: "Record with more room, so that no event is lost."
    case .unknownController:
      "Register it in a tool or test of your app. A controller class: see \(Guide.yourOwnControllers). A view "
        + "model: \(Guide.replayingMessages). Plain async code, in a test: \(Guide.reproducingARecording)."
    case .unreadableSnapshot: "Take another copy of the file from where it was recorded."
    case .unreadable: "Use the version of Staty that belongs to the app's recorder."
    case .nothingToCompare:
      "Replay a session, or more of it, in which states enter and exit."
    case .nothingPlayed: "Skip fewer requests, or play more of the session."
    case .unmoved:
      "The registry has to send each message to the model, and the model to report its changes: "
        + "didSet { track.moved(to: state) }."
    case .halfMirror:
      "Give the model in the registry a condition that compares them: .atRest(\"…\") { … }."
    case .silent:
      "The registry has to pass each request on to the class at once, not in a 'Task', and the class "
        + "to report what it tells its states: probe.telling(.enter, state) { state.enter() }."
    case .keptOrder:
      "Pass what a response answers: track.received(message, answering: question). Or start its "
        + "task while the question is handled. Then record again. If the model gets no responses, name "
        + "the rules to search for."
    case .unplayedQuestion: "Search both together."
    case .unanswered(_, let visit, _):
      "Find out why \(visit.state?.escapedForOneLine ?? "the state") never answered. If the "
        + "controller was the reason, only a recording in which it is told otherwise shows it."
    case .leftWaiting:
      "Look whether the controller has lost it. If it waits until the user closes something, say so where "
        + "that is requested: awaitsUser: true."
    case .noEffect: "Leave out what keeps it from coming, or edit another event."
    case .askedOtherwise:
      "If the model is right not to ask that, record it once more: a recording has no other answer."
    case .lateAttachment:
      "Attach the recorder before the controller gets its first request, or call 'recordTracks()' "
        + "before the track's first event."
    case .notMade: "Fix the factory that the registry has for it."
    case .overlappingHandling:
      "Use the controller on one thread. If the app uses it on one actor or serial queue only, say so "
        + "where it is registered: `isConfined: true`."
    case .runaway, .unsettled:
      "Look for a state or controller that requests again what it just did."
    case .cannotBeTold:
      "Give the subject that its factory returns the missing closure, such as `cancel`. For a model "
        + "with a track, send messages instead of requests."
    case .untoldMessage(_, _, let message, let why): why.advice(message.escapedForOneLine)
    case .unbracketed(_, _, let why): why.advice
    case .outgrown: "Replay up to there only."
    case .misplaced: "Replay the recording as it was before it was edited."
    case .unmet: "See whether the recording replays."
    case .cannotBePlaced:
      "Make what it calls in the factory that is registered, so that it is run in the search, too."
    case .meddling: "Let it only read what the model shows."
    case .elsewhere:
      "Give the class something that defers its steps in place of that: in the app the queue or a timer, "
        + "in the registry `context.scheduler`. And report each: scheduler.async(probe.deferred { … }), or "
        + "with a delay scheduler.schedule(after: .seconds(2), probe.deferred { … }). "
        + "Or search the class with its tasks: expectOneOutcome { world in … }. What has nothing to do "
        + "with its states, such as a log, can be left out in the registry."
    case .heldWeakly:
      "Hold states strongly in the class, and report when one goes: probe.cancelled(state) { … }."
    case .unrecordedAnswer:
      "Create what it asks in the registry, so that it answers as in the app. Or let the app tell the class "
        + "beforehand what it would ask for, in a message: probe.received(message) { … }."
    case .ownStates:
      "Give the class its states from outside, so that the registry can make them: nothing reports for a "
        + "state that the class creates."
    case .hiddenInput: "Look for what it reads besides its inputs, and pass that in from outside."
    }
  }
}

extension ReplayDoubt.Unbracketed {
  /// What is not known of an event, and why.
  package func sentence(_ seq: Int64, _ name: String) -> String {
    switch self {
    case .controller:
      "\(name) was recorded without brackets, so the recording does not say in which call event "
        + "\(seq) happened."
    case .call(let inside):
      "Event \(seq) happened while \(name) handled event \(inside), and in the replay \(name) does "
        + "not do it by itself: it called something without a bracket."
    case .tooWide(let inside):
      "Event \(seq) happened in a call that \(name) makes in event \(inside), and in the replay "
        + "\(name) does the same by itself there: the bracket holds more than the call."
    case .unreported: "Nothing that \(name) reported leads to event \(seq)."
    case .outsideMessage:
      "The value of \(name) changed in event \(seq), outside of any message of its track."
    }
  }

  /// What to change in the class, with the lines to write.
  package var advice: String {
    switch self {
    case .controller:
      "Record with brackets: 'requested', 'telling' and 'completed' of the probe take closures."
    case .call:
      "Bracket the call in the class: probe.calling(\"delegate\") { delegate.changed() }. Or make what "
        + "it calls in the factory that is registered, so that it is run in the replay, too."
    case .tooWide:
      "Move everything but the call out of the bracket: probe.telling(.enter, state) { state.enter() }."
    case .unreported:
      "Report inputs through 'received', 'requested' and 'completed' of the probe, and steps that are "
        + "put off: let step = probe.deferred { … }, and in the queue step()."
    case .outsideMessage:
      "Make the change in a message: track.received(\"refresh\") { … }."
    }
  }
}

extension AssumedVisit {
  /// The visit by its number in the replay, and by the recorded number if that differs.
  package var called: String {
    let name = state.map { " \($0.escapedForOneLine)" } ?? ""
    switch (played, recorded) {
    case (nil, 0?): return "an inserted\(name)"
    case (nil, let recorded?): return "#\(recorded)\(name)"
    case (nil, nil): return String(name.drop { $0 == " " })
    case (let played?, let recorded?) where played != recorded:
      return "#\(played)\(name) (recorded #\(recorded))"
    case (let played?, nil): return "#\(played)\(name) (not recorded)"
    case (let played?, _): return "#\(played)\(name)"
    }
  }
}
