import Staty
import StatyHistory

// The requests, cancellations and messages of a scenario: from which source, and when they can
// happen.
extension ScenarioWriter {
  mutating func append(_ request: Scenario.Request, _ visit: UInt32) {
    ids[VisitKey(controller: request.controller, visit: visit)] = request.id
    places[request.id] = scenario.requests.count
    scenario.requests.append(request)
  }

  mutating func add(_ input: RequestInput, _ cue: ScriptCue) {
    lastID += 1
    var request = Scenario.Request(lastID, input.state)
    request.controller = cue.controller
    request.priority = input.priority
    request.equality = input.equality
    request.answers = input.answers
    // In another order the visit that asks may still be there; in this one the routes reject it, too.
    let isOfRoutes =
      input.objection == .staleOrigin && input.asked == nil
      && scenario.controllers.contains { $0.id == cue.controller && $0.snapshot.routes != nil }
    request.objection = isOfRoutes ? nil : input.objection
    request.asked = input.asked
    request.payload = input.payload
    let isKnown = input.origin != 0 || cue.site != 0
    request.source = number(of: isKnown ? source(cue, input.origin) : .unknown(place: cue.place))
    let object = VisitKey(controller: cue.controller, visit: input.instance)
    request.instance = firsts[object]
    if firsts[object] == nil { firsts[object] = request.id }
    append(request, input.visit)
  }

  private func source(_ cue: ScriptCue, _ origin: UInt32) -> Source {
    origin == 0
      ? .code(site: cue.site, thread: cue.thread)
      : .visit(VisitKey(controller: cue.controller, visit: origin))
  }

  mutating func number(of source: Source) -> Int {
    if let known = sources[source] { return known }
    sources[source] = sources.count + 1
    return sources.count
  }

  mutating func place(_ cue: ScriptCue, _ moment: Moment?) {
    switch cue.action {
    case .request(let input):
      guard let place = index(input.visit, cue.controller) else { return }
      scenario.requests[place].origin =
        ids[
          VisitKey(controller: cue.controller, visit: input.origin)]
      scenario.requests[place].place = when(cue, moment)
      setAnswers(input.visit, cue.controller, place)
    case .complete(let completion, let visit, let role, let isFinished):
      guard let place = index(visit, cue.controller) else { return }
      complete(completion, role, cue.isInside, place, isFinished: isFinished)
      if case .answer = role, cue.isInside { return }
    case .receive(let name, let payload, let origin):
      receive(name, payload, answering: origin, cue, moment)
    case .cancel(let cancellation): cancel(cancellation, cue, moment)
    case .deadline(let visit, let awaited, let recovery):
      guard case .policy = cast.parts[cue.controller]?.entry else { return }
      guard let place = scenario.controllers.firstIndex(where: { $0.id == cue.controller }) else {
        return
      }
      if awaited == .entered {
        scenario.controllers[place].deadlineEntering = recovery
      } else {
        scenario.controllers[place].deadlineExiting = recovery
        // Recorded by an older version, or after it was forced to enter.
        if let place = index(visit, cue.controller) { scenario.requests[place].awaitsUser = false }
      }
    case .resume: break
    }
    if let step = step(of: cue) { order.append((cue.place, step)) }
  }

  /// What a cue is in the scenario; `nil` if it is about nothing that the scenario has.
  func step(of cue: ScriptCue) -> Step? {
    func id(_ visit: UInt32) -> Int? { ids[VisitKey(controller: cue.controller, visit: visit)] }
    switch cue.action {
    case .request(let input): return id(input.visit).map { .make($0) }
    case .complete(let completion, let visit, let role, let isFinished):
      guard let id = id(visit) else { return nil }
      switch role {
      case .answer: return .complete(completion, id, finished: isFinished ?? true)
      case .exitByItself: return .exitByItself(id)
      case .stray: return .repeat(completion, id)
      }
    case .cancel(.visit(let visit)) where id(visit.rawValue) == nil: return nil
    case .receive, .cancel: return numbers[cue.place].map { .make($0) }
    case .deadline(let visit, let awaited, _):
      // A class reports a deadline in a step of its own.
      guard case .policy = cast.parts[cue.controller]?.entry else { return nil }
      return id(visit).map { .deadline(awaited, $0) }
    case .resume: return .bind(cue.controller)
    }
  }

  private mutating func receive(
    _ name: StateName, _ payload: String?, answering origin: Int64, _ cue: ScriptCue,
    _ moment: Moment?
  ) {
    guard let id = numbers[cue.place] else { return }
    var message = Scenario.Message(id, name)
    message.controller = cue.controller
    message.values = payload
    message.origin = numbers[origin]
    message.moves = script.moving.contains(cue.place)
    message.changes = script.changing.contains(cue.place)
    message.seq = cue.place
    message.place = when(cue, moment)
    // A track is used in one isolation, so its messages had this order, on whatever threads.
    let isTrack = cast.parts[cue.controller]?.record.isTrack ?? false
    message.source = number(
      of: message.origin.map { .message($0) }
        ?? .outside(controller: cue.controller, thread: isTrack ? 0 : cue.thread))
    scenario.messages.append(message)
  }

  private mutating func cancel(
    _ cancellation: Cancellation, _ cue: ScriptCue, _ moment: Moment?
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
    cancel.source = number(of: source(cue, 0))
    scenario.cancels.append(cancel)
  }

  private func index(_ visit: UInt32, _ controller: Int32) -> Int? {
    ids[VisitKey(controller: controller, visit: visit)].flatMap { places[$0] }
  }

  /// A recorded call, with the request of the visit that it was made for.
  private func named(_ call: Scenario.Call) -> Scenario.Call {
    var named = call
    guard call.request != 0 else { return named }
    let key = VisitKey(controller: call.controller, visit: UInt32(truncatingIfNeeded: call.request))
    named.request = ids[key] ?? 0
    if ids[key] == nil { named.kind = nil }
    return named
  }

  private func when(_ cue: ScriptCue, _ moment: Moment?) -> Scenario.Place {
    if let call = cue.call { return .called(named(call)) }
    if let message = numbers[cue.message] { return .within(message: message) }
    guard let moment,
      let id = ids[VisitKey(controller: moment.controller, visit: moment.visit)]
    else { return .anytime }
    let place = Scenario.Moment(moment.kind, id)
    guard cue.isInside else { return .after(place) }
    let isAfterAnswer = (script.hung[moment] ?? []).contains { other in
      guard case .complete(_, _, .answer, _) = other.action else { return false }
      return other.isInside && other.place < cue.place
    }
    return .inside(place, isAfterAnswer: isAfterAnswer)
  }
}
