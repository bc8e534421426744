import Staty
import StatyHistory

/// Makes a ``Script`` of a recording, event by event.
struct ScriptWriter {
  var script = Script()
  private let session: Int64
  let cast: Cast
  let names: RecordedNames
  private var edits: [Int64: [Edit]]
  var past = RecordedPast()
  private var fold = VisitFold()
  /// The controllers that were attached, and those that were detached.
  private(set) var entered: Set<Int32> = []
  private(set) var left: Set<Int32> = []
  /// The controllers with inputs that are not known any more.
  private var lost: Set<Int32> = []
  /// The entrances of controllers that have not been told anything yet.
  private var begun: [Int32: Int] = [:]

  init(_ session: Int64, _ cast: Cast, _ names: RecordedNames, _ edits: [Edit]) {
    self.session = session
    self.cast = cast
    self.names = names
    self.edits = Dictionary(grouping: edits, by: \.seq)
    fold.noticesGaps = false
    for part in cast.parts.values { fold.add(part.record) }
  }

  /// Takes the next event.
  mutating func take(_ event: RecordedEvent) throws(EditError) {
    try take(event, edits.removeValue(forKey: event.row.seq) ?? [])
  }

  /// Takes an event after the played ones, if it belongs to one of their visits.
  mutating func goOn(_ event: RecordedEvent) throws(EditError) {
    guard let kind = event.kind else { return }
    switch kind {
    case .entering, .entered, .exiting, .exited:
      if past.knows(event.row) { return try take(event, []) }
    default: break
    }
    _ = past.note(event, kind, isPlayed: isPlayed(event.row))
  }

  /// Leaves open how calls end that have no answer yet: the recording may end before it.
  mutating func leaveOpen() {
    script.told = script.told.filter { moment in
      script.spokenFor.contains(moment)
        || script.hung[moment]?.contains { if case .say = $0.action { true } else { false } }
          == true
    }
  }

  private mutating func take(_ event: RecordedEvent, _ edits: [Edit]) throws(EditError) {
    guard let kind = event.kind else {
      script.doubts.append(.unreadable(seq: event.row.seq))
      return try refuse(edits) { .unreadable($0, session: session) }
    }
    script.durations.take(event.row)
    _ = fold.take(event.row, event.detail)
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
    if kind == .moved { script.moving.insert(event.row.inside) }
    if isPlayed, kind == .entering || kind == .exiting {
      let moment = Moment(event.row, kind)
      script.told.insert(moment)
      // To enter while no other visit is on the stage, or to exit after it has entered.
      if kind == .entering ? fold.change.other == 0 : past.mayExit(event.row) {
        script.toldInTurn[moment] = event.row.time
      }
    }
  }

  /// Ends the script.
  ///
  /// - Parameter end: from this number on an event may be one that is missing.
  func finish(knownBefore end: Int64) throws(EditError) {
    guard let edit = edits.keys.min().flatMap({ $0 < end ? edits[$0]?.first : nil }) else { return }
    throw .noEvent(edit, session: session)
  }

  /// Begins a controller with its snapshot, because its `attached` is missing.
  mutating func enter(_ id: Int32, at time: Int64, seq: Int64) {
    guard cast.plays(id), let part = cast.parts[id], entered.insert(id).inserted else { return }
    begun[id] = script.entrances.count
    script.entrances.append(
      .init(controller: id, recordedTime: time, seq: seq, isEnd: false, time: time))
    guard let snapshot = SnapshotRecord(part.record.snapshot) else { return }
    script.told.formUnion(past.begin(id, with: snapshot, seq: seq))
  }

  /// The recorder's clock may differ from the controller's: a controller is attached before it is
  /// told anything.
  private mutating func noteBegun(_ row: EventRow) {
    guard let place = begun.removeValue(forKey: row.controller) else { return }
    script.entrances[place].time = min(script.entrances[place].time, row.time)
  }

  /// Notes that from here on the inputs of a controller are not known.
  mutating func lose(_ id: Int32) { lost.insert(id) }

  private func isPlayed(_ row: EventRow) -> Bool {
    cast.plays(row.controller) && !lost.contains(row.controller)
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
        script.hung[Moment(event.row, kind), default: []].append(cue)
      } else {
        script.timed.append(cue)
      }
    }
  }
}
