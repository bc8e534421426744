import Staty
import StatyHistory
import StatyRules

/// Chooses the step that is due next on a clock.
///
/// What came from outside comes at its recorded time, and what followed from something else as long
/// after it as it did, unless an edit changes that. What the recording does not say is assumed.
final class DueNext: Chooser {
  /// What becomes due.
  private enum Due {
    case entrance(Script.Entrance)
    case cue(ScriptCue)
    /// A step that was not recorded.
    case assumed(Step)
    case deferred(Step.Deferred)
  }

  /// How the recording is played.
  private(set) var plan: ScenarioPlan
  private var script: Script
  private let cast: Cast
  private let writer: ScenarioWriter
  /// How long a state takes if nothing lawful was recorded of it, in microseconds.
  private let assumed: Int64
  /// How long a controller may go on by itself after the last input from outside, in microseconds.
  private let pause: Int64
  private var agenda: Agenda<Due>
  private(set) var assumptions: [Assumption]
  /// The recorded visits, by their requests; inserted requests have none.
  private var recorded: [Int: VisitKey] = [:]
  /// The numbers of the events in which requests were recorded.
  private var seqs: [Step: Int64] = [:]
  /// The controllers that have been detached.
  private var over: Set<Int32> = []
  /// Where the recordings of controllers end, unless the next session goes on with them.
  private let ends: [Int32: Script.Entrance]
  /// The controllers that are told something in what this one does, and itself.
  private var followers: [Int32: Set<Int32>] = [:]
  /// Until when a controller is told what it was told before its end when it was recorded, or what is
  /// assumed.
  private var unended: [Int32: Int64] = [:]
  /// The requests that wait since before the recording and are made again.
  private var askedAgain: Set<Int> = []
  /// The edits that changed something.
  private var effective: Set<Edit> = []
  /// The moments at which a state is assumed to answer that did not answer the same call, and
  /// whether it is told in its turn now.
  private var presumed: [Moment: Bool] = [:]
  /// The messages that did not come while what they answer was asked for otherwise.
  private var askedOtherwise: [Int64] = []
  /// When the last known input from outside comes.
  private var lastDue: Int64
  /// How many deferred steps have run since the last event, and how many events there were then.
  private var idle = (steps: 0, events: 0)

  private static let mostIdleSteps = 100_000

  init(
    _ script: Script, _ cast: Cast, _ registry: ControllerRegistry, _ log: PlayedLog, end: Int64,
    assumed: Int64, pause: Int64
  ) {
    (self.script, self.cast, self.assumed, self.pause) = (script, cast, assumed, pause)
    let due =
      script.entrances.map { Agenda.Item(time: $0.time, seq: $0.seq, element: Due.entrance($0)) }
      + script.timed.map { Agenda.Item(time: $0.delay, seq: $0.place, element: Due.cue($0)) }
    agenda = Agenda(due)
    lastDue = due.map(\.time).max() ?? 0
    let ends = script.entrances.filter { $0.isEnd && !$0.goesOn }
    self.ends = Dictionary(ends.map { ($0.controller, $0) }) { first, _ in first }
    assumptions = script.unasked
    var writer = ScenarioWriter(cast, script, end: end, isTimed: true)
    writer.write()
    // Without a stand-in that knows, an answer comes when it came.
    if writer.order.count <= RecordedOrder.mostEvents,
      writer.scenario.messages.contains(where: { $0.origin != nil })
    {
      writer.scenario.noteQuestions(of: Self.asRecorded(script, cast, end: end), registry)
    }
    self.writer = writer
    let own = script.ownRequests.map { own, visits in
      (own, visits.compactMap { writer.ids[VisitKey(controller: own.controller, visit: $0)] })
    }
    plan = ScenarioPlan(
      writer.scenario, cast.parts.values.filter { $0.entry != nil }, isOurs: false,
      recorded: (
        log,
        RecordedClock(
          seqs: Dictionary(writer.numbers.map { ($1, $0) }) { first, _ in first },
          own: Dictionary(uniqueKeysWithValues: own))
      ))
    for (visit, id) in writer.ids where visit.visit < RecordedInput.firstInserted {
      recorded[id] = visit
    }
    for (place, step) in writer.order { seqs[step] = place }
    for (moment, cues) in script.hung {
      let inside = cues.sorted { $0.place < $1.place }.filter { $0.isInside && isToCome($0) }
      let key = VisitKey(controller: moment.controller, visit: moment.visit)
      guard let id = writer.ids[key] else { continue }
      plan.inside[Scenario.Moment(moment.kind, id)] = (inside.compactMap(writer.step), [])
    }
    for (message, cues) in script.within {
      guard let id = writer.numbers[message] else { continue }
      plan.within[id] = cues.sorted { $0.place < $1.place }.filter(isToCome)
        .compactMap { cue in
          if case .make(let id) = writer.step(of: cue) { id } else { nil }
        }
    }
    noteFollowers()
    for cue in script.timed { keep(cue.controller, until: cue.delay, seq: cue.place) }
  }

