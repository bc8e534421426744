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
  private var fold = VisitFold()
  /// The controllers that were attached, and those that were detached.
  private(set) var entered: Set<Int32> = []
  private(set) var left: Set<Int32> = []
  /// The controllers with inputs that are not known any more.
  private var lost: Set<Int32> = []
  /// The entrances of controllers that have not been told anything yet.
  private var begun: [Int32: Int] = [:]
  /// The messages that models send themselves, each with the one that they were told in whose handling they
  /// do.
  private var own: [Int64: Int64] = [:]
  /// What each track showed last.
  private var shown: [Int32: Int32] = [:]
  /// The messages that are not sent, because they, what they answer or what they are passed on from are
  /// skipped.
  private var unasked: Set<Int64> = []
  /// How much later messages come: what answers one comes as much later.
  private var delayed: [Int64: Int64] = [:]
  /// The number of requests that were inserted.
  private var inserted: UInt32 = 0

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
    _ = past.note(event, kind, isPlayed: isPlayed(event.row), names)
  }

  /// Leaves open how calls end that have no answer yet: the recording may end before it.
  mutating func leaveOpen() {
    script.told = script.told.filter { moment in
      script.spokenFor.contains(moment)
        || script.hung[moment]?.contains { if case .complete = $0.action { true } else { false } }
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
    let event = past.note(event, kind, isPlayed: isPlayed, names)
    if kind == .attached, isPlayed {
      enter(event.row.controller, at: event.row.time, seq: event.row.seq)
    } else if kind == .detached, isPlayed {
      left.insert(event.row.controller)
      script.entrances.append(
        .init(
          controller: event.row.controller, recordedTime: event.row.time, seq: event.row.seq,
          isEnd: true, goesOn: event.row.reason == EventReason.continues.code,
          time: event.row.time))
    } else if isPlayed {
      noteBegun(event.row)
    }
    try insert(edits, after: event, kind, isPlayed: isPlayed)
    let changes = edits.filter { if case .insert = $0 { false } else { true } }
    if isPlayed, kind.side == .input, kind != .attached, kind != .detached {
      if changes.areFinishing, event.row.isFinished != false {
        try refuse(changes) { .nothingToFinish($0, session: session) }
      }
      perform(event, kind, changes)
    } else if !lost.contains(event.row.controller) {
      try refuse(changes) { edit in
        if !isPlayed { return .notReplayed(edit, session: session) }
        return kind.side == .input
          ? .endOfRecording(edit, session: session) : .noInput(edit, session: session)
      }
    }
    if isPlayed { past.follow(event.row, kind) }
    if kind == .moved {
      script.moving.insert(event.row.inside)
      if let told = own[event.row.inside] { script.moving.insert(told) }
      if shown.updateValue(event.row.state, forKey: event.row.controller) != event.row.state {
        script.changing.insert(own[event.row.inside] ?? event.row.inside)
      }
      script.moves[event.row.controller, default: 0] += 1
    }
    if isPlayed, kind == .entering || kind == .exiting {
      let moment = Moment(event.row, kind)
      script.told.insert(moment)
      if kind == .exiting, let detail = event.detail, detail.answers & RouteTable.awaitsUser != 0 {
        script.awaitingUser.insert(
          VisitKey(controller: event.row.controller, visit: event.row.visit))
      }
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
      if cast.parts[event.row.controller]?.record.isTrack == true {
        throw .insertedAtTrack(edit, session: session)
      }
      var input = RequestInput(StateName(state))
      inserted += 1
      input.visit = RecordedInput.firstInserted + inserted
      input.instance = input.visit
      var cue = ScriptCue(
        seq: nil, place: seq, controller: event.row.controller, action: .request(input),
        delay: event.row.time, edits: [edit])
      if Moment.isOne(kind) {
        cue.delay = 0
        script.hung[Moment(event.row, kind), default: []].append(cue)
      } else {
        script.timed.append(cue)
      }
    }
  }
}

// MARK: Inputs, and what each depends on

