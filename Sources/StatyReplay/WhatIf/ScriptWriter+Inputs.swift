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
    case .signal(.requested): ask(event, edits)
    case .signal(.cancelled(let cancellation)):
      add(event, .cancel(cancellation), edits, past.anchor(of: event.row))
    case .signal(.deadline(let visit, let awaited, let recovery)):
      let told = Moment(event.row, awaited == .entered ? .entering : .exiting)
      let anchor = past.anchor(told, event.row)
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
    let delay = put.delay.addingClamped(edits.delay ?? 0)
    script.steps[put.moment, default: []].append(
      Script.PutOff(delay: delay, seq: event.row.seq, edits: edits))
  }

  private mutating func ask(_ event: RecordedEvent, _ edits: [Edit]) {
    guard let ask = Ask(event, names: names) else { return }
    if isOwn(event.row) {
      let key = Script.OwnRequest(controller: event.row.controller, state: ask.state)
      script.ownRequests[key, default: []].append(ask.visit)
      return
    }
    let anchor =
      past.anchor(of: event.row) ?? past.anchor(ofOrigin: ask.origin, event.row)
    add(event, .ask(ask), edits, anchor)
  }

  private mutating func say(
    _ completion: Completion, _ visit: UInt32, _ fit: Fit, _ event: RecordedEvent, _ edits: [Edit]
  ) {
    let told = Moment(event.row, completion == .entered ? .entering : .exiting)
    // A controller makes its own reports again by itself.
    if isOwn(event.row) {
      script.spokenFor.insert(told)
      return
    }
    if cast.parts[event.row.controller]?.record.comparability.hasOrders == false {
      // The recording does not say whether or when the state was told.
      if edits.contains(.skip(event.row.seq)) { script.silenced[told] = .skip(event.row.seq) }
      return
    }
    let (role, moment) = past.role(of: completion, fit, event.row)
    let anchor = moment.flatMap { past.anchor($0, event.row) }
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
    if let delay = edits.delay {
      cue.delay = cue.delay.addingClamped(delay)
      cue.isInside = false
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
