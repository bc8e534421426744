import Staty
import StatyHistory

// What happens in a step, and because of it.
extension ScheduleRun {
  /// Makes a request or a cancellation, or tells a message.
  ///
  /// - Parameter isStep: whether it is a step of its own, and not made inside of another step.
  func make(_ id: Int, isStep: Bool = false) {
    guard !isGivenUp, made.insert(id).inserted else { return }
    if !isStep { order.append(.make(id)) }
    moved.append(id)
    seq = recorded?.seqs[id] ?? seq
    if let place = place(of: id) {
      request(place)
    } else if let message = plan.messages[id] {
      tell(message)
    } else {
      cancel(id)
    }
  }

  private func tell(_ message: Scenario.Message) {
    touching.insert(message.controller)
    messages.begin(message)
    let player = players[message.controller]
    if let origin = message.origin {
      // A scenario that was written by hand does not say which question a message answers.
      let asker = asker(of: origin, message.controller)
      messages.answer(origin, message.questions, others: asker?.awaited ?? [])
    }
    let before = player?.questions.count ?? 0
    var why: UntoldMessage?
    func receive() {
      why = player?.receive(
        message.name, message.values, Int64(message.id), answering: Int64(message.origin ?? 0))
    }
    // What comes of a model's tasks is told as messages, if the scenario has them.
    if player?.track != nil, plan.isGrowing || message.seq != 0 || plan.hasAnswer(message) {
      receive()
    } else {
      thread.perform(of: message.controller, receive)
    }
    messages.end(message, asking: player.map { Array($0.questions.dropFirst(before)) })
    // A model that ignores a message tells others nothing in its handling. One that comes to an equal
    // value has not ignored it.
    if why == nil, !(message.changes && messages.ignored.contains(message.id)) {
      for id in plan.within[message.id] ?? [] { make(id) }
    }
    guard let why else {
      if player?.track != nil { messages.note(track: message.controller) }
      return
    }
    let name = message.name.description
    // One message stands for all of its name that cannot be told for the same reason.
    let isKnown = doubts.contains {
      guard case .untoldMessage(message.controller, _, name, let other) = $0 else { return false }
      return other == why
    }
    if isKnown { return }
    doubts.append(.untoldMessage(controller: message.controller, seq: message.seq, name: name, why))
  }

  private func request(_ place: Int) {
    let request = requests[place]
    guard let player = players[request.controller] else { return }
    touching.insert(request.controller)
    expected[request.controller] = place
    let isTold = player.request(plan.inputs[place])
    // An app's own controller may have made no request of it.
    if expected.removeValue(forKey: request.controller) == nil { return }
    if isOnClock {
      recorded?.note(.untaken(request.id))
    } else if !isTold {
      doubts.append(.cannotBeTold(controller: request.controller, seq: 0))
    }
  }

  private func cancel(_ id: Int) {
    guard let cancel = plan.cancels[id] else { return }
    touching.insert(cancel.controller)
    let extent: Cancellation
    switch cancel.extent {
    case .all: extent = .all
    case .tearDown: extent = .tearDown
    case .request(let request):
      guard let visit = place(of: request).flatMap({ courses[$0].visit }) else { return }
      extent = .visit(VisitNumber(visit))
    }
    if players[cancel.controller]?.cancel(extent) == true { return }
    doubts.append(.cannotBeTold(controller: cancel.controller, seq: seq))
  }

  /// - Parameter isFinished: whether it was done to the end; by default as it was recorded.
  func complete(_ completion: Completion, _ place: Int, isFinished: Bool? = nil) {
    guard courses[place].mayReport(completion) else { return }
    // On a clock, what its controller took for a report was one.
    if !isOnClock { courses[place].complete(completion) }
    tell(completion, place, isFinished: isFinished)
  }

  func tell(_ completion: Completion, _ place: Int, isFinished: Bool? = nil) {
    guard !isGivenUp, let visit = courses[place].visit else { return }
    let controller = requests[place].controller
    touching.insert(controller)
    players[controller]?.complete(
      completion, visit,
      isFinished: isFinished ?? !requests[place].unfinished.contains(completion))
  }

  func pass(_ completion: Completion, _ id: Int) {
    guard let place = place(of: id), let visit = courses[place].visit else { return }
    let controller = requests[place].controller
    guard let recovery = plan.recovery(completion, controller) else { return }
    courses[place].passed.insert(completion)
    touching.insert(controller)
    players[controller]?.pass(visit, completion, recovery)
  }

  func run(_ id: Step.Deferred) {
    guard let step = steps.remove(id) else { return }
    touching.insert(id.controller)
    thread.perform(of: id.controller, step.run)
  }
}

extension ScheduleRun {
  /// The deferred step with this number, counted over all steps; `nil` if it cannot run.
  package func step(numbered number: UInt32) -> Step? {
    steps.id(numbered: number).map(Step.deferred).flatMap { canTake($0) ? $0 : nil }
  }
}

