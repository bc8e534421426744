import Staty
import StatyHistory

// Telling controllers what they were told.
extension OpaqueReplay {
  /// Tells a controller an input, which happened where the replay stands.
  func tell(_ entry: RecordingWindow.Entry, _ controller: OpaqueController) {
    pass(entry)
    if policies.isUnreachable(entry.event.row.cause) { return policies.leaveOut(entry.seq) }
    controller.follow(entry.event)
    controller.context.clock.now = .microseconds(entry.event.row.time)
    guard let call = call(entry, controller) else { return }
    policies.result.told += 1
    policies.digest.add(UInt64(bitPattern: entry.seq))
    tellings.append(Telling(entry: entry, controller: controller.id))
    let depth = frames.count
    call()
    // Whoever is replayed no further does not say that something is over.
    if depth < frames.count { frames.removeSubrange(depth...) }
    let telling = tellings.removeLast()
    if isSpoilt || telling.isReported || controllers[controller.id] == nil { return }
    if isSupposedWrongly(nil, controller) { return }
    noteUnhappened(entry.seq, controller)
    diverge(.missing(recorded(entry)), entry, controller)
  }

  /// What tells the controller; `nil` if it cannot be told.
  private func call(
    _ entry: RecordingWindow.Entry, _ controller: OpaqueController
  ) -> (() -> Void)? {
    let event = entry.event
    guard let kind = event.kind else { return nil }
    if kind == .enqueued {
      guard let name = policies.names[event.row.state] else {
        policies.result.add(.unreadable(seq: entry.seq))
        return nil
      }
      let object = controller.asked(event, name) { [weak self] in self?.stateTold($0) }
      let request = ReplayRequest(event, policies.names)
      return { controller.subject.request(object, request) }
    }
    if kind == .resumed { return resume(entry, controller) }
    guard let input = RecordedInput(event, names: policies.names) else {
      policies.result.add(.unreadable(seq: entry.seq))
      return nil
    }
    switch input {
    case .completion(let visit, let completion, _):
      if let script = controller.script(of: visit.rawValue), script.onCompletion != nil {
        return { script.complete(completion) }
      }
    case .signal(.cancelled(let cancellation)):
      if let cancel = controller.subject.cancel { return { cancel(cancellation) } }
    default: break
    }
    policies.result.add(.cannotBeTold(controller: controller.id, seq: entry.seq))
    return nil
  }

  /// The step that was put off where the recording says.
  private func resume(
    _ entry: RecordingWindow.Entry, _ controller: OpaqueController
  ) -> (() -> Void)? {
    let scheduler = controller.context.scheduler
    if let step = scheduler.take(cause: entry.event.row.cause) { return step }
    // Without brackets it is not known which: the main queue runs the oldest.
    if !controller.comparability.hasCauses, let step = scheduler.takeOldest() { return step }
    // A policy's `resumed` says that it was bound, which an app's controller knows nothing of.
    if entry.event.row.cause == 0 { return nil }
    noteUnhappened(entry.seq, controller)
    diverge(.missing(recorded(entry)), entry, controller)
    return nil
  }

  /// A controller tells a state something; what the state did about it happens now.
  private func stateTold(_ state: ReplayState) {
    guard !isSpoilt else { return }
    drain(.inState, state)
  }

  /// What a state is called that is asked for right now.
  func requestedName(_ id: Int32) -> StateName? {
    guard let telling = tellings.last, telling.controller == id, !telling.isReported else {
      return nil
    }
    return policies.names[telling.entry.event.row.state]
  }
}

// MARK: What was recorded inside

