import Staty
import StatyHistory
import StatyRules

/// Plays a script to controllers on a virtual clock.
///
/// One item of the agenda is performed after the other, each with everything that it causes. The
/// events are written as a recorder would write them, and the rules check them as they come.
final class WhatIfRun {
  /// The limits of a run.
  struct Limits {
    /// The number of events.
    var events = 100_000
    /// The number of deferred steps in a row without an event.
    var idleSteps = 100_000
    /// The time after the last input from outside, in microseconds.
    var pause: Int64 = .max
  }

  private var script: Script
  private let cast: Cast
  let numbering = Numbering()
  let thread = RunningThread()
  private(set) var now: Int64 = 0
  private(set) var players: [Int32: any Player] = [:]
  private(set) var visits = PlayedVisits()
  private(set) var log: PlayedLog
  private(set) var assumptions: [Assumption] = []
  var doubts: [ReplayDoubt] = []
  private var invariants = InvariantWatch()
  private var calls = OpenCalls()
  private var agenda = Agenda()
  /// How long a state takes if nothing lawful was recorded of it, in microseconds.
  private let assumed: Int64
  private let limits: Limits
  private var idleSteps = 0
  /// When the last known input from outside comes.
  private var lastDue: Int64 = 0
  /// The messages that were not sent.
  private var unasked: Set<Int64> = []
  /// The tracks to whose models a message was sent.
  private var sentTo: Set<Int32> = []
  /// The edits that changed something.
  private var effective: Set<Edit> = []
  /// The moments at which a state is assumed to answer that did not answer the same call, and
  /// whether it is told in its turn now.
  private var presumed: [Moment: Bool] = [:]
  private var lastCue: Int64 = 0
  /// Whether it was given up.
  private(set) var isGivenUp = false

  init(
    _ script: Script, _ cast: Cast, _ log: PlayedLog, assumed: Int64, _ limits: Limits
  ) {
    self.script = script
    self.cast = cast
    self.log = log
    self.assumed = assumed
    self.limits = limits
    doubts = script.doubts
  }

  /// Plays the whole script.
  func run(_ edits: [Edit]) {
    for entrance in script.entrances {
      put(at: entrance.time, seq: entrance.seq) { [unowned self] in
        entrance.isEnd ? end(entrance) : begin(entrance)
      }
    }
    for cue in script.timed { put(cue, at: cue.delay) }
    while !isGivenUp, let item = agenda.next() {
      if item.time > lastDue.addingClamped(limits.pause) {
        giveUp(.unsettled(controller: busiest, seq: lastCue))
        break
      }
      now = max(now, item.time)
      item.run()
      log.flush()
      judge(.always)
    }
    judgeEnd(of: players)
    for player in players.values { player.leave() }
    if let doubt = thread.doubt { doubts.append(doubt) }
    noteLeftOut()
    assumptions += edits.filter { !effective.contains($0) }.map { .noEffect($0) }
  }

  private func judge(_ moment: Invariant.Moment) { judge(moment, of: players) }

  private func judge(_ moment: Invariant.Moment, of players: [Int32: any Player]) {
    let notice = invariants.look(moment, of: players) { log.count }
    invariants.remember(notice)
    for one in notice.broken { log.noteBroken(one.name, of: one.controller) }
    if let doubt = notice.doubt { giveUp(doubt) }
  }

  /// Looks at the conditions of controllers to which nothing more happens.
  private func judgeEnd(of players: [Int32: any Player]) {
    for moment in [Invariant.Moment.atRest, .atEnd] where !isGivenUp {
      judge(moment, of: players)
    }
  }

  /// Gives the run up: what it shows from here on proves nothing.
  func giveUp(_ doubt: ReplayDoubt) {
    guard !isGivenUp else { return }
    isGivenUp = true
    doubts.append(doubt)
  }

  /// The controller of the last event.
  private var busiest: Int32 { log.rows.last?.controller ?? 0 }
}

// MARK: Controllers

extension WhatIfRun {
  private func begin(_ entrance: Script.Entrance) {
    let id = entrance.controller
    guard players[id] == nil, let part = cast.parts[id] else { return }
    guard let (snapshot, waiting) = part.standing else {
      doubts.append(.unknownController(controller: id, policy: part.record.policy))
      return
    }
    do {
      players[id] = try part.player(snapshot, in: self)
    } catch {
      doubts.append(.notMade(id, error))
    }
    guard let player = players[id] else { return }
    for one in snapshot.waiting + snapshot.standing { visits.restore(one, of: id) }
    log.note(.attached, of: id, number: numbering.next(), at: entrance.recordedTime)
    log.note(snapshot, of: id, numbering, at: entrance.recordedTime)
    player.enter()
    for one in snapshot.standing + snapshot.waiting {
      for kind in RecordedPast.past(one.phase.flatMap(Phase.init) ?? .empty) {
        happened(kind, to: one.visit, of: id)
      }
    }
    for request in waiting { askAgain(request, player, id) }
  }

