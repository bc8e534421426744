import Staty
public import StatyHistory

extension Scenario {
  /// What may happen if what a recording tells happens once more.
  ///
  /// Who asked comes as often and in the same order as before. Requests of which it is not known
  /// whose code made them are of one source if they were made at one place in the code on one thread.
  /// What happened inside of something happens there again, and a request of a state at any time after
  /// what it answered to. A state leaves by itself only if one of its name did, and answers being told
  /// something out of turn as it did, if it was.
  ///
  /// - Parameters:
  ///   - last: the number of the event to end with; by default the session's last.
  ///   - only: the numbers of the controllers that are meant; by default all.
  ///   - registry: how controllers are made.
  ///   - replacement: which controllers are of another kind than the recorded one.
  /// - Throws: a `HistoryError`, or a `RegistryError` if there is no controller of that other name.
  public init(
    _ reader: HistoryReader, session: Int64, through last: Int64? = nil, only: Set<Int32>? = nil,
    registry: ControllerRegistry = ControllerRegistry(), with replacement: Replacement = .none
  ) throws {
    try replacement.check(registry)
    let cast = Cast(
      try reader.controllers(session: session), only: only, registry: registry, with: replacement)
    var recording = RecordedSide(session, cast, try reader.names(), [])
    try recording.read(
      RecordedEvents(reader, session: session, through: last), isWhole: last == nil,
      Self.mostEvents)
    var writer = ScenarioWriter(cast, recording.writer.script)
    writer.write()
    self = writer.scenario
    doubts += recording.writer.script.doubts + recording.doubts
  }

  /// No search gets to the end of more.
  private static let mostEvents = 200_000
}

/// Makes a scenario of a script: what came at a time comes at any, and what answered to something
/// still does.
private struct ScenarioWriter {
  private(set) var scenario = Scenario()
  private let cast: Cast
  private let script: Script
  /// The numbers of the requests, by the visits that they became.
  private var ids: [VisitKey: Int] = [:]
  /// The first requests for objects, by the objects' first visits.
  private var firsts: [VisitKey: Int] = [:]
  private var sources: [Source: Int] = [:]
  private var leaving: Set<Script.OwnRequest> = []
  private var lastID = 0
  /// The numbers of what was done, by the numbers of the events.
  private var numbers: [Int64: Int] = [:]
  /// Where the requests stand, by their numbers.
  private var places: [Int: Int] = [:]

  /// Who asks.
  private enum Source: Hashable {
    case visit(VisitKey)
    case code(site: Int32, thread: UInt8)
  }

  init(_ cast: Cast, _ script: Script) {
    self.cast = cast
    self.script = script
  }

  mutating func write() {
    let parts = cast.parts.values.sorted { $0.record.id < $1.record.id }
    for part in parts where part.entry != nil && hasEntered(part.record.id) { add(part) }
    var cues = script.timed.map { (cue: $0, moment: Moment?.none) }
    for (moment, hung) in script.hung { cues += hung.map { ($0, moment) } }
    cues.sort { $0.cue.place < $1.cue.place }
    // Numbers first: a request may hang on a later one's visit in a damaged file.
    for (cue, _) in cues {
      switch cue.action {
      case .ask(let ask): add(ask, cue)
      case .cancel: lastID += 1
      default: continue
      }
      numbers[cue.place] = lastID
    }
    for (cue, moment) in cues { place(cue, moment) }
    for place in scenario.requests.indices {
      let request = scenario.requests[place]
      let key = Script.OwnRequest(controller: request.controller, state: request.state)
      if leaving.contains(key) { scenario.requests[place].leaves = true }
    }
  }

  private func hasEntered(_ id: Int32) -> Bool {
    script.entrances.contains { $0.controller == id && !$0.isEnd }
  }
}

// MARK: Controllers

extension ScenarioWriter {
  private mutating func add(_ part: Cast.Part) {
    guard let (snapshot, waiting) = part.standing else {
      scenario.doubts.append(
        .unknownController(controller: part.record.id, policy: part.record.policy))
      return
    }
    if case .opaque = part.entry, !snapshot.isIdle {
      scenario.doubts.append(.lateAttachment(controller: part.record.id))
      return
    }
    var controller = Scenario.Controller(part.name, id: part.record.id, name: part.record.name)
    controller.fidelity = part.playedFidelity
    controller.snapshot = snapshot
    scenario.controllers.append(controller)
    for one in snapshot.standing + snapshot.waiting { add(one, part.record.id, isOpen: true) }
    // Another kind cannot take up a line where it stands: whoever waited asks again.
    for one in waiting { add(one, part.record.id, isOpen: false) }
  }

  private mutating func add(
    _ one: SnapshotRecord.Request, _ controller: Int32, isOpen: Bool
  ) {
    lastID += 1
    var request = Scenario.Request(lastID, StateName(one.state))
    request.controller = controller
    request.priority = one.priority ?? 0
    request.equality = one.equality
    request.answers = one.answers ?? 0
    if isOpen { request.visit = one.visit }
    let object = VisitKey(controller: controller, visit: one.instance ?? one.visit)
    request.instance = firsts[object]
    if firsts[object] == nil { firsts[object] = request.id }
    append(request, one.visit)
    setAnswers(one.visit, controller, scenario.requests.count - 1)
  }
}

// MARK: Requests

extension ScenarioWriter {
  private mutating func append(_ request: Scenario.Request, _ visit: UInt32) {
    ids[VisitKey(controller: request.controller, visit: visit)] = request.id
    places[request.id] = scenario.requests.count
    scenario.requests.append(request)
  }

