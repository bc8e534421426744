import Staty
import StatyHistory

// The inputs of controllers, and what each depends on.
extension ScriptWriter {
  /// Adds what a controller was told to the script.
  mutating func perform(_ event: RecordedEvent, _ kind: EventKind, _ edits: [Edit]) {
    guard let input = RecordedInput(event, names: names) else {
      script.doubts.append(.unreadable(seq: event.row.seq))
      return
    }
    switch input {
    case .completion(let visit, let completion, let fit):
      say(completion, visit.rawValue, fit, event, edits)
    case .message(let name, let payload):
      // A message does not depend on the call that it lies in.
      var row = event.row
      let origin = row.ownCause
      row.ownCause = 0
      // A model sends its own messages again by itself.
      if isOwn(row) { return }
      add(event, .receive(name, payload, answering: origin), edits, past.anchor(of: row))
    case .signal(.requested(let request)): ask(request, event, edits)
    case .signal(.cancelled(let cancellation)):
      add(event, .cancel(cancellation), edits, past.anchor(of: event.row))
    case .signal(.deadline(let visit, let awaited, let recovery)):
      let told: EventKind = awaited == .entered ? .entering : .exiting
      let anchor = past.anchor(
        .init(controller: event.row.controller, visit: visit.rawValue, kind: told), event.row)
      add(event, .deadline(visit.rawValue, awaited, recovery), edits, anchor)
    case .signal(.resumed): resume(event, edits)
    case .signal: break
    }
  }

  /// For a policy, adds that the view for its states was bound; for an app's own controller, that a
  /// deferred step ran.
  private mutating func resume(_ event: RecordedEvent, _ edits: [Edit]) {
    guard cast.makers[event.row.controller] != .ours, let put = past.putOff(event.row) else {
      return add(event, .resume, edits, past.anchor(of: event.row))
    }
    var step = Script.PutOff(delay: put.delay, seq: event.row.seq, edits: edits)
    for edit in edits {
      switch edit {
      case .skip: step.isSkipped = true
      case .delay(_, let time): step.delay = step.delay.addingClamped(time)
      case .insert: break
      }
    }
    script.steps[put.moment, default: []].append(step)
  }

  private mutating func ask(_ request: Request, _ event: RecordedEvent, _ edits: [Edit]) {
    if isOwn(event.row) {
      let key = Script.OwnRequest(controller: event.row.controller, state: request.state)
      script.ownRequests[key, default: []].append(event.row.visit)
      return
    }
    var ask = Ask(request.state)
    ask.visit = event.row.visit
    ask.instance = event.instance
    ask.priority = request.priority
    ask.equality = event.detail?.equality
    ask.answers = request.answers
    ask.objection = request.objection
    ask.asked = names[event.detail?.asked ?? 0]
    ask.origin = event.detail?.origin ?? 0
    ask.payload = event.payload
    let anchor =
      past.anchor(of: event.row) ?? past.anchor(ofOrigin: ask.origin, event.row)
    add(event, .ask(ask), edits, anchor)
  }

  private mutating func say(
    _ completion: Completion, _ visit: UInt32, _ fit: Fit, _ event: RecordedEvent, _ edits: [Edit]
  ) {
    // A controller makes its own reports again by itself.
    if isOwn(event.row) {
      let told: EventKind = completion == .entered ? .entering : .exiting
      script.spokenFor.insert(
        Moment(controller: event.row.controller, visit: visit, kind: told))
      return
    }
    if cast.parts[event.row.controller]?.record.comparability.hasOrders == false {
      // The recording does not say whether or when the state was told.
      guard edits.contains(.skip(event.row.seq)) else { return }
      let told: EventKind = completion == .entered ? .entering : .exiting
      script.silenced[Moment(controller: event.row.controller, visit: visit, kind: told)] =
        .skip(event.row.seq)
      return
    }
    let (role, told) = past.role(of: completion, fit, event.row)
    let anchor = told.flatMap { past.anchor($0, event.row) }
    add(event, .say(completion, visit, role), edits, anchor)
  }

  /// Whether an opaque controller did this by itself when it was told something, and will do it
  /// again.
  private func isOwn(_ row: EventRow) -> Bool {
    guard let part = cast.parts[row.controller], !part.isReplaced,
      cast.opaque.contains(row.controller)
    else { return false }
    return past.isInsideOwnInput(row)
  }

  private mutating func add(
    _ event: RecordedEvent, _ action: Cue.Action, _ edits: [Edit], _ anchor: RecordedPast.Anchor?
  ) {
    var cue = Cue(
      seq: event.row.seq, place: event.row.seq, controller: event.row.controller, action: action,
      delay: anchor?.delay ?? event.row.time, isInside: anchor?.isInside ?? false, edits: edits)
    (cue.site, cue.thread) = (event.row.site, event.row.thread)
    for edit in edits {
      switch edit {
      case .skip: cue.isSkipped = true
      case .delay(_, let time):
        cue.delay = cue.delay.addingClamped(time)
        cue.isInside = false
      case .insert: break
      }
    }
    if cast.opaque.contains(cue.controller), past.isInCall(event.row) {
      script.doubts.append(.cannotBePlaced(controller: cue.controller, seq: event.row.seq))
    }
    if let anchor {
      script.hung[anchor.moment, default: []].append(cue)
    } else {
      script.timed.append(cue)
    }
  }
}
