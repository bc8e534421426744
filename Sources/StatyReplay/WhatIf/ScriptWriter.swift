import Staty
import StatyHistory

/// Makes a ``Script`` of a recording, event by event.
struct ScriptWriter {
  private(set) var script = Script()
  private let session: Int64
  private let cast: Cast
  private let names: RecordedNames
  private var edits: [Int64: [Edit]]
  private var past = RecordedPast()
  private var known: Set<Int64> = []
  /// The controllers that have come in, and those that have gone.
  private(set) var entered: Set<Int32> = []
  private(set) var left: Set<Int32> = []
  /// Those of which it is not known any more what they were told.
  private var lost: Set<Int32> = []
  /// The entrances of controllers that have not been told anything yet.
  private var begun: [Int32: Int] = [:]

  init(_ session: Int64, _ cast: Cast, _ names: RecordedNames, _ edits: [Edit]) {
    self.session = session
    self.cast = cast
    self.names = names
    self.edits = Dictionary(grouping: edits, by: \.seq)
  }

  /// Takes in the next event.
  mutating func take(_ event: RecordedEvent) throws(EditError) {
    let edits = edits.removeValue(forKey: event.row.seq) ?? []
    guard let kind = event.kind else {
      script.doubts.append(.unreadable(seq: event.row.seq))
      return try refuse(edits) { .unreadable($0, session: session) }
    }
    script.durations.take(event.row)
    let isPlayed = isPlayed(event.row)
    let event = past.note(event, kind, isPlayed: isPlayed)
    if kind == .attached, isPlayed {
      enter(event.row.controller, at: event.row.time, seq: event.row.seq)
    } else if kind == .detached, isPlayed {
      left.insert(event.row.controller)
      script.entrances.append(
        .init(
          controller: event.row.controller, recordedTime: event.row.time, seq: event.row.seq,
          isEnd: true, time: event.row.time))
    } else if isPlayed {
      noteBegun(event.row)
    }
    try insert(edits, after: event, kind, isPlayed: isPlayed)
    let changes = edits.filter { if case .insert = $0 { false } else { true } }
    if isPlayed, kind.side == .input, kind != .attached, kind != .detached {
      perform(event, kind, changes)
    } else if !lost.contains(event.row.controller) {
      try refuse(changes) { edit in
        if !isPlayed { return .notReplayed(edit, session: session) }
        return kind.side == .input
          ? .endOfRecording(edit, session: session) : .noInput(edit, session: session)
      }
    }
    if isPlayed { past.follow(event.row, kind) }
    if isPlayed, kind == .entering || kind == .exiting {
      script.told.insert(moment(event, kind))
      if past.isInTurn(kind, event.row) { script.toldInTurn.insert(moment(event, kind)) }
    }
  }

  /// The recording is over.
  ///
  /// - Parameter end: from this number on an event may be one that is missing.
  func finish(knownBefore end: Int64) throws(EditError) {
    guard let edit = edits.keys.min().flatMap({ $0 < end ? edits[$0]?.first : nil }) else { return }
    throw .noEvent(edit, session: session)
  }

  /// A controller whose beginning was cut off comes in with its snapshot.
  mutating func enter(_ id: Int32, at time: Int64, seq: Int64) {
    guard cast.plays(id), let part = cast.parts[id], entered.insert(id).inserted else { return }
    begun[id] = script.entrances.count
    script.entrances.append(
      .init(controller: id, recordedTime: time, seq: seq, isEnd: false, time: time))
    guard let snapshot = SnapshotRecord(part.record.snapshot) else { return }
    script.told.formUnion(past.begin(id, with: snapshot, at: time, seq: seq))
  }

  /// The recorder's clock need not be the controller's: it was attached before it was told this.
  private mutating func noteBegun(_ row: EventRow) {
    guard let place = begun.removeValue(forKey: row.controller) else { return }
    script.entrances[place].time = min(script.entrances[place].time, row.time)
  }

  /// From here on it is not known what a controller was told.
  mutating func lose(_ id: Int32) { lost.insert(id) }

  private func isPlayed(_ row: EventRow) -> Bool {
    guard cast.plays(row.controller), !lost.contains(row.controller),
      let part = cast.parts[row.controller]
    else { return false }
    guard let cut = part.record.cut else { return true }
    return cut.standing == .known && row.seq >= cut.since
  }

  private func moment(_ event: RecordedEvent, _ kind: EventKind) -> Moment {
    Moment(controller: event.row.controller, visit: event.row.visit, kind: kind)
  }
}

// MARK: Edits

extension ScriptWriter {
  private func refuse(
    _ edits: [Edit], because error: (Edit) -> EditError
  ) throws(EditError) {
    if let edit = edits.first { throw error(edit) }
  }

  private mutating func insert(
    _ edits: [Edit], after event: RecordedEvent, _ kind: EventKind, isPlayed: Bool
  ) throws(EditError) {
    for edit in edits {
      guard case .insert(let seq, let state) = edit else { continue }
      if lost.contains(event.row.controller) { continue }
      guard isPlayed else { throw .notReplayed(edit, session: session) }
      var cue = Cue(
        seq: nil, place: seq, controller: event.row.controller,
        action: .ask(Ask(StateName(state))), delay: event.row.time, edits: [edit])
      if Moment.isOne(kind) {
        cue.delay = 0
        script.hung[moment(event, kind), default: []].append(cue)
      } else {
        script.timed.append(cue)
      }
    }
  }
}

// MARK: Inputs

extension ScriptWriter {
  private mutating func perform(_ event: RecordedEvent, _ kind: EventKind, _ edits: [Edit]) {
    guard let input = RecordedInput(event, names: names) else {
      script.doubts.append(.unreadable(seq: event.row.seq))
      return
    }
    switch input {
    case .completion(let visit, let completion, let fit):
      say(completion, visit.rawValue, fit, event, edits)
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

  /// Of a policy it says that what states are shown on is there; of an app's own controller, that a
  /// step ran which it had put off.
  private mutating func resume(_ event: RecordedEvent, _ edits: [Edit]) {
    guard !cast.performing.contains(event.row.controller), let put = past.putOff(event.row) else {
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
    // What a controller says to itself, it says again.
    if isOwn(event.row) {
      let told: EventKind = completion == .entered ? .entering : .exiting
      script.spokenFor.insert(
        Moment(controller: event.row.controller, visit: visit, kind: told))
      return
    }
    if cast.parts[event.row.controller]?.record.comparability.hasOrders == false {
      // Nothing says when the state was told, nor whether it was.
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

  /// Whether an opaque controller did this by itself when it was told something, and will again.
  private func isOwn(_ row: EventRow) -> Bool {
    guard let part = cast.parts[row.controller], part.name == part.record.policy,
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
    if let anchor {
      script.hung[anchor.moment, default: []].append(cue)
    } else {
      script.timed.append(cue)
    }
  }
}