  /// What was recorded, to be played step by step.
  private static func asRecorded(_ script: Script, _ cast: Cast, end: Int64) -> Scenario {
    var writer = ScenarioWriter(cast, script, end: end)
    writer.write()
    writer.scenario.recordedOrder = writer.order.map(\.step)
    return writer.scenario
  }

  private func noteFollowers() {
    func note(_ cues: [ScriptCue], follow id: Int32) {
      for cue in cues where cue.controller != id {
        followers[id, default: [id]].insert(cue.controller)
      }
    }
    for (moment, cues) in script.hung { note(cues, follow: moment.controller) }
    for (message, cues) in script.within {
      guard let told = writer.numbers[message].flatMap({ plan.messages[$0] }) else { continue }
      note(cues, follow: told.controller)
    }
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for (id, own) in followers {
        let all = own.reduce(into: own) { $0.formUnion(followers[$1] ?? []) }
        if all != own { (followers[id], isGrowing) = (all, true) }
      }
    }
  }

  /// Whether what happens inside of a moment happens there in this run.
  private func isToCome(_ cue: ScriptCue) -> Bool {
    if case .complete(_, _, .answer(isLawful: false), _) = cue.action, isReplaced(cue.controller) {
      return false
    }
    return !cue.edits.areSkipping
  }

  /// Whether the controller is of another kind than the recorded one.
  func isReplaced(_ id: Int32) -> Bool { cast.parts[id]?.isReplaced ?? false }

  /// Puts something that comes from outside on the agenda.
  private func put(_ due: Due, of controller: Int32, at time: Int64, seq: Int64 = .max) {
    lastDue = max(lastDue, time)
    keep(controller, until: time, seq: seq)
    agenda.add(Agenda.Item(time: time, seq: seq, element: due))
  }

  /// Lets the end of a controller's recording wait for what comes later than it, and did not when it was
  /// recorded; so do the ends of those that follow it.
  private func keep(_ controller: Int32, until time: Int64, seq: Int64) {
    for id in followers[controller] ?? [controller] {
      guard let end = ends[id], time > end.time, seq < end.seq || seq == .max else { continue }
      unended[id] = max(unended[id] ?? time, time)
    }
  }
}

// MARK: What is due

extension DueNext {
  func next(in run: ScheduleRun) -> Step? {
    while !run.isGivenUp {
      for one in run.recorded?.takeHappenings() ?? [] { note(one, run) }
      guard let item = agenda.next() else { return nil }
      if item.time > lastDue.addingClamped(pause) {
        run.giveUp(.unsettled(controller: run.log.rows.last?.controller ?? 0, seq: run.seq))
        return nil
      }
      run.now = max(run.now, item.time)
      if let step = step(item.element, run) { return step }
    }
    return nil
  }

  private func step(_ due: Due, _ run: ScheduleRun) -> Step? {
    switch due {
    case .entrance(let entrance): enter(entrance, run)
    case .cue(let cue): return step(cue, run)
    case .assumed(let step): return step
    case .deferred(let id):
      if run.log.count != idle.events { idle = (0, run.log.count) }
      idle.steps += 1
      if idle.steps <= Self.mostIdleSteps { return .deferred(id) }
      neverRests(id.controller, run)
    }
    return nil
  }