  private mutating func add(_ ask: Ask, _ cue: Cue) {
    lastID += 1
    var request = Scenario.Request(lastID, ask.state)
    request.controller = cue.controller
    request.priority = ask.priority
    request.equality = ask.equality
    request.answers = ask.answers
    request.objection = ask.objection
    request.asked = ask.asked
    request.payload = ask.payload
    request.source = source(cue, ask.origin)
    let object = VisitKey(controller: cue.controller, visit: ask.instance)
    request.instance = firsts[object]
    if firsts[object] == nil { firsts[object] = request.id }
    append(request, ask.visit)
  }

  private mutating func source(_ cue: Cue, _ origin: UInt32) -> Int {
    let source: Source =
      origin == 0
      ? .code(site: cue.site, thread: cue.thread)
      : .visit(VisitKey(controller: cue.controller, visit: origin))
    if let known = sources[source] { return known }
    sources[source] = sources.count + 1
    return sources.count
  }

  private mutating func place(_ cue: Cue, _ moment: Moment?) {
    switch cue.action {
    case .ask(let ask):
      guard let place = index(ask.visit, cue.controller) else { return }
      scenario.requests[place].origin =
        ids[
          VisitKey(controller: cue.controller, visit: ask.origin)]
      scenario.requests[place].place = when(cue, moment)
      setAnswers(ask.visit, cue.controller, place)
    case .say(let completion, let visit, let role):
      guard let place = index(visit, cue.controller) else { return }
      say(completion, role, cue.isInside, place, moment)
    case .cancel(let cancellation): cancel(cancellation, cue, moment)
    case .deadline(_, let awaited, let recovery):
      guard let place = scenario.controllers.firstIndex(where: { $0.id == cue.controller }) else {
        return
      }
      if awaited == .entered {
        scenario.controllers[place].deadlineEntering = recovery
      } else {
        scenario.controllers[place].deadlineLeaving = recovery
      }
    case .resume: break
    }
  }

  private mutating func cancel(
    _ cancellation: Cancellation, _ cue: Cue, _ moment: Moment?
  ) {
    let extent: Scenario.Cancel.Extent
    switch cancellation {
    case .all: extent = .all
    case .tearDown: extent = .tearDown
    case .visit(let visit):
      guard let id = ids[VisitKey(controller: cue.controller, visit: visit.rawValue)] else {
        return
      }
      extent = .request(id)
    }
    guard let id = numbers[cue.place] else { return }
    var cancel = Scenario.Cancel(id, extent)
    cancel.controller = cue.controller
    cancel.place = when(cue, moment)
    cancel.source = source(cue, 0)
    scenario.cancels.append(cancel)
  }

  private func index(_ visit: UInt32, _ controller: Int32) -> Int? {
    ids[VisitKey(controller: controller, visit: visit)].flatMap { places[$0] }
  }

  private func when(_ cue: Cue, _ moment: Moment?) -> Scenario.Place {
    guard let moment,
      let id = ids[VisitKey(controller: moment.controller, visit: moment.visit)]
    else { return .anytime }
    let place = Scenario.Moment(moment.kind, id)
    guard cue.isInside else { return .after(place) }
    let isAfterAnswer = (script.hung[moment] ?? []).contains { other in
      guard case .say(_, _, .answer) = other.action else { return false }
      return other.isInside && other.place < cue.place
    }
    return .inside(place, isAfterAnswer: isAfterAnswer)
  }
}

// MARK: Answers

extension ScenarioWriter {
  /// Says of a visit what it does although it did not show, or not by itself.
  private mutating func setAnswers(_ visit: UInt32, _ controller: Int32, _ place: Int) {
    func wasTold(_ kind: EventKind) -> Moment? {
      let moment = Moment(controller: controller, visit: visit, kind: kind)
      return script.told.contains(moment) ? moment : nil
    }
    if let moment = wasTold(.entering) { scenario.requests[place].enters = answer(moment) }
    if let moment = wasTold(.exiting) { scenario.requests[place].exits = answer(moment) }
  }

  /// A state that was silent when it was its turn may have been slow, or not answer at all.
  private func answer(_ moment: Moment) -> Scenario.Answer {
    if script.spokenFor.contains(moment) { return .byController }
    return hasAnswer(moment) || !script.toldInTurn.contains(moment) ? .later : .perhaps
  }

  private func hasAnswer(_ moment: Moment) -> Bool {
    (script.hung[moment] ?? []).contains {
      if case .say(_, _, .answer) = $0.action { true } else { false }
    }
  }

  private mutating func say(
    _ completion: Completion, _ role: Cue.Role, _ isInside: Bool, _ place: Int, _ moment: Moment?
  ) {
    let answer: Scenario.Answer = isInside ? .atOnce : .later
    switch role {
    case .answer(isLawful: true):
      if completion == .entered {
        scenario.requests[place].enters = answer
      } else {
        scenario.requests[place].exits = answer
      }
    case .answer(isLawful: false):
      if completion == .entered {
        scenario.requests[place].enters = answer
      } else {
        scenario.requests[place].exitsEarly = answer
        // How it leaves in its turn was not seen.
        scenario.requests[place].exits = .later
      }
    case .leave:
      let request = scenario.requests[place]
      leaving.insert(.init(controller: request.controller, state: request.state))
    case .stray: scenario.requests[place].repeats.insert(completion)
    }
  }
}
