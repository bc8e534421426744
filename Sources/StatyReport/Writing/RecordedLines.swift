import Staty
import StatyHistory
import StatyReplay
import StatyRules

/// Makes the lines of a test from the recording of one controller.
struct RecordedLines {
  private(set) var script: TestScript
  private let recorded: Scenario
  private let controller: Int32
  /// The recorded requests, oldest first.
  private var coming: ArraySlice<Scenario.Request>
  private var cancels: ArraySlice<Scenario.Cancel>
  /// The numbers of requests and messages in the script, by their numbers in the recording.
  private var ids: [Int: Int] = [:]
  /// The numbers of requests in the script, by their visits.
  private var visits: [UInt32: Int] = [:]
  /// The messages that have come.
  private var answered: Set<Int> = []
  /// Those that a double answers by itself.
  private var skipped: Set<Int> = []
  private(set) var run: ScheduleRun
  private let registry: ControllerRegistry

  /// - Parameters:
  ///   - recorded: the scenario of the recording, with only this controller.
  ///   - registry: creates the controller.
  init(_ recorded: Scenario, _ registry: ControllerRegistry) throws {
    guard let one = recorded.controllers.first else { throw TestWriterError.beginsLate }
    guard one.fidelity == .full else { throw TestWriterError.tellsTooLittle }
    let isNew =
      one.snapshot.standing.isEmpty && one.snapshot.waiting.isEmpty && one.snapshot.lastVisit == 0
    // A model of a track is created with its own value.
    guard isNew || one.discipline == .moves else { throw TestWriterError.beginsLate }
    self.recorded = recorded
    self.registry = registry
    controller = one.id
    var scenario = Scenario(one.kind, discipline: one.discipline)
    scenario.controllers[0].snapshot = one.snapshot
    script = TestScript(scenario)
    coming = recorded.requests.sorted { $0.id < $1.id }[...]
    cancels = recorded.cancels.sorted { $0.id < $1.id }[...]
    run = try ScheduleRun(scenario, registry: registry)
  }

  /// Adds the next event of any controller.
  ///
  /// - Parameters:
  ///   - row: the event.
  ///   - step: the number of the deferred step that it is about; 0 if there is none.
  mutating func take(_ row: EventRow, step: UInt32 = 0) throws {
    guard row.controller == controller, let kind = EventKind(rawValue: row.kind) else { return }
    switch kind {
    case .enqueued: try request(row)
    case .entered: try complete(.entered, row)
    case .exited: try complete(.exited, row)
    case .stray:
      try again(row.strayCompletion ?? .exited, row)
    case .cancelled: try cancel(row)
    case .deadline: try miss(row)
    case .resumed: try resume(row, step)
    case .received: try receive(row)
    case .attached, .detached, .entering, .exiting, .discarded, .mark, .calling, .stood, .moved,
      .sent:
      break
    case .lost: throw TestWriterError.hasGaps
    }
  }

  /// Whether an answer is to come without which the test would take the controller for at rest.
  var mustGoOn: Bool { !script.scenario.awaited.isEmpty && run.hasConditionsOfRest }

  /// Whether a finding of a run is the same as one of the recording: the same rule, at the visit of
  /// the same request.
  func isSame(_ found: Finding, as recorded: Finding, in run: ScheduleRun) -> Bool {
    guard found.code == recorded.code else { return false }
    guard let id = visits[recorded.visit] else { return true }
    return run.request(of: found.visit, controller: found.controller) == id
  }

  private func id(_ row: EventRow) throws -> Int {
    guard let id = visits[row.visit] else { throw TestWriterError.wentAnotherWay(seq: row.seq) }
    return id
  }

  /// Whether the controller itself made the request.
  private func isOwn(_ row: EventRow) -> Bool {
    let visit = row.visit
    return run.request(of: visit, controller: script.scenario.controllers[0].id) == nil
      && run.events.contains { $0.visit == visit && $0.kind == EventKind.enqueued.rawValue }
  }

  private mutating func request(_ row: EventRow) throws {
    if isOwn(row) { return try noteWired(row) }
    guard let request = coming.popFirst(), request.visit == nil else {
      throw TestWriterError.wentAnotherWay(seq: row.seq)
    }
    if request.objection != nil {
      throw TestWriterError.unsaid("a request was not to be carried out", seq: row.seq)
    }
    let object = request.instance.flatMap { ids[$0] }
    let place = try place(request.place, row)
    let id = script.request(request.state, place) {
      ($0.instance, $0.asked, $0.priority) = (object, request.asked, request.priority)
      ($0.equality, $0.answers, $0.payload) = (request.equality, request.answers, request.payload)
      ($0.enters, $0.exits, $0.exitsEarly) = (request.enters, request.exits, request.exitsEarly)
    }
    ids[request.id] = id
    visits[row.visit] = id
    if place == .anytime {
      try add(.step(.make(id)), row)
    } else {
      try add(.inside(id), row)
    }
  }

  /// A request that was recorded in a call, and that what is called makes by itself, needs no line.
  private mutating func noteWired(_ row: EventRow) throws {
    guard let next = coming.first, case .called = next.place else { return }
    let isMeant = run.events.contains {
      $0.visit == row.visit && $0.kind == row.kind && run.names[$0.state] == next.state.description
    }
    if isMeant { coming.removeFirst() }
  }