  private func askAgain(_ request: SnapshotRecord.Request, _ player: any Player, _ id: Int32) {
    visits.expect(request.visit, of: id)
    player.request(RequestInput(request))
    _ = visits.wasTaken(of: id)
    assumptions.append(
      .askedAgain(
        AssumedVisit(
          controller: id, played: visits.number(request.visit, of: id), recorded: request.visit,
          state: request.state)))
  }

  private func end(_ entrance: Script.Entrance) {
    let id = entrance.controller
    guard let player = players.removeValue(forKey: id) else { return }
    judgeEnd(of: [id: player])
    player.leave()
    log.note(.detached, of: id, number: numbering.next(), at: entrance.recordedTime)
  }

  /// Whether the controller is of another kind than the recorded one.
  func isReplaced(_ id: Int32) -> Bool {
    cast.parts[id]?.isReplaced ?? false
  }
}

// MARK: What happens

extension WhatIfRun: PlayerHost {
  func number(_ recorded: UInt32, of controller: Int32) -> UInt32? {
    visits.number(recorded, of: controller)
  }

  func runsAway(_ id: Int32) { giveUp(.runaway(controller: id, seq: lastCue)) }

  func begins(_ visit: UInt32, of id: Int32, _ state: StateName) {
    if !visits.isExpecting(of: id), let recorded = wiredRequest(of: id, state) {
      visits.expect(recorded, of: id)
    }
    visits.add(visit, of: id, state, &script.ownRequests)
  }

  func observed(_ event: borrowing TransitionEvent, _ id: Int32) {
    idleSteps = 0
    calls.note(event, of: id, log)
    if let visit = event.visit { visits.follow(event.kind, visit.rawValue, of: id) }
    log.note(event, of: id, recorded: visits[id, event.visit?.rawValue ?? 0]?.recorded, at: now)
    if log.count > limits.events { giveUp(.runaway(controller: id, seq: lastCue)) }
  }

  /// The visit that was requested in the call under way, and that what is called requests by itself.
  private func wiredRequest(of id: Int32, _ state: StateName) -> UInt32? {
    guard let call = calls.last(of: id) else { return nil }
    let place = script.called[call]?.firstIndex { cue in
      if case .request(let input) = cue.action { input.state == state } else { false }
    }
    guard let place, case .request(let input)? = script.called[call]?.remove(at: place).action
    else { return nil }
    return input.visit
  }

  func returns(to id: Int32) {
    if let call = calls.last(of: id) {
      for cue in script.called.removeValue(forKey: call) ?? [] { perform(cue) }
    }
    calls.end(of: id)
  }

  func happened(_ kind: EventKind, to visit: UInt32, of id: Int32) {
    guard !isGivenUp, Moment.isOne(kind), let played = visits[id, visit] else { return }
    var hasAnswer = false
    let moment = played.recorded.map { Moment(controller: id, visit: $0, kind: kind) }
    if let moment {
      let cues = (script.hung.removeValue(forKey: moment) ?? []).sorted { $0.place < $1.place }
      for cue in cues {
        switch cue.action {
        case .complete(_, _, .answer(let isLawful), _):
          if !isLawful, isReplaced(id) { continue }
          hasAnswer = true
        case .complete(.exited, _, .exitByItself, _) where kind == .entering: hasAnswer = true
        default: break
        }
        hang(cue)
      }
    }
    if !hasAnswer { answer(kind, visit, played, moment, id) }
  }

  private func hang(_ cue: Cue) {
    if cue.isInside { return perform(cue) }
    put(cue, at: now.addingClamped(cue.delay))
  }

  private func put(_ cue: Cue, at time: Int64) {
    put(at: time, seq: cue.place) { [unowned self] in perform(cue) }
  }

  /// Puts something that comes from outside on the agenda.
  private func put(at time: Int64, seq: Int64?, _ happening: @escaping () -> Void) {
    lastDue = max(lastDue, time)
    agenda.add(at: time, seq: seq, happening)
  }

  /// The median of states of this name in the session, or else the assumed duration.
  private func duration(
    _ kind: EventKind, of state: StateName
  ) -> (microseconds: Int64, DurationSource) {
    script.durations.median(kind, of: log.number(state)).map { ($0, .session) }
      ?? (assumed, .assumed)
  }