// What players tell their run.
extension ScheduleRun {
  /// The visit that a request has become; `nil` if it was not made.
  ///
  /// - Parameter recorded: the number of the visit in the request's ``RequestInput``.
  func number(_ recorded: UInt32, of controller: Int32) -> UInt32? {
    recorded == 0 ? nil : place(of: Int(recorded)).flatMap { courses[$0].visit }
  }

  /// A request becomes this visit.
  func begins(_ visit: UInt32, of controller: Int32, _ state: StateName) {
    guard
      let place = expected.removeValue(forKey: controller) ?? wiredRequest(of: controller, state)
        ?? ownRequest(of: controller, state)
    else { return }
    (courses[place].visit, courses[place].state) = (visit, state)
    visits[VisitKey(controller: controller, visit: visit)] = place
  }

  /// The request that was recorded in the call under way, and that what is called makes by itself.
  private func wiredRequest(of controller: Int32, _ state: StateName) -> Int? {
    guard let call = calls.last(of: controller), let ids = plan.called[call] else { return nil }
    let place = ids.lazy.filter { !self.made.contains($0) }.compactMap(self.place(of:)).first {
      self.requests[$0].state == state
    }
    if let place { made.insert(requests[place].id) }
    return place
  }

  /// What a controller has called outwards is about to return.
  func returns(to controller: Int32) {
    if let call = calls.last(of: controller) {
      for id in plan.called[call] ?? [] { make(id) }
    }
    calls.end(of: controller)
  }

  /// A controller's observer was told of an event.
  func observed(_ event: borrowing TransitionEvent, _ controller: Int32) {
    touching.insert(controller)
    calls.note(event, of: controller, log)
    let visit = event.visit?.rawValue ?? 0
    let place = visits[VisitKey(controller: controller, visit: visit)]
    if let place {
      courses[place].follow(event.kind)
      recorded?.follow(event.kind, place, of: controller)
      moved.append(requests[place].id)
    }
    if event.kind == .moved { messages.move() }
    let request = place.map { requests[$0] }
    let message = event.kind == .received ? messages.receive(event.number) : nil
    let payload = message?.values ?? request?.payload
    log.note(
      event, of: controller, recorded: request.map { UInt32($0.id) }, at: now,
      asking: (request?.origin.flatMap { number(UInt32($0), of: controller) } ?? 0, payload))
    if log.count > mostEvents { runsAway(controller) }
  }

  /// Observers are told of an input of a visit that the controller has not handled yet.
  ///
  /// On a recording's clock everything waits until it is handled.
  func heard(_ kind: EventKind, of visit: UInt32, _ controller: Int32) {
    guard !isGivenUp, !isOnClock, Moment.isOne(kind),
      let place = visits[VisitKey(controller: controller, visit: visit)]
    else { return }
    courses[place].reached.insert(kind)
    let inside = plan.inside[Scenario.Moment(kind, requests[place].id)]
    for step in inside?.before ?? [] { perform(step) }
  }

  /// Something happened to a visit: what depends on it happens now, or later.
  func happened(_ kind: EventKind, to visit: UInt32, of controller: Int32) {
    guard !isGivenUp, Moment.isOne(kind),
      let place = visits[VisitKey(controller: controller, visit: visit)]
    else { return }
    courses[place].reached.insert(kind)
    let request = requests[place]
    let moment = Scenario.Moment(kind, request.id)
    // A faulty class may tell a state twice, and a recording says what followed the first time.
    let inside = isOnClock ? inside.removeValue(forKey: moment) : inside[moment]
    for step in inside?.before ?? [] { perform(step) }
    if kind == .entering || kind == .exiting {
      let completion: Completion = kind == .entering ? .entered : .exited
      let isPolicy = plan.policies.contains(controller)
      if courses[place].beTold(completion, request, isPolicy: isPolicy) {
        complete(completion, place)
      }
    }
    for step in inside?.after ?? [] { perform(step) }
    noteHappening(kind, place)
  }

  /// A controller defers a step for so many microseconds.
  func deferred(_ step: ReplayScheduler.Step, for delay: Int64, of controller: Int32) {
    let event = numbering.place.event
    let id = steps.add(
      step, for: delay, of: controller, in: event, log.moment(event), at: clock)
    recorded?.note(.deferred(id, number: step.number, delay: delay))
  }

  /// A controller runs without end.
  func runsAway(_ controller: Int32) {
    giveUp(.runaway(controller: controller, seq: isOnClock ? seq : Int64(log.count)))
  }

  /// Gives the run up: what it shows from here on proves nothing.
  func giveUp(_ doubt: ReplayDoubt) {
    guard !isGivenUp else { return }
    isGivenUp = true
    doubts.append(doubt)
  }
}
