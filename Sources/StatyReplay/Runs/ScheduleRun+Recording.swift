import Staty
import StatyHistory

// A run on a recording's clock, in which controllers are attached and detached.
extension ScheduleRun {
  /// Attaches a controller in the condition that was recorded.
  func attach(_ part: Cast.Part, at time: Int64) {
    let id = part.record.id
    guard players[id] == nil else { return }
    guard let (snapshot, _) = part.standing else {
      doubts.append(.unreadableSnapshot(controller: id))
      return
    }
    do {
      players[id] = try part.player(snapshot, in: self)
    } catch {
      doubts.append(.notMade(id, error))
    }
    if let track = players[id]?.track { log.declare(track, of: id) }
    if players[id] != nil { begin(id, snapshot, at: time) }
    log.flush()
    judge(.always)
  }

  /// Detaches a controller: nothing more happens to it.
  ///
  /// - Parameter goesOn: whether the next session goes on with it: then nothing is at its end.
  func detach(_ id: Int32, at time: Int64, goesOn: Bool) {
    guard let player = players[id] else { return }
    if !goesOn { judgeEnd(of: [id: player]) }
    players[id] = nil
    player.leave()
    log.note(
      .detached, reason: goesOn ? EventReason.continues.code : 0, of: id,
      number: numbering.next(), at: time)
    log.flush()
    judge(.always)
  }

  /// Says whether what a state reports next was done to the end.
  func reports(_ completion: Completion, _ id: Int, finished: Bool) {
    guard let place = place(of: id) else { return }
    if finished {
      requests[place].unfinished.remove(completion)
    } else {
      requests[place].unfinished.insert(completion)
    }
  }

  /// Ends the run where nothing more is due.
  func end() {
    judgeEnd(of: players)
    doubts += ownStates
    for player in players.values { player.leave() }
    if let doubt = thread.doubt { doubts.append(doubt) }
  }

  /// The recording of a model that awaits an answer ended too early to say how it ends.
  private func judgeEnd(of players: [Int32: any Player]) {
    let players = players.filter { $0.value.awaited.isEmpty }
    for moment in [ConditionMoment.atRest, .atEnd] where !isGivenUp { judge(moment, of: players) }
  }

  /// Notes for the chooser that something happened to a visit.
  func noteHappening(_ kind: EventKind, _ place: Int) {
    guard isOnClock else { return }
    let moment = Scenario.Moment(kind, requests[place].id)
    guard kind == .entering || kind == .exiting else {
      recorded?.note(.moment(moment))
      return
    }
    let (course, controller) = (courses[place], requests[place].controller)
    let completion: Completion = kind == .entering ? .entered : .exited
    let isInTurn =
      kind == .exiting
      ? course.said.contains(.entered) : recorded?.hasScreen(place, of: controller) ?? true
    recorded?.note(
      .moment(
        moment, owes: course.owed.contains(completion) ? completion : nil, isInTurn: isInTurn))
  }
}