  func deferred(_ step: ReplayScheduler.Step, for delay: Int64, of id: Int32) {
    guard let (time, seq) = delayOfStep(id, asked: delay) else { return }
    agenda.add(at: now.addingClamped(time), seq: seq) { [unowned self] in
      idleSteps += 1
      if idleSteps > limits.idleSteps { neverRests(id) } else { thread.perform(of: id, step.run) }
    }
  }

  // Only steps are left. The doubt names the controller once, not for each step.
  private func neverRests(_ id: Int32) {
    runsAway(id)
    let isOne: (Assumption) -> Bool = { if case .step(id, _) = $0 { true } else { false } }
    while assumptions.count > 1, assumptions.suffix(2).allSatisfy(isOne) {
      assumptions.removeLast()
    }
  }

  /// The delay of a step that is deferred now, and the recorded number of the step; `nil` if it
  /// never runs.
  private func delayOfStep(_ id: Int32, asked: Int64) -> (delay: Int64, seq: Int64?)? {
    if let moment = log.moment(numbering.place.event), script.steps[moment]?.isEmpty == false,
      let step = script.steps[moment]?.removeFirst()
    {
      effective.formUnion(step.edits)
      return step.edits.areSkipping ? nil : (step.delay, step.seq)
    }
    assumptions.append(.step(controller: id, microseconds: asked))
    return (asked, nil)
  }
}

// MARK: Inputs

extension WhatIfRun {
  /// Performs one input of the script.
  private func perform(_ cue: Cue) {
    guard !isGivenUp, let player = players[cue.controller] else { return }
    effective.formUnion(cue.edits)
    if cue.edits.areSkipping {
      if case .receive = cue.action, let seq = cue.seq { unasked.insert(seq) }
      return
    }
    lastCue = cue.seq ?? lastCue
    switch cue.action {
    case .request(let input): request(input, cue, player)
    case .complete(let completion, let recorded, let role, let isFinished):
      guard let visit = visits.number(recorded, of: cue.controller) else { return }
      if case .stray = role {
        player.complete(completion, visit, isFinished: isFinished ?? true)
      } else {
        complete(completion, visit, cue.controller, isFinished: isFinished ?? true)
      }
    case .cancel(.visit(let recorded)):
      guard let visit = visits.number(recorded.rawValue, of: cue.controller) else { return }
      cancel(.visit(VisitNumber(visit)), cue, player)
    case .receive(let name, let payload, let origin):
      let seq = cue.seq ?? cue.place
      if unasked.contains(origin) {
        unasked.insert(seq)
        assumptions.append(.unasked(seq: seq, name: name.description, answering: origin))
        return
      }
      var why: UntoldMessage?
      let startsTask = thread.startsTask {
        why = player.receive(name, payload, seq, answering: origin)
      }
      // What comes of a model's tasks is recorded as messages.
      if startsTask, player.track == nil { thread.note(cue.controller) }
      guard let why else {
        if cast.parts[cue.controller]?.record.isTrack == true { sentTo.insert(cue.controller) }
        return
      }
      // One message stands for all of its name that cannot be told for the same reason.
      let isKnown = doubts.contains {
        guard case .untoldMessage(cue.controller, _, name.description, let other) = $0 else {
          return false
        }
        return other == why
      }
      if isKnown { return }
      doubts.append(
        .untoldMessage(controller: cue.controller, seq: seq, name: name.description, why))
    case .cancel(let cancellation): cancel(cancellation, cue, player)
    case .deadline(let recorded, let awaited, let recovery):
      guard let visit = visits.number(recorded, of: cue.controller),
        log.fold?.visit(visit, of: cue.controller)?.progress
          == (awaited == .entered ? .entering : .exiting)
      else { return }
      player.pass(visit, awaited, recovery)
    case .resume: player.resume()
    }
  }

  private func request(_ input: RequestInput, _ cue: Cue, _ player: any Player) {
    visits.expect(input.visit, of: cue.controller)
    player.request(input)
    if visits.wasTaken(of: cue.controller) { return }
    let visit = AssumedVisit(
      controller: cue.controller, recorded: input.visit, state: input.state.description)
    assumptions.append(.notTaken(seq: cue.seq ?? cue.place, visit))
  }

  private func cancel(_ cancellation: Cancellation, _ cue: Cue, _ player: any Player) {
    if player.cancel(cancellation) { return }
    doubts.append(.cannotBeTold(controller: cue.controller, seq: cue.seq ?? cue.place))
  }

  /// Reports a completion of a state; a state reports each one once.
  private func complete(
    _ completion: Completion, _ visit: UInt32, _ id: Int32, isFinished: Bool = true
  ) {
    guard visits.mayStillSay(completion, visit, of: id) else { return }
    players[id]?.complete(completion, visit, isFinished: isFinished)
  }