  private func enter(_ entrance: Script.Entrance, _ run: ScheduleRun) {
    let id = entrance.controller
    guard !entrance.isEnd else {
      if !entrance.goesOn, let last = unended[id], last >= run.now {
        // Behind everything that comes at that time.
        return agenda.add(
          Agenda.Item(
            time: last.addingClamped(1), seq: entrance.seq, element: .entrance(entrance)))
      }
      over.insert(id)
      let time = entrance.goesOn ? entrance.recordedTime : max(entrance.recordedTime, run.now)
      return run.detach(id, at: time, goesOn: entrance.goesOn)
    }
    guard run.players[id] == nil, let part = cast.parts[id] else { return }
    over.remove(id)
    run.attach(part, at: entrance.recordedTime)
    guard run.players[id] != nil, let waiting = part.standing?.waiting else { return }
    for one in waiting {
      guard let request = writer.ids[VisitKey(controller: id, visit: one.visit)] else { continue }
      askedAgain.insert(request)
      put(.assumed(.make(request)), of: id, at: run.now, seq: entrance.seq)
    }
  }

  private func step(_ cue: ScriptCue, _ run: ScheduleRun) -> Step? {
    guard run.players[cue.controller] != nil else { return nil }
    effective.formUnion(cue.edits)
    if cue.edits.areSkipping { return nil }
    if let seq = cue.seq { comeAlong(with: seq, run) }
    run.seq = cue.seq ?? run.seq
    let step = writer.step(of: cue)
    if case .complete(let completion, _, _, let isFinished?) = cue.action,
      let id = step?.request(in: writer.scenario)
    {
      run.reports(completion, id, finished: isFinished)
    }
    if case .deadline? = step, step.map(run.canTake) != true { return nil }
    if case .receive(let name, _, let origin) = cue.action, case .make(let id)? = step {
      let name = name.description
      if let question = run.plan.cue(id)?.origin, !run.made.contains(question) {
        assumptions.append(.unasked(seq: run.seq, name: name, because: origin))
        return nil
      }
      if !run.isAskedFor(id) {
        assumptions.append(.notAsked(seq: run.seq, name: name, because: origin))
        if run.isAskedOtherwise(id) { askedOtherwise.append(run.seq) }
        return nil
      }
    }
    return step
  }

  /// What comes in the handling of a message finds its controller attached.
  private func comeAlong(with message: Int64, _ run: ScheduleRun) {
    for cue in script.within[message] ?? [] {
      effective.formUnion(cue.edits)
      if cue.edits.areSkipping { continue }
      let entrance = script.entrances.first {
        !$0.isEnd && $0.controller == cue.controller && $0.time <= run.now
      }
      if run.players[cue.controller] == nil, !over.contains(cue.controller), let entrance {
        enter(entrance, run)
      }
      if let seq = cue.seq { comeAlong(with: seq, run) }
    }
  }

  // Only steps are left. The doubt names the controller once, not for each step.
  private func neverRests(_ id: Int32, _ run: ScheduleRun) {
    run.runsAway(id)
    let isOne: (Assumption) -> Bool = { if case .step(id, _) = $0 { true } else { false } }
    while assumptions.count > 1, assumptions.suffix(2).allSatisfy(isOne) {
      assumptions.removeLast()
    }
  }
}

// MARK: What follows

extension DueNext {
  private func note(_ happening: Happening, _ run: ScheduleRun) {
    switch happening {
    case .moment(let moment, let owed, let isInTurn):
      if moment.kind == .enqueued { noteAskedAgain(moment.request, run) }
      let isAnswered = follow(moment, run)
      if let owed, !isAnswered { answer(moment, owed, isInTurn, run) }
    case .deferred(let id, let number, let asked): wait(id, number, asked, run)
    case .untaken(let id):
      if askedAgain.contains(id) { return noteAskedAgain(id, run) }
      var visit = visit(of: id, run)
      if visit.recorded == nil { visit.recorded = 0 }
      assumptions.append(.notTaken(seq: seqs[.make(id)] ?? 0, visit))
    }
  }

  private func noteAskedAgain(_ id: Int, _ run: ScheduleRun) {
    if askedAgain.contains(id) { assumptions.append(.askedAgain(visit(of: id, run))) }
  }

  /// Lets everything happen that followed a moment when it was recorded.
  ///
  /// - Returns: whether a state's answer is part of it.
  private func follow(_ moment: Scenario.Moment, _ run: ScheduleRun) -> Bool {
    var isAnswered = false
    let cues = recordedMoment(moment).flatMap { script.hung.removeValue(forKey: $0) } ?? []
    for cue in cues.sorted(by: { $0.place < $1.place }) {
      switch cue.action {
      case .complete(_, _, .answer(let isLawful), _):
        if !isLawful, isReplaced(cue.controller) { continue }
        isAnswered = true
      case .complete(.exited, _, .exitByItself, _) where moment.kind == .entering:
        isAnswered = true
      default: break
      }
      if cue.isInside {
        effective.formUnion(cue.edits)
      } else {
        put(
          .cue(cue), of: cue.controller, at: run.now.addingClamped(cue.delay), seq: cue.place)
      }
    }
    return isAnswered
  }

