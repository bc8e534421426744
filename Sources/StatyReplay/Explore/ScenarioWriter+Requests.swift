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

  mutating func add(_ ask: Ask, _ cue: Cue) {
    lastID += 1
    var request = Scenario.Request(lastID, ask.state)
    request.controller = cue.controller
    request.priority = ask.priority
    request.equality = ask.equality
    request.answers = ask.answers
    request.objection = ask.objection
    request.asked = ask.asked
    request.payload = ask.payload
    let isKnown = ask.origin != 0 || cue.site != 0
    request.source = number(of: isKnown ? source(cue, ask.origin) : .unknown(place: cue.place))
    let object = VisitKey(controller: cue.controller, visit: ask.instance)
    request.instance = firsts[object]
    if firsts[object] == nil { firsts[object] = request.id }
    append(request, ask.visit)
  }

  private func source(_ cue: Cue, _ origin: UInt32) -> Source {
    origin == 0
      ? .code(site: cue.site, thread: cue.thread)
      : .visit(VisitKey(controller: cue.controller, visit: origin))
  }

  private mutating func number(of source: Source) -> Int {
    if let known = sources[source] { return known }
    sources[source] = sources.count + 1
    return sources.count
  }

  mutating func place(_ cue: Cue, _ moment: Moment?) {
    switch cue.action {
    case .ask(let ask):
      guard let place = index(ask.visit, cue.controller) else { return }
      scenario.requests[place].origin =
        ids[
          VisitKey(controller: cue.controller, visit: ask.origin)]
      scenario.requests[place].place = when(cue, moment)
      setAnswers(ask.visit, cue.controller, place)
      order.append((cue.place, .make(scenario.requests[place].id)))
    case .say(let completion, let visit, let role):
      guard let place = index(visit, cue.controller) else { return }
      say(completion, role, cue.isInside, place, moment)
      let id = scenario.requests[place].id
      switch role {
      case .answer: if !cue.isInside { order.append((cue.place, .say(completion, id))) }
      case .leave: order.append((cue.place, .leave(id)))
      case .stray: order.append((cue.place, .repeat(completion, id)))
      }
    case .receive(let name, let payload, let origin):
      receive(name, payload, answering: origin, cue, moment)
    case .cancel(let cancellation): cancel(cancellation, cue, moment)
    case .deadline(let visit, let awaited, let recovery):
      // A class reports a deadline in a step of its own.
      guard case .policy = cast.parts[cue.controller]?.entry else { return }
      guard let place = scenario.controllers.firstIndex(where: { $0.id == cue.controller }) else {
        return
      }
      if awaited == .entered {
        scenario.controllers[place].deadlineEntering = recovery
      } else {
        scenario.controllers[place].deadlineLeaving = recovery
      }
      guard let late = index(visit, cue.controller) else { return }
      order.append((cue.place, .deadline(awaited, scenario.requests[late].id)))
    case .resume: order.append((cue.place, .bind(cue.controller)))
    }
  }

  private mutating func receive(
    _ name: StateName, _ payload: String?, answering origin: Int64, _ cue: Cue, _ moment: Moment?
  ) {
    guard let id = numbers[cue.place] else { return }
    var message = Scenario.Message(id, name)
    message.controller = cue.controller
    message.values = payload
    message.origin = numbers[origin]
    message.moves = script.moving.contains(cue.place)
    message.seq = cue.place
    message.place = when(cue, moment)
    message.source = number(
      of: message.origin.map { .message($0) }
        ?? .outside(controller: cue.controller, thread: cue.thread))
    scenario.messages.append(message)
    order.append((cue.place, .make(id)))
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
    cancel.source = number(of: source(cue, 0))
    scenario.cancels.append(cancel)
    order.append((cue.place, .make(id)))
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