  private func place(_ place: Scenario.Place, _ row: EventRow) throws -> Scenario.Place {
    if case .called(var call) = place {
      call.request = ids[call.request] ?? 0
      call.controller = script.scenario.controllers[0].id
      return .called(call)
    }
    guard case .inside(let moment, let isAfterAnswer) = place else { return .anytime }
    guard let id = ids[moment.request] else {
      throw TestWriterError.unsaid("a request was made inside of another's", seq: row.seq)
    }
    return .inside(.init(moment.kind, id), isAfterAnswer: isAfterAnswer)
  }

  private mutating func complete(_ completion: Completion, _ row: EventRow) throws {
    if isOwn(row) { return }
    let id = try id(row)
    let kind: EventKind = completion == .entered ? .entered : .exited
    // The state completed at once, or the controller reported for it.
    if has(kind, id) { return }
    if completion == .exited, !run.possible.contains(.complete(completion, id)) {
      script.allow(.exitByItself(id))
      return try add(.step(.exitByItself(id)), row)
    }
    let step = Step.complete(completion, id, finished: row.isFinished ?? true)
    script.allow(step)
    try add(.step(step), row)
  }

  private func has(_ kind: EventKind, _ id: Int) -> Bool {
    guard let visit = run.visit(of: id) else { return false }
    return run.events.contains { $0.visit == visit && $0.kind == kind.rawValue }
  }

  private mutating func again(_ completion: Completion, _ row: EventRow) throws {
    if isOwn(row) { return }
    let id = try id(row)
    // A controller may be told late what it has given up.
    let answer = Step.complete(completion, id, finished: row.isFinished ?? true)
    let step = run.possible.contains(.complete(completion, id)) ? answer : .repeat(completion, id)
    script.allow(step)
    try add(.step(step), row)
  }

  private mutating func receive(_ row: EventRow) throws {
    // The others are messages that the model sends itself.
    guard let message = recorded.messages.first(where: { $0.seq == row.seq }) else { return }
    guard case .anytime = message.place else {
      throw TestWriterError.unsaid("a message was received inside of another event", seq: row.seq)
    }
    let question = message.origin.flatMap { ids[$0] }
    // A right model may ask for nothing there.
    let hasAsked = question.map(run.hasAsked) ?? false
    if let origin = message.origin, skipped.contains(origin) {
      throw TestWriterError.unsaid(
        "a message answers what a double answered by itself", seq: row.seq)
    }
    // A double has answered by itself.
    if let question, hasAsked, !run.isAwaited(question) {
      skipped.insert(message.id)
      return noteAnswer(message)
    }
    let id = script.receive(
      message.name, message.values, answering: question, needsQuestion: hasAsked)
    ids[message.id] = id
    noteAnswer(message)
    try add(hasAsked ? .perhaps(.make(id)) : .step(.make(id)), row)
    guard run.schedule.contains(.make(id)) else {
      throw TestWriterError.wentAnotherWay(seq: row.seq)
    }
  }

  /// Something is under way until the last answer has come.
  private mutating func noteAnswer(_ message: Scenario.Message) {
    answered.insert(message.id)
    script.scenario.awaited = Set(
      recorded.messages.compactMap { answered.contains($0.id) ? nil : $0.origin }
        .compactMap { ids[$0] })
  }

  private mutating func cancel(_ row: EventRow) throws {
    guard let cancel = cancels.popFirst() else {
      throw TestWriterError.wentAnotherWay(seq: row.seq)
    }
    guard case .anytime = cancel.place else {
      throw TestWriterError.unsaid("something was cancelled inside of something else", seq: row.seq)
    }
    var extent = cancel.extent
    if case .request(let id) = extent {
      guard let known = ids[id] else { throw TestWriterError.wentAnotherWay(seq: row.seq) }
      extent = .request(known)
    }
    try add(.step(.make(script.scenario.cancel(extent))), row)
  }

  private mutating func miss(_ row: EventRow) throws {
    // The class has already reported it in a deferred step.
    let isReported = run.events.contains {
      $0.visit == row.visit && $0.kind == row.kind && $0.reason == row.reason
    }
    if isReported { return }
    let codes = [EventReason.enteringReport, .enteringForce, .enteringSkip].map(\.code)
    let completion: Completion = codes.contains(row.reason) ? .entered : .exited
    guard let one = recorded.controllers.first,
      let recovery = completion == .entered ? one.deadlineEntering : one.deadlineExiting
    else { throw TestWriterError.wentAnotherWay(seq: row.seq) }
    script.recover(completion, by: recovery)
    try add(.step(.deadline(completion, try id(row))), row)
  }

  private mutating func resume(_ row: EventRow, _ step: UInt32) throws {
    let bind = run.possible.first { if case .bind = $0 { true } else { false } }
    if let bind { return try add(.step(bind), row) }
    let oldest = run.possible.first { if case .deferred = $0 { true } else { false } }
    let meant = run.step(numbered: step)
    try add(meant == nil || meant == oldest ? .advance : .run(step), row)
  }

  private mutating func add(_ line: TestLine, _ row: EventRow) throws {
    script.add(line)
    let again = try ScheduleRun(script.scenario, registry: registry)
    for known in script.lines where !again.carryOut(known) {
      throw TestWriterError.wentAnotherWay(seq: row.seq)
    }
    run = again
  }
}
