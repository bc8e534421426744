import Staty
import StatyHistory

// Comparing what controllers report with what they reported when they were recorded.
extension OpaqueReplay {
  /// A controller reports something, and what it does about it comes next.
  ///
  /// - Returns: whether it may.
  func made(_ event: TransitionEvent, _ id: Int32, about object: AnyObject?) -> Bool {
    guard let controller = controllers[id], !isSpoilt else {
      frames.append(Frame(event, id, seq: nil, thread: 0))
      return true
    }
    let cause = frames.last.map { $0.seq ?? -1 } ?? 0
    let output = Output(event, cause: cause)
    policies.digest.add(output)
    if let state = event.state { policies.digest.add(state.description) }
    let (seq, thread) = place(event, output, controller, about: object)
    let frame = Frame(event, id, seq: seq, thread: thread)
    frames.append(frame)
    if effort.isTooMuch(depth: frames.count) {
      runAway(controller, at: tellings.last?.entry.seq ?? 0)
      return false
    }
    if controller.context.probe.events.isInDelivery {
      unheard[event.number] = frame
      drain(.unheard)
    }
    return true
  }

  /// What a controller did about something is done.
  func finished(_ event: TransitionEvent) {
    guard let place = frames.lastIndex(where: { $0.number == event.number }) else { return }
    frames.removeSubrange((place + 1)...)
    if !isSpoilt { drain(.end) }
    frames.removeSubrange(place...)
    if placement.hasEarly, !isSpoilt { drain(.between) }
  }

  /// Finds the recorded event that a report is.
  private func place(
    _ event: TransitionEvent, _ output: Output, _ controller: OpaqueController,
    about object: AnyObject?
  ) -> (seq: Int64?, thread: UInt8) {
    if let telling = tellings.last, telling.controller == controller.id, !telling.isReported,
      event.kind.side == .input
    {
      tellings[tellings.count - 1].isReported = true
      compareTold(event, output, telling.entry, controller)
      return (telling.entry.seq, telling.entry.event.row.thread)
    }
    let thread = frames.last?.thread ?? tellings.last?.entry.event.row.thread ?? 0
    guard let entry = window.next(of: controller.id) else {
      goBeyond(output, controller)
      return (nil, thread)
    }
    guard recorded(entry, asFarAsIn: output, controller) == output,
      policies.names[entry.event.row.state] == event.state
    else { return (part(event, output, entry, controller), thread) }
    accept(entry, controller, about: object)
    return (entry.seq, entry.event.row.thread)
  }

  /// The controller did what the recording says that it did next.
  private func accept(
    _ entry: RecordingWindow.Entry, _ controller: OpaqueController, about object: AnyObject?
  ) {
    pass(entry)
    controller.follow(entry.event)
    if entry.event.kind == .enqueued { controller.noteOwnRequest(entry.event, about: object) }
    if entry.isInput, entry.event.kind != .enqueued { placement.noteSpeaking(controller.id) }
    if entry.event.kind.map(controller.isOutput) ?? false {
      policies.result.matched += 1
    } else {
      policies.result.told += 1
    }
  }

  /// What a controller says that it was told, against what it said then.
  private func compareTold(
    _ event: TransitionEvent, _ output: Output, _ entry: RecordingWindow.Entry,
    _ controller: OpaqueController
  ) {
    let expected = recorded(entry, asFarAsIn: output, controller)
    var replayed = output
    replayed.cause = expected.cause
    if replayed == expected, policies.names[entry.event.row.state] == event.state { return }
    if isSupposedWrongly(nil, controller) { return }
    let fits: (EventKind) -> Fit = { $0 == .stray ? .stray : .fits }
    if expected.visit == replayed.visit, (expected.kind == .stray) != (replayed.kind == .stray) {
      let isExit =
        expected.kind == .exited || entry.event.row.reason == EventReason.strayExited.code
      diverge(
        .stray(
          expected.visit, isExit ? .exited : .entered, recorded: fits(expected.kind),
          replayed: fits(replayed.kind)), entry, controller)
    } else {
      diverge(.different(recorded: recorded(entry), replayed: output), entry, controller)
    }
  }

  /// What the recording says, in the words of a report.
  func recorded(_ entry: RecordingWindow.Entry) -> Output {
    Output(reportedIn: entry.event, entry.event.kind ?? .lost, policies.names)
  }

  /// The same with what is compared of its cause, and what is not known of it as in the report.
  private func recorded(
    _ entry: RecordingWindow.Entry, asFarAsIn output: Output, _ controller: OpaqueController
  ) -> Output {
    var recorded = recorded(entry).completed(by: output)
    recorded.cause = controller.comparability.hasCauses ? entry.parent : output.cause
    return recorded
  }
}
