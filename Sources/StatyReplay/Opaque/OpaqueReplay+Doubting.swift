import Staty
import StatyHistory

// What the recording leaves open, and what follows from that.
extension OpaqueReplay {
  /// An input is told inside of something: says so if the recording does not say that this is the
  /// place.
  func noteGuess(_ entry: RecordingWindow.Entry, _ place: Place, _ frame: Frame) {
    let about = [frame.controller, entry.controller]
    let isInGivenUp = frames.contains { uncertainty.givenUp.contains($0.controller) }
    if entry.parent != frame.seq || isInGivenUp {
      note(.displaced, entry, about: frames.map(\.controller) + [entry.controller])
    } else if placement.isEarly(entry.seq) || place == .end {
      // Neither observers nor states that were told something did it, but somebody in between.
      note(.nested, entry, about: frame.isOrder || isGuess(entry) ? about : [])
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
    if !controller.comparability.hasCauses {
      // What was to be told early and still waits could not be: somebody else said it for the state.
      if placement.isFull || placement.isEarly(entry.seq) { noteUnbracketed(entry) }
    } else if placement.isFull, !placement.isEarly(entry.seq) {
      note(.nested, entry, about: [controller.id])
    }
  }

  /// - Parameter controllers: those of whom a divergence may come of it.
  private func note(
    _ guess: ReplayDoubt.Guess, _ entry: RecordingWindow.Entry, about controllers: [Int32]
  ) {
    // Told in another place it may have come to an output that the recording does not have. Without
    // brackets all places are guesses; that order alone is compared is known. Behind a divergence
    // nothing is in its place.
    if guess != .unbracketed, policies.result.divergences.isEmpty {
      policies.result.addGuess(guess, at: entry.seq, of: entry.controller)
    }
    uncertainty.note(
      Uncertainty.Doubt(seq: entry.seq, guess: guess),
      about: controllers.filter { self.controllers[$0] != nil })
  }

  /// Whether it is not known when this was, within what it was in.
  private func isGuess(_ entry: RecordingWindow.Entry) -> Bool {
    guard entry.isInput, entry.caller.isInput, !entry.isHeard else { return false }
    // Anybody may ask and cancel. What states say a controller mostly says to itself in its own.
    return switch entry.event.kind {
    case .entered, .exited, .stray:
      entry.controller != entry.caller.controller
        || !placement.speaksForStates(entry.controller)
    default: true
    }
  }

  /// Why the controller may have gone another way at this event for having been told something in
  /// another place than it was, or in another order than what it did.
  func doubt(about controller: OpaqueController, at seq: Int64) -> Uncertainty.Doubt? {
    if let doubt = uncertainty.doubt(about: controller.id) { return doubt }
    // What comes next may have come before this.
    guard let frame = frames.last, let next = window.next(onThread: frame.thread),
      isGuess(next) && mayBeIn(next, frame) || isInTheMidst(next)
    else { return nil }
    return Uncertainty.Doubt(seq: next.seq, guess: .nested)
  }

  /// Whether this may have been told before what is innermost was over.
  ///
  /// What lies further out was told after it, but by observers who hear of an order that is about to be
  /// given, and where it is not recorded what happened in what.
  private func mayBeIn(_ entry: RecordingWindow.Entry, _ frame: Frame) -> Bool {
    guard let seq = frame.seq, !frame.isOrder,
      controllers[frame.controller]?.comparability.hasCauses ?? false
    else { return true }
    return entry.parent == seq || !isUnderWay(entry.parent)
  }

  /// Whether a step that was put off ran in the midst of what is under way: that goes on after it.
  ///
  /// Which step ran in what the recording does not say: somebody in there waited for what was put off.
  private func isInTheMidst(_ step: RecordingWindow.Entry) -> Bool {
    guard step.event.kind == .resumed else { return false }
    return window.goesOn(after: step) { [self] in isUnderWay($0.parent) }
  }

  /// A step that was put off comes next while something is under way: whoever is at that is in doubt, if
  /// the step ran in the midst of it.
  func noteInTheMidst(_ entry: RecordingWindow.Entry) {
    guard entry.event.kind == .resumed, frames.contains(where: { !isInDoubt($0.controller) }),
      isInTheMidst(entry)
    else { return }
    uncertainty.note(
      Uncertainty.Doubt(seq: entry.seq, guess: .nested),
      about: frames.map(\.controller).filter { controllers[$0] != nil })
  }

  /// A step that was put off is run while nothing is under way: whoever may have been at something is in
  /// doubt, if it ran in the midst of that.
  func noteNestedStep(_ entry: RecordingWindow.Entry) {
    guard entry.event.kind == .resumed, controllers.keys.contains(where: { !isInDoubt($0) }),
      window.goesOn(after: entry, with: { $0.parent != 0 && $0.parent < entry.seq })
    else { return }
    uncertainty.note(
      Uncertainty.Doubt(seq: entry.seq, guess: .nested), about: controllers.keys)
  }

  private func isInDoubt(_ controller: Int32) -> Bool {
    uncertainty.doubt(about: controller) != nil
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
}
