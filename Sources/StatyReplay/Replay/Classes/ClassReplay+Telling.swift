import Staty
import StatyHistory

// Telling controllers the recorded inputs.
extension ClassReplay {
  /// Takes an event that lies in the call that the replay is in: at the root, or while observers
  /// are told.
  func take(_ entry: RecordingWindow.Entry, at place: RecordedPlace) {
    guard let controller = controller(entry.controller) else { return }
    guard controller.isOutput(entry.kind) else { return tell(entry, at: place) }
    if place == .root || !controller.isPlaced, helpOutput(entry, controller) { return }
    guard controller.isPlaced else { return miss(entry, controller) }
    pass(entry)
    giveUp(controller, .unbracketed(controller: controller.id, seq: entry.seq, .unled(entry.kind)))
  }

  /// Takes an event that lies in the call that is about to return.
  func takeLast(_ entry: RecordingWindow.Entry, at place: RecordedPlace, _ owner: Int32) {
    guard let controller = controller(entry.controller) else { return }
    let isOwn = entry.controller == owner
    let why: ReplayDoubt.Unbracketed
    switch (place.part, isInput(entry)) {
    case (.called, true): return tell(entry, at: place)
    case (.handled, true) where !isOwn: return tellOther(entry)
    case (.handled, false) where isOwn: return miss(entry, controller)
    // Only the class itself can report that a state is late.
    case (.handled, true) where isOwn && entry.kind == .deadline: return miss(entry, controller)
    case (.handled, true): why = .call(in: place.seq)
    case (.performed, true): why = .tooWide(in: place.seq)
    default: why = .unled(entry.kind)
    }
    pass(entry)
    giveUp(controller, .unbracketed(controller: controller.id, seq: entry.seq, why))
  }

  /// Tells another controller an input that was recorded inside a class's handling and that the
  /// class did not cause in the replay.
  ///
  /// If that led to something at the class, the moment matters, and it is not known.
  func tellOther(_ entry: RecordingWindow.Entry) {
    guard let caller = callers(of: entry).first, let owner = controller(caller.controller),
      comesBack(entry, to: caller)
    else { return tell(entry, at: place(of: entry)) }
    let why = ReplayDoubt.Unbracketed.call(in: caller.place.seq)
    giveUp(owner, .unbracketed(controller: owner.id, seq: entry.seq, why))
  }

  /// Whether anything else than its own events happened at the caller from here on.
  private func comesBack(_ entry: RecordingWindow.Entry, to caller: ClassPlace) -> Bool {
    for later in window.ahead(where: { $0.thread == entry.thread && $0.seq >= entry.seq }) {
      let around = callers(of: later)
      guard around.contains(where: { $0 === caller }) else { return false }
      if later.controller != caller.controller { continue }
      if around.first === caller { return false }
      if around.first(where: { $0.controller == caller.controller }) === caller { return true }
    }
    return false
  }

  /// Leaves out an input in a call that is over or never happened: it cannot be told.
  func leaveOut(_ entry: RecordingWindow.Entry, in place: RecordedPlace) {
    guard let controller = controller(entry.controller) else { return }
    if !isInput(entry) { return miss(entry, controller) }
    pass(entry)
    if controller.stride != .outOfStep {
      window.leaveOut(entry)
      account.result.add(unreached: entry.seq)
    }
    end(controller.id)
  }

  /// Runs what a state did in the recording when the controller called it.
  func stateTold() {
    let place = place(numbering.place)
    while place.part == .performed, let entry = next(in: place), isInput(entry) {
      tell(entry, at: place)
    }
  }
}

// MARK: Telling

extension ClassReplay {
  /// Tells a controller an input at the place where it was recorded.
  private func tell(_ entry: RecordingWindow.Entry, at place: RecordedPlace) {
    guard let controller = controller(entry.controller) else { return }
    if controller.isPlaced, !catchUp(entry, controller, at: place) { return }
    pass(entry)
    if place != .root, place.part != .handled { Self.remember(entry, &told) }
    controller.context.clock.now = .microseconds(entry.event.row.time)
    guard let call = call(entry, controller) else { return }
    count(entry, controller)
    account.digest.add(UInt64(bitPattern: entry.seq))
    tellings.append(Telling(entry: entry))
    call()
    let telling = tellings.removeLast()
    if telling.isReported || !isRun(controller) { return }
    // It may have been told in a task that has not run, or by a registry that passes nothing on.
    if !controller.hasReported { return giveUp(controller, .silent(controller: controller.id)) }
    diverge(.missing(recorded(entry)), entry, controller)
  }