  /// Answers for a state that was told something, if no lawful answer was recorded.
  private func answer(
    _ kind: EventKind, _ visit: UInt32, _ played: PlayedVisits.Visit, _ moment: Moment?, _ id: Int32
  ) {
    guard kind == .entering || kind == .exiting else { return }
    let completion: Completion = kind == .entering ? .entered : .exited
    guard visits.mayStillSay(completion, visit, of: id) else { return }
    let who = visits.assumed(visit, of: id)
    if let moment {
      if let edit = script.silenced[moment] {
        effective.insert(edit)
        return
      }
      if script.told.contains(moment) {
        let isInTurn = isInTurn(kind, visit, id)
        // Told out of turn, a state may have had a reason not to answer; in its turn it is taken to answer.
        if !isReplaced(id), script.toldInTurn[moment] != nil || !isInTurn {
          assumptions.append(.silent(who, completion))
          return
        }
        presumed[moment] = isInTurn
      }
    }
    let (time, source) = duration(kind, of: played.state)
    assumptions.append(.duration(who, completion, microseconds: time, source))
    put(at: now.addingClamped(time), seq: nil) { [unowned self] in complete(completion, visit, id) }
  }

  /// Whether a visit that is told this now is told in its turn: to enter while no other visit is on
  /// the stage, or to exit after it has entered.
  private func isInTurn(_ kind: EventKind, _ visit: UInt32, _ id: Int32) -> Bool {
    if kind == .exiting { return visits[id, visit]?.hasReportedEntered == true }
    return log.fold?.overview(of: id)?.onStage.allSatisfy { $0.visit == visit } ?? true
  }

  /// Why the absence of findings proves nothing, if it does not.
  ///
  /// - Parameter errors: those of the recording.
  func doubts(whether errors: [Finding], areGone controllers: [ControllerRecord])
    -> [ReplayDoubt]
  {
    let quiet = log.receiving.subtracting(log.deciding)
    let unmoved = sentTo.subtracting(log.receiving).subtracting(log.deciding)
      .union(
        quiet.filter { id in
          ReplayDoubt.hasToMove(
            moves: script.moves[id] ?? 0, findings: errors.count { $0.controller == id })
        })
    if !unmoved.isEmpty { return unmoved.sorted().map { .unmoved(controller: $0) } }
    let deciding = log.deciding.union(quiet)
    if controllers.allSatisfy({ !deciding.contains($0.id) }) {
      return [.nothingPlayed(controller: nil)]
    }
    let idle = Set(errors.map(\.controller)).subtracting(deciding).sorted()
    let halves = errors.filter { $0.code == .mirror && cast.isHalf($0.controller) }
    return idle.map { .nothingPlayed(controller: $0) }
      + Set(halves.map(\.controller)).sorted().map { .halfMirror(controller: $0) }
      + errors.compactMap { unanswered($0, among: errors) }
  }

  /// The doubt about an error that is gone only because a state is assumed to answer.
  ///
  /// If the recording broke a rule when it told the state, the state may have had a reason not to
  /// answer. If it is told in its turn now, it is taken to answer.
  private func unanswered(
    _ error: Finding, among errors: [Finding]
  ) -> ReplayDoubt? {
    let silences: [RuleCode: EventKind] = [.neverArrived: .entering, .neverExited: .exiting]
    guard let kind = silences[error.code] else { return nil }
    let moment = Moment(controller: error.controller, visit: error.visit, kind: kind)
    guard let isInTurn = presumed[moment],
      let played = visits.number(error.visit, of: error.controller)
    else { return nil }
    let isExcused = errors.contains {
      $0.controller == error.controller && $0.visit == error.visit && $0.seq <= error.seq
        && silences[$0.code] == nil
    }
    if isExcused, isInTurn { return nil }
    return .unanswered(
      seq: error.seq, visits.assumed(played, of: error.controller),
      kind == .entering ? .entered : .exited)
  }

  /// Notes the requests that were not made.
  private func noteLeftOut() {
    var left: [(Int64, Assumption)] = []
    for (moment, cues) in script.hung {
      for cue in cues where !cue.edits.areSkipping {
        guard case .request(let input) = cue.action, let seq = cue.seq else { continue }
        let who = AssumedVisit(
          controller: cue.controller, recorded: input.visit, state: input.state.description)
        let origin = AssumedVisit(
          controller: moment.controller,
          played: visits.number(moment.visit, of: moment.controller), recorded: moment.visit,
          state: visits.number(moment.visit, of: moment.controller)
            .flatMap { visits[moment.controller, $0] }?.state.description)
        left.append((seq, .leftOut(seq: seq, who, becauseOf: origin, moment.kind)))
      }
    }
    assumptions += left.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
