import Staty
import StatyHistory

// What the recording leaves open, and what follows from that.
extension OpaqueReplay {
  /// An input is told inside of something: says so if the recording does not say that this is the
  /// place.
  func noteGuess(_ entry: RecordingWindow.Entry, _ place: Place, _ frame: Frame) {
    let isAsked = place == .beginning && frame.isOrder && !placement.isEarly(entry.seq)
    let about = [frame.controller, entry.controller]
    if isAsked { uncertainty.noteSupposed(entry.seq, otherwise: .inCall, about: about) }
    // A state that is told something speaks for itself; for another one observers may have heard it.
    if place != .beginning, frame.isOrder, isCompletion(entry, ofAnotherThan: frame) {
      uncertainty.noteSupposed(entry.seq, otherwise: .early, about: about)
    }
    if entry.parent != frame.seq {
      note(.displaced, entry, about: frames.map(\.controller) + [entry.controller])
    } else if place == .late || place == .unheard || unheard[frame.number] != nil {
      note(.late, entry, about: about)
    } else if isAsked || isGuess(entry) || placement.isInCall(entry.seq) {
      note(.nested, entry, about: about)
    }
    if frames.contains(where: { uncertainty.givenUp.contains($0.controller) }) {
      note(.displaced, entry, about: frames.map(\.controller) + [entry.controller])
    }
  }

  /// An input is told while nothing is under way: says so if it was recorded inside of something.
  func noteLeftOver(_ entry: RecordingWindow.Entry) {
    let caller = entry.caller.controller
    guard entry.isInput, entry.parent != 0,
      controllers[caller] != nil || uncertainty.givenUp.contains(caller)
    else { return }
    note(.displaced, entry, about: [caller, entry.controller])
  }

  /// An input of a controller without brackets is told, and nothing says that this is the place.
  func noteUnbracketed(_ entry: RecordingWindow.Entry) {
    note(.unbracketed, entry, about: [entry.controller])
  }

  /// An input might belong elsewhere: says so if no more can be supposed.
  func noteUnsupposed(_ entry: RecordingWindow.Entry, _ controller: OpaqueController) {
    guard placement.isFull, !placement.isEarly(entry.seq) else { return }
    let hasCauses = controller.comparability.hasCauses
    note(hasCauses ? .nested : .unbracketed, entry, about: [controller.id])
  }

  private func note(
    _ guess: ReplayResult.Guess, _ entry: RecordingWindow.Entry, about controllers: [Int32]
  ) {
    uncertainty.note(
      Uncertainty.Doubt(seq: entry.seq, guess: guess),
      about: controllers.filter { self.controllers[$0] != nil })
  }

  /// Whether a state said something of its own in the handling of an order to another one.
  private func isCompletion(
    _ entry: RecordingWindow.Entry, ofAnotherThan order: Frame
  ) -> Bool {
    guard entry.controller == order.controller, entry.event.row.visit != order.visit else {
      return false
    }
    return switch entry.event.kind {
    case .entered, .exited, .stray: true
    default: false
    }
  }

  /// Whether it is not known when this was, within what it was in.
  private func isGuess(_ entry: RecordingWindow.Entry) -> Bool {
    guard entry.isInput, entry.caller.isInput else { return false }
    // Anybody may ask. What else a controller is told in its own, it mostly says to itself.
    return entry.event.kind == .enqueued || entry.controller != entry.caller.controller
      || !placement.speaksForStates(entry.controller)
  }

  /// Why the controller may have gone another way at this event for having been told something in
  /// another place than it was, or in another order than what it did.
  func doubt(about controller: OpaqueController, at seq: Int64) -> Uncertainty.Doubt? {
    noteLateHearing()
    if let doubt = uncertainty.doubt(about: controller.id) { return doubt }
    if let late = unheard.values.map({ $0.seq ?? seq }).min() {
      return Uncertainty.Doubt(seq: late, guess: .late)
    }
    // What comes next may have come before this.
    guard let frame = frames.last, let next = window.next(onThread: frame.thread), isGuess(next)
    else { return nil }
    return Uncertainty.Doubt(seq: next.seq, guess: .nested)
  }

  /// The controller is not replayed further: it may have gone another way for having been told
  /// something in another place.
  func giveUp(_ controller: OpaqueController, _ doubt: Uncertainty.Doubt) {
    say(doubt, controller)
    // What happens inside of it happens no more where it did.
    let others = frames.map(\.controller) + tellings.map(\.controller)
    uncertainty.note(
      Uncertainty.Doubt(seq: doubt.seq, guess: .displaced),
      about: others.filter { $0 != controller.id && controllers[$0] != nil })
    uncertainty.giveUp(controller.id)
    end(controller.id)
  }

  func say(_ doubt: Uncertainty.Doubt, _ controller: OpaqueController) {
    policies.result.addGuess(doubt.guess, at: doubt.seq, of: controller.id)
  }

  /// What happened in this event cannot be told, unless its controller is about to be given up.
  func noteUnhappened(_ seq: Int64, _ controller: OpaqueController) {
    if controller.isInStep, let doubt = doubt(about: controller, at: seq),
      doubt.guess != .unbracketed
    {
      return
    }
    policies.noteUnhappened(seq)
  }

  /// Whoever had a part in a call in which observers heard of something late is in doubt.
  private func noteLateHearing() {
    for nest in window.lateHearing(by: policies.lastSeen) {
      uncertainty.note(
        Uncertainty.Doubt(seq: nest.late, guess: .late),
        about: nest.controllers.filter { controllers[$0] != nil })
    }
  }

  /// Nothing is under way: whoever is at rest in step is in doubt no longer.
  func takeBackDoubts(onThread thread: UInt8) {
    if isSpoilt { return }
    noteLateHearing()
    window.forgetLateHearing(before: window.next()?.seq ?? .max)
    if uncertainty.isEmpty { return }
    // What was recorded inside of something and is still to be told was not in time.
    if let next = window.next(onThread: thread), next.parent != 0, next.event.kind != .resumed {
      return
    }
    uncertainty.takeBack { controllers[$0].map(\.uncertainStanding) ?? .atRest }
  }
}
