import Staty
import StatyHistory

/// Makes a scenario from a script: what happened at a time may happen at any time, and what
/// followed an event still follows it.
struct ScenarioWriter {
  var scenario = Scenario()
  let cast: Cast
  let script: Script
  /// When the recording ended.
  let end: Int64
  /// The numbers of the requests, by the visits that they became.
  var ids: [VisitKey: Int] = [:]
  /// The first requests for objects, by the objects' first visits.
  var firsts: [VisitKey: Int] = [:]
  var sources: [Source: Int] = [:]
  var exitingByThemselves: Set<Script.OwnRequest> = []
  /// What states of a name reported with whether it was done to the end.
  var breakable: [Script.OwnRequest: Set<Completion>] = [:]
  var lastID = 0
  /// The numbers of what was done, by the numbers of the events.
  var numbers: [Int64: Int] = [:]
  /// When deferred steps ran.
  private var deferred: [Step.Deferred: Script.Deferred] = [:]
  /// The same by their controllers and their numbers there.
  private var numbered: [Int32: [UInt32: (id: Step.Deferred, step: Script.Deferred)]] = [:]
  /// The places of the requests, by their numbers.
  var places: [Int: Int] = [:]
  /// What happened, by the numbers of the events.
  ///
  /// Requests and cancellations made inside of something are included.
  var order: [(place: Int64, step: Step)] = []

  /// What a request, cancellation or message comes from.
  enum Source: Hashable {
    case visit(VisitKey)
    case code(site: Int32, thread: UInt8)
    /// The answers to a message.
    case message(Int)
    /// Messages that answer none, or do not say what they answer.
    case outside(controller: Int32, thread: UInt8)
    /// What waited when its controller's recording began.
    case waiting(controller: Int32)
    /// The source is not known: it differs from all others.
    case unknown(place: Int64)
  }

  /// Whether the scenario is played on the recording's clock, where a chooser says what states do.
  private let isTimed: Bool

  init(_ cast: Cast, _ script: Script, end: Int64, isTimed: Bool = false) {
    self.cast = cast
    self.script = script
    self.end = end
    self.isTimed = isTimed
  }

  mutating func write() {
    let parts = cast.parts.values.sorted { $0.record.id < $1.record.id }
    for part in parts where part.entry != nil && hasEntered(part.record.id) { add(part) }
    if isTimed { addOwn() }
    var cues = script.timed.map { (cue: $0, moment: Moment?.none) }
    for (moment, hung) in script.hung { cues += hung.map { ($0, moment) } }
    for inside in Array(script.called.values) + script.within.values {
      cues += inside.map { ($0, nil) }
    }
    cues.sort { $0.cue.place < $1.cue.place }
    // Numbers first: in a damaged file a request may depend on a later request's visit.
    for (cue, _) in cues {
      switch cue.action {
      case .request(let input): add(input, cue)
      case .cancel, .receive: lastID += 1
      default: continue
      }
      if let seq = cue.seq { numbers[seq] = lastID }
    }
    for (cue, moment) in cues { place(cue, moment) }
    for place in scenario.requests.indices {
      let request = scenario.requests[place]
      let key = Script.OwnRequest(controller: request.controller, state: request.state)
      if exitingByThemselves.contains(key) { scenario.requests[place].exitsByItself = true }
      scenario.requests[place].mayBeUnfinished = breakable[key] ?? []
      if isTimed { scenario.requests[place].answersLater() }
    }
    for (moment, steps) in script.steps { addDeferred(steps, moment) }
    order.sort { $0.place < $1.place }
    bindFirst()
  }

  /// A controller that had a target before its first request has it from the beginning: the app
  /// does it in that order.
  private mutating func bindFirst() {
    for place in scenario.controllers.indices {
      let id = scenario.controllers[place].id
      guard let bound = order.firstIndex(where: { $0.step == .bind(id) }) else { continue }
      let requests = scenario.requests.filter { $0.controller == id }
      let numbers = Set(requests.map(\.id))
      let isLate = order[..<bound].contains {
        if case .make(let request) = $0.step { numbers.contains(request) } else { false }
      }
      // A request that waits since before the recording needs the signal.
      if isLate || requests.contains(where: { $0.visit != nil }) { continue }
      scenario.controllers[place].snapshot.isWithholding = false
      order.remove(at: bound)
    }
  }

  private mutating func addDeferred(_ steps: [Script.Deferred], _ moment: Moment) {
    let key = VisitKey(controller: moment.controller, visit: moment.visit)
    // They are counted as they were deferred, which is not how they ran.
    let isNumbered = steps.allSatisfy { $0.number != 0 }
    let steps = isNumbered ? steps.sorted { $0.number < $1.number } : steps
    for (number, step) in steps.enumerated() {
      let id = Step.Deferred(
        controller: moment.controller, kind: moment.kind, request: ids[key] ?? 0, number: number)
      order.append((step.seq, .deferred(id)))
      // In a damaged file a step may be deferred because of a visit that was never requested.
      if moment.visit == 0 || ids[key] != nil {
        deferred[id] = step
        numbered[moment.controller, default: [:]][step.number] = (id, step)
      }
    }
  }

  /// The recorded step that a step of a run is.
  ///
  /// - Parameter number: which of the controller's steps it is in the run: in the recording others of the
  ///   same moment may not have run.
  func recorded(_ id: Step.Deferred, number: UInt32) -> Script.Deferred? {
    guard number != 0, let all = numbered[id.controller], all[0] == nil else { return deferred[id] }
    // A step that nobody has the number of did not run.
    guard let known = all[number] else { return nil }
    let isSame = known.id.kind == id.kind && known.id.request == id.request
    // An edit may have shifted the numbers.
    return isSame ? known.step : deferred[id]
  }

  /// Adds the requests that controllers made by themselves.
  private mutating func addOwn() {
    for (key, visits) in script.ownRequests {
      for visit in visits {
        lastID += 1
        var request = Scenario.Request(lastID, key.state)
        request.controller = key.controller
        append(request, visit)
      }
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
      scenario.doubts.append(.unreadableSnapshot(controller: part.record.id))
      return
    }
    if case .opaque = part.entry, !part.record.begins(at: snapshot) {
      scenario.doubts.append(.lateAttachment(controller: part.record.id))
      return
    }
    var controller = Scenario.Controller(
      part.name, id: part.record.id, name: part.record.name, discipline: part.discipline)
    // However little was recorded, a played controller reports everything.
    controller.fidelity = part.playedFidelity == .threeKind ? .ordered : part.playedFidelity
    controller.snapshot = snapshot
    controller.isReplaced = part.isReplaced
    scenario.controllers.append(controller)
    // The values of a track were not requested.
    if part.record.isTrack, !isTimed { return }
    for one in snapshot.standing + snapshot.waiting { add(one, part.record.id, isOpen: true) }
    // A controller of another kind cannot continue with the recorded line: waiting requests are
    // made again.
    for one in waiting { add(one, part.record.id, isOpen: false) }
    if isTimed { return }
    let begun = script.entrances.first { $0.controller == part.record.id && !$0.isEnd }?.seq ?? 0
    for place in scenario.requests.indices.suffix(waiting.count) {
      scenario.requests[place].source = number(of: .waiting(controller: part.record.id))
      order.append((begun, .make(scenario.requests[place].id)))
    }
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