extension ScriptWriter {
  /// Adds what a controller was told to the script.
  private mutating func perform(_ event: RecordedEvent, _ kind: EventKind, _ edits: [Edit]) {
    guard let input = RecordedInput(event, names: names) else {
      script.doubts.append(.unreadable(seq: event.row.seq))
      return
    }
    switch input {
    case .completion(let visit, let completion, let fit, _):
      complete(completion, visit.rawValue, fit, event, edits)
    case .message(let name, let payload):
      // A message does not depend on the call that it lies in.
      var row = event.row
      let origin = own[row.ownCause] ?? row.ownCause
      row.ownCause = 0
      // A model sends its own messages again by itself. What answers one of them answers what it was told.
      if isOwn(row) {
        own[row.seq] = own[row.inside] ?? row.inside
        return
      }
      let around = past.message(around: row).map { own[$0] ?? $0 } ?? 0
      let cause = unasked.contains(around) ? around : origin
      let isUnasked = unasked.contains(cause)
      if edits.areSkipping || isUnasked { unasked.insert(row.seq) }
      if isUnasked, !edits.areSkipping {
        script.unasked.append(
          .unasked(seq: row.seq, name: name.description, because: cause))
        return
      }
      if past.isUnplayed(origin), script.unplayed[row.controller] == nil {
        script.unplayed[row.controller] = row.seq
      }
      let delay = edits.delay ?? max(0, delayed[origin] ?? 0)
      if delay != 0 { delayed[row.seq] = delay }
      add(
        event, .receive(name, payload, answering: origin), edits, past.anchor(of: row),
        delayedBy: delay)
    case .signal(.requested): request(event, edits)
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
    guard cast.parts[event.row.controller]?.isOurs != true, let put = past.deferral(event.row)
    else {
      return add(event, .resume, edits, past.anchor(of: event.row))
    }
    let delay = put.delay.addingClamped(edits.delay ?? 0)
    script.steps[put.moment, default: []].append(
      Script.Deferred(
        number: event.detail?.step ?? 0, delay: delay, seq: event.row.seq, edits: edits))
  }

  private mutating func request(_ event: RecordedEvent, _ edits: [Edit]) {
    guard let input = RequestInput(event, names: names) else { return }
    if isOwn(event.row) {
      let key = Script.OwnRequest(controller: event.row.controller, state: input.state)
      script.ownRequests[key, default: []].append(input.visit)
      return
    }
    let anchor =
      past.anchor(of: event.row)
      ?? (past.message(around: event.row) == nil
        ? past.anchor(ofOrigin: input.origin, event.row) : nil)
    add(event, .request(input), edits, anchor)
  }

  private mutating func complete(
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
    let isFinished = edits.areFinishing ? true : event.row.isFinished
    add(event, .complete(completion, visit, role, isFinished: isFinished), edits, anchor)
  }

  /// Whether an opaque controller did this by itself when it was told something, and will do it
  /// again.
  private func isOwn(_ row: EventRow) -> Bool {
    // A model that is replaced by another sends itself what that one does.
    guard let part = cast.parts[row.controller], part.record.isTrack || !part.isReplaced,
      cast.opaque.contains(row.controller)
    else { return false }
    return past.isInsideOwnInput(row)
  }

  private mutating func add(
    _ event: RecordedEvent, _ action: ScriptCue.Action, _ edits: [Edit],
    _ anchor: RecordedPast.Anchor?,
    delayedBy delay: Int64 = 0
  ) {
    var cue = ScriptCue(
      seq: event.row.seq, place: event.row.seq, controller: event.row.controller, action: action,
      delay: anchor?.delay ?? event.row.time, isInside: anchor?.isInside ?? false, edits: edits)
    (cue.site, cue.thread) = (event.row.site, event.row.thread)
    if edits.delay != nil || delay != 0 {
      cue.delay = cue.delay.addingClamped(edits.delay ?? delay)
      cue.isInside = false
    }
    if edits.isEmpty, cast.opaque.contains(cue.controller),
      let call = past.call(of: event.row)
    {
      if case .complete = action {
        script.doubts.append(.cannotBePlaced(controller: cue.controller, seq: event.row.seq))
      } else {
        cue.call = call
        cue.isInside = true
        script.called[call, default: []].append(cue)
        return
      }
    }
    if let anchor {
      script.hung[anchor.moment, default: []].append(cue)
    } else if edits.delay == nil, delay == 0, action.isMade,
      let message = past.message(around: event.row)
    {
      cue.message = own[message] ?? message
      cue.isInside = true
      script.within[cue.message, default: []].append(cue)
    } else {
      script.timed.append(cue)
    }
  }
}
