import Staty
import StatyHistory
import StatyRules

// Performing the inputs of the script.
extension WhatIfRun {
  /// Performs one input of the script.
  func perform(_ cue: Cue) {
    guard !isGivenUp, let player = players[cue.controller] else { return }
    effective.formUnion(cue.edits)
    if cue.edits.areSkipping {
      if case .receive = cue.action, let seq = cue.seq { unasked.insert(seq) }
      return
    }
    lastCue = cue.seq ?? lastCue
    switch cue.action {
    case .ask(let ask): request(ask, cue, player)
    case .say(let completion, let recorded, let role):
      guard let visit = visits.number(recorded, of: cue.controller) else { return }
      if case .stray = role {
        player.say(completion, visit)
      } else {
        say(completion, visit, cue.controller)
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
      guard let why = player.receive(name, payload, seq, answering: origin) else { return }
      doubts.append(
        .untoldMessage(
          controller: cue.controller, seq: seq, name: name.description, why))
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

  private func request(_ ask: Ask, _ cue: Cue, _ player: any Player) {
    visits.expect(ask.visit, of: cue.controller)
    player.ask(ask)
    if visits.wasTaken(of: cue.controller) { return }
    let visit = AssumedVisit(
      controller: cue.controller, recorded: ask.visit, state: ask.state.description)
    assumptions.append(.notTaken(seq: cue.seq ?? cue.place, visit))
  }

  private func cancel(_ cancellation: Cancellation, _ cue: Cue, _ player: any Player) {
    if player.cancel(cancellation) { return }
    doubts.append(.cannotBeTold(controller: cue.controller, seq: cue.seq ?? cue.place))
  }

  /// Reports a completion of a state; a state reports each one once.
  private func say(_ completion: Completion, _ visit: UInt32, _ id: Int32) {
    guard visits.mayStillSay(completion, visit, of: id) else { return }
    players[id]?.say(completion, visit)
  }

  /// Answers for a state that was told something, if no lawful answer was recorded.
  func answer(
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
        if !isReplaced(id) {
          assumptions.append(.silent(who, completion))
          return
        }
        presumed[moment] = isInTurn(kind, visit, id)
      }
    }
    let (time, source) = duration(kind, of: played.state)
    assumptions.append(.duration(who, completion, microseconds: time, source))
    put(answerAfter: time) { [unowned self] in say(completion, visit, id) }
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
    let deciding = log.deciding
    if controllers.allSatisfy({ !deciding.contains($0.id) }) {
      return [.nothingPlayed(controller: nil)]
    }
    let idle = Set(errors.map(\.controller)).subtracting(deciding).sorted()
    return idle.map { .nothingPlayed(controller: $0) }
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
  func noteLeftOut() {
    var left: [(Int64, Assumption)] = []
    for (moment, cues) in script.hung {
      for cue in cues where !cue.edits.areSkipping {
        guard case .ask(let ask) = cue.action, let seq = cue.seq else { continue }
        let who = AssumedVisit(
          controller: cue.controller, recorded: ask.visit, state: ask.state.description)
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