  /// Answers for a state that was told something, if no lawful answer was recorded.
  private func answer(
    _ told: Scenario.Moment, _ completion: Completion, _ isInTurn: Bool, _ run: ScheduleRun
  ) {
    let asked = visit(of: told.request, run)
    if let moment = recordedMoment(told) {
      if let edit = script.silenced[moment] {
        effective.insert(edit)
        return
      }
      // A controller of the recorded kind reports again by itself.
      if script.spokenFor.contains(moment), !isReplaced(asked.controller) { return }
      if script.told.contains(moment), !script.spokenFor.contains(moment) {
        // Told out of turn, a state may have had a reason not to answer; in its turn it is taken to answer.
        if !isReplaced(asked.controller), script.toldInTurn[moment] != nil || !isInTurn {
          assumptions.append(.silent(asked, completion))
          return
        }
        presumed[moment] = isInTurn
      }
    }
    let state = StateName(asked.state ?? "")
    let median = script.durations.median(told.kind, of: run.log.number(state))
    let time = median ?? assumed
    assumptions.append(
      .duration(asked, completion, microseconds: time, median == nil ? .assumed : .session))
    put(
      .assumed(.complete(completion, told.request)), of: asked.controller,
      at: run.now.addingClamped(time))
  }

  /// Lets a step wait for its recorded time, or for the time that its controller asked for.
  private func wait(
    _ id: Step.Deferred, _ number: UInt32, _ asked: Int64, _ run: ScheduleRun
  ) {
    var (delay, seq) = (asked, Int64.max)
    if let step = writer.recorded(id, number: number) {
      effective.formUnion(step.edits)
      if step.edits.areSkipping { return }
      (delay, seq) = (step.delay, step.seq)
    } else {
      assumptions.append(.step(controller: id.controller, microseconds: asked))
    }
    let time = run.now.addingClamped(delay)
    // A timer that was not recorded to run need not run now.
    if seq != .max || delay == 0 { keep(id.controller, until: time, seq: seq) }
    agenda.add(Agenda.Item(time: time, seq: seq, element: .deferred(id)))
  }

  private func recordedMoment(_ moment: Scenario.Moment) -> Moment? {
    recorded[moment.request].map {
      Moment(controller: $0.controller, visit: $0.visit, kind: moment.kind)
    }
  }

  /// The visit of a request as an assumption names it.
  private func visit(of id: Int, _ run: ScheduleRun) -> AssumedVisit {
    let place = run.place(of: id)
    let request = place.map { run.requests[$0] }
    return AssumedVisit(
      controller: request?.controller ?? 0, played: place.flatMap { run.courses[$0].visit },
      recorded: recorded[id]?.visit,
      state: (place.flatMap { run.courses[$0].state } ?? request?.state)?.description)
  }
}

// MARK: What it shows

extension DueNext {
  /// Whether a finding is about a state that did not answer in the recording, which ended soon: it might
  /// have answered later.
  func isOpen(_ finding: Finding, _ run: ScheduleRun) -> Bool {
    guard let completion = finding.code.awaited, !isReplaced(finding.controller),
      let request = request(of: finding, run)
    else { return false }
    let kind: EventKind = completion == .entered ? .entering : .exiting
    return recordedMoment(Scenario.Moment(kind, request)).map(writer.wasCutShort) ?? false
  }

  /// The doubt about a state that would be found to wait if the recording went on, although it was told to enter when
  /// it was recorded; `nil` if the finding is about something else.
  ///
  /// The controller may have lost it, or may wait for something that was not recorded, such as the user.
  func leftWaiting(_ finding: Finding, _ run: ScheduleRun) -> ReplayDoubt? {
    guard finding.code == .neverEntered, let request = request(of: finding, run),
      let moment = recordedMoment(Scenario.Moment(.entering, request)), script.told.contains(moment)
    else { return nil }
    return .leftWaiting(seq: seqs[.make(request)] ?? 0, visit(of: request, run))
  }