  /// Takes everything earlier of the controller.
  ///
  /// What another thread did is taken first, if possible.
  ///
  /// - Returns: whether the event is next, and was not taken meanwhile.
  private func catchUp(
    _ entry: RecordingWindow.Entry, _ controller: ReplayedClass, at place: RecordedPlace
  ) -> Bool {
    while let first = next(of: controller), first.seq < entry.seq {
      guard first.thread != thread, let root = window.next(onThread: first.thread),
        root.seq <= first.seq, self.place(of: root) == .root, !isUnderWay(root.controller),
        !isUnderWay(controller.id)
      else { break }
      let outer = (thread, base)
      (thread, base) = (root.thread, numbering.place)
      if let next = next(in: .root) { take(next, at: .root) }
      (thread, base) = outer
    }
    if next(of: controller)?.seq == entry.seq,
      place != .root || !isUnderWay(controller.id)
    {
      return true
    }
    guard isRun(controller) else { return false }
    giveUp(controller, .overlappingHandling(controller: controller.id, seq: entry.seq))
    return false
  }

  /// The call that tells the controller; `nil` if it cannot be told, or need not.
  private func call(
    _ entry: RecordingWindow.Entry, _ controller: ReplayedClass
  ) -> (() -> Void)? {
    let event = entry.event
    guard let input = RecordedInput(event, names: names) else {
      giveUp(controller, .unreadable(seq: entry.seq))
      return nil
    }
    switch input {
    case .signal(.requested):
      if let input = RequestInput(event, names: names),
        let call = controller.requestCall(input, by: input.origin)
      {
        return call
      }
    case .message(let name, let payload):
      let (call, why) = controller.subject.telling(name, payload)
      if call == nil {
        giveUp(
          controller,
          .untoldMessage(controller: controller.id, seq: entry.seq, name: name.description, why))
      }
      return call
    case .signal(.resumed): return resume(entry, controller)
    case .completion(let visit, let completion, _, let isFinished):
      // Behind a divergence, only what the class waits for is told: it need not handle more.
      if let script = controller.states[visit.rawValue]?.script, script.onCompletion != nil,
        controller.stride != .outOfStep || script.owes(completion)
      {
        return { script.complete(completion, isFinished: isFinished) }
      }
    case .signal(.cancelled(let cancellation)):
      if let cancel = controller.cancelling(cancellation) { return cancel }
    default: break
    }
    giveUp(controller, .cannotBeTold(controller: controller.id, seq: entry.seq))
    return nil
  }

  /// The deferred step that the event says was run.
  private func resume(
    _ entry: RecordingWindow.Entry, _ controller: ReplayedClass
  ) -> (() -> Void)? {
    let scheduler = controller.context.scheduler
    let cause = entry.event.row.cause
    let number = entry.event.detail?.step ?? 0
    if let step = number == 0 ? scheduler.take(cause: cause) : scheduler.take(number: number) {
      return step
    }
    if !controller.isPlaced, let step = scheduler.takeOldest() { return step }
    // A policy's `resumed` says that it was bound, which does not exist for an app's own
    // controller.
    if cause == 0, !controller.isPlaced { return nil }
    if scheduler.isOutside(number) {
      giveUp(controller, .elsewhere(controller: controller.id))
      return nil
    }
    diverge(.missing(recorded(entry)), entry, controller)
    return nil
  }

  /// The name of the state that is being requested.
  func requestedName(_ id: Int32) -> StateName? {
    guard let telling = tellings.last, telling.entry.controller == id, !telling.isReported else {
      return nil
    }
    return names[telling.entry.event.row.state]
  }
}

// MARK: Outputs that nothing leads to

extension ClassReplay {
  /// Looks for an unreported step or input that leads to the next output.
  ///
  /// - Returns: whether the output has happened, or its controller is given up.
  private func helpOutput(
    _ entry: RecordingWindow.Entry, _ controller: ReplayedClass
  ) -> Bool {
    if entry.kind == .entered { return arrive(entry, controller) }
    let isThere = { [self] in isRun(controller) }
    let isWaiting = { [self] in next(of: controller)?.seq == entry.seq }
    let scheduler = controller.context.scheduler
    while isThere(), isWaiting(),
      let step = controller.isPlaced ? scheduler.takeUntold() : scheduler.takeOldest()
    {
      if isTooManySteps() {
        giveUp(controller, .runaway(controller: controller.id, seq: entry.seq))
      } else {
        step()
      }
    }
    // A controller without brackets may report an input after the output that it led to.
    if !controller.isPlaced, isThere(), isWaiting(), let input = nextInput(controller) {
      tell(input, at: .root)
    }
    return !isThere() || !isWaiting()
  }

  /// With three kinds alone: the state was told to enter and now reports that it has entered.
  private func arrive(_ entry: RecordingWindow.Entry, _ controller: ReplayedClass) -> Bool {
    guard let script = controller.states[entry.event.row.visit]?.script, script.isComing,
      script.onCompletion != nil
    else { return false }
    tell(entry, at: .root)
    return true
  }

  private func nextInput(_ controller: ReplayedClass) -> RecordingWindow.Entry? {
    let next = window.ahead { $0.controller == controller.id && $0.kind.side != .output }.first
    guard let next, isInput(next), next.kind != .detached, next.event.row.cause == 0 else {
      return nil
    }
    return next
  }
}