extension OpaqueReplay {
  /// Tells what was recorded next inside of the innermost handling.
  ///
  /// - Parameter state: the state whose call it is, if it is one's.
  func drain(_ place: Place, _ state: ReplayState? = nil) {
    if placement.hasEarly { drainUnbracketed(state) }
    guard let frame = frames.last, let seq = frame.seq else { return }
    while !isSpoilt, let entry = window.next(onThread: frame.thread) {
      guard entry.event.kind != .resumed,
        entry.parent == seq || isLeftBehind(entry, place, frame) || isInBetween(entry, frame)
      else {
        noteInTheMidst(entry)
        if isOfGivenUp(entry, in: frame) {
          pass(entry)
        } else if !leaveOutLost(entry) {
          return
        }
        continue
      }
      if isAlongside(entry) {
        takeAlongside(entry)
        continue
      }
      guard let controller = controllers[entry.controller], let kind = entry.event.kind else {
        pass(entry)
        continue
      }
      if window.next(of: controller.id)?.seq != entry.seq {
        // Something of this controller's comes before it, on another thread.
        return overlap(controller, entry)
      }
      if controller.isOutput(kind) {
        guard place == .end else { return }
        miss(entry, controller)
      } else if isTime(place, entry, frame) {
        if place == .beginning, entry.controller == frame.controller {
          frames[frames.count - 1].toldAtOnce = Placement.Making(entry.event.kind)
        }
        noteGuess(entry, place, frame)
        tell(entry, controller)
      } else {
        return
      }
    }
  }

  /// Whether it happened further out, and what is innermost goes on after it: observers who are told
  /// that an order is about to be given act outside of it.
  private func isInBetween(_ entry: RecordingWindow.Entry, _ frame: Frame) -> Bool {
    (entry.isInput || isAlongside(entry)) && isUnderWay(entry.parent) && goesOn(frame, after: entry)
  }

  /// Whether it happened inside of what is innermost, at a controller that is replayed no further:
  /// nobody there waits for it.
  private func isOfGivenUp(_ entry: RecordingWindow.Entry, in frame: Frame) -> Bool {
    if isAlongside(entry) || controllers[entry.controller] != nil { return false }
    if entry.event.kind == .resumed { return goesOn(frame, after: entry) }
    return entry.parent > frame.seq ?? .max && !isUnderWay(entry.parent) && !isUnheard(entry.parent)
  }

  /// Whether what is innermost was not over yet: observers may hear of it later than it is handled.
  private func goesOn(_ frame: Frame, after entry: RecordingWindow.Entry) -> Bool {
    window.goesOn(after: entry) { $0.parent == frame.seq && (frame.isHeard || !$0.isHeard) }
  }

  /// Goes past what was recorded inside of something that did not happen.
  private func leaveOutLost(_ entry: RecordingWindow.Entry) -> Bool {
    let cause = entry.event.row.cause
    guard cause != 0, policies.isUnhappened(cause), !isAlongside(entry),
      let controller = controllers[entry.controller], let kind = entry.event.kind
    else { return false }
    if controller.isOutput(kind) { miss(entry, controller) } else { tell(entry, controller) }
    return true
  }

  /// Without brackets nothing says that an input happened inside, but that it must have.
  private func drainUnbracketed(_ state: ReplayState?) {
    guard let id = tellings.last?.controller, let controller = controllers[id],
      !controller.comparability.hasCauses
    else { return }
    while !isSpoilt, let entry = window.next(of: id), placement.isEarly(entry.seq),
      entry.event.kind?.side == .input, isReady(entry, controller, state)
    {
      noteUnbracketed(entry)
      tell(entry, controller)
    }
  }

  /// Whether a state can say it here: mostly it does so in the call that tells it.
  private func isReady(
    _ entry: RecordingWindow.Entry, _ controller: OpaqueController, _ state: ReplayState?
  ) -> Bool {
    guard entry.event.kind != .enqueued,
      let script = controller.script(of: entry.event.row.visit)
    else { return true }
    if script.calls > 0 { return script === state }
    return entry.event.kind != .entered || script.isComing
  }
}

extension ReplayRequest {
  fileprivate init(_ event: RecordedEvent, _ names: RecordedNames) {
    let detail = event.detail
    priority = detail?.priority ?? 0
    asked = names[detail?.asked ?? 0]
    origin = detail.flatMap { $0.origin == 0 ? nil : VisitNumber($0.origin) }
  }
}