  private func request(of finding: Finding, _ run: ScheduleRun) -> Int? {
    run.visits[VisitKey(controller: finding.controller, visit: finding.visit)]
      .map { run.requests[$0].id }
  }

  /// Notes what did not happen.
  func finish(_ run: ScheduleRun, _ edits: [Edit]) {
    var left: [(Int64, Assumption)] = []
    for (moment, cues) in script.hung {
      for cue in cues where !cue.edits.areSkipping {
        guard case .request(let input) = cue.action, let seq = cue.seq else { continue }
        let missing = AssumedVisit(
          controller: cue.controller, recorded: input.visit, state: input.state.description)
        let origin = visit(moment.visit, of: moment.controller, run)
        left.append((seq, .leftOut(seq: seq, missing, becauseOf: origin, moment.kind)))
      }
    }
    for (message, cues) in script.within {
      for cue in cues where !cue.edits.areSkipping {
        guard case .request(let input) = cue.action, let seq = cue.seq,
          !(writer.numbers[seq].map(run.made.contains) ?? false)
        else { continue }
        left.append(
          (seq, .unasked(seq: seq, name: input.state.description, because: message)))
      }
    }
    assumptions += left.sorted { $0.0 < $1.0 }.map(\.1)
    assumptions += edits.filter { !effective.contains($0) }.map { .noEffect($0) }
  }

  /// A recorded visit as an assumption names it; one that was not requested has no state.
  private func visit(_ visit: UInt32, of controller: Int32, _ run: ScheduleRun) -> AssumedVisit {
    let id = writer.ids[VisitKey(controller: controller, visit: visit)]
    if let known = id.map({ self.visit(of: $0, run) }), known.played != nil { return known }
    return AssumedVisit(controller: controller, recorded: visit)
  }

  /// The recorded numbers of visits, by controller and number in the run.
  func recordedVisits(_ run: ScheduleRun) -> [Int32: [UInt32: UInt32]] {
    run.visits.reduce(into: [:]) { all, entry in
      guard let recorded = recorded[run.requests[entry.value].id] else { return }
      all[entry.key.controller, default: [:]][entry.key.visit] = recorded.visit
    }
  }

  /// Why the absence of findings proves nothing, if it does not.
  ///
  /// - Parameters:
  ///   - errors: those of the recording.
  ///   - isUnchanged: whether what was recorded is played as it was.
  func doubts(
    _ run: ScheduleRun, whether errors: [Finding], areGone controllers: [ControllerRecord],
    asRecorded isUnchanged: Bool
  ) -> [ReplayDoubt] {
    let log = run.log
    let quiet = log.receiving.subtracting(log.deciding)
    let unmoved = run.messages.tracks.subtracting(log.receiving).subtracting(log.deciding)
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
      + errors.compactMap { unanswered($0, among: errors, run) } + untried(isUnchanged)
  }

  /// The doubts about what did not come.
  ///
  /// Something was to come later, or was asked for otherwise and has no recorded answer. Played as it was
  /// recorded, a model has to ask as it did.
  private func untried(_ isUnchanged: Bool) -> [ReplayDoubt] {
    assumptions.compactMap {
      switch $0 {
      case .noEffect(.delay(let seq, _)), .noEffect(.finish(let seq)): .noEffect(seq: seq)
      case .notAsked(let seq, _, _) where isUnchanged || askedOtherwise.contains(seq):
        .askedOtherwise(seq: seq)
      default: nil
      }
    }
  }

  /// The doubt about an error that is gone only because a state is assumed to answer.
  ///
  /// If the recording broke a rule when it told the state, the state may have had a reason not to
  /// answer. If it is told in its turn now, it is taken to answer.
  private func unanswered(
    _ error: Finding, among errors: [Finding], _ run: ScheduleRun
  ) -> ReplayDoubt? {
    guard let completion = error.code.awaited else { return nil }
    let moment = Moment(
      controller: error.controller, visit: error.visit,
      kind: completion == .entered ? .entering : .exiting)
    let silent = visit(error.visit, of: error.controller, run)
    guard let isInTurn = presumed[moment], silent.played != nil else { return nil }
    let isExcused = errors.contains {
      $0.controller == error.controller && $0.visit == error.visit && $0.seq <= error.seq
        && $0.code.awaited == nil
    }
    if isExcused, isInTurn { return nil }
    return .unanswered(seq: error.seq, silent, completion)
  }
}
