import Staty
import StatyHistory

/// A scenario as runs of it need it: checked, and with everything found by its number.
///
/// Many runs of a scenario share one.
struct ScenarioPlan {
  /// A request, cancellation or message, with what has to happen before it.
  struct Cue {
    let id: Int
    let controller: Int32
    /// What it comes after; `nil` for any time.
    let moment: Scenario.Moment?
    let isInside: Bool
    /// The outward call that it comes in, if it is one.
    let call: Scenario.Call?
    /// The message in whose handling it comes, if it does.
    let message: Int?
    /// Whether it comes after its moment's state has answered, if it does so in the same call.
    let isAfterAnswer: Bool
    /// What the same source does before it.
    var before: Int?
    /// The request that has to be made before, because it is about its visit.
    var target: Int?
    /// The message that has to be received before, because this one answers it.
    var origin: Int?
    /// What has to have been asked for, if that is known.
    var questions: [ReplayQuestion.Key]?
  }

  let scenario: Scenario
  /// Whether the scenario's author adds to it while it is run, as in a test: what is missing may follow.
  var isGrowing = false
  /// The beginning of a recording's clock; `nil` if the scenario is played step by step.
  let clock: RecordedClock?
  /// The requests, cancellations and messages, in the order of their numbers.
  let cues: [Cue]
  /// The requests as controllers are asked, in the order of the scenario's.
  let inputs: [RequestInput]
  /// What happens inside of a moment: before its state answers, and after.
  var inside: [Scenario.Moment: (before: [Step], after: [Step])] = [:]
  /// What happens inside of outward calls.
  var called: [Scenario.Call: [Int]] = [:]
  /// What happens in the handling of messages.
  var within: [Int: [Int]] = [:]
  let parts: [Cast.Part]
  let records: [ControllerRecord]
  let policies: Set<Int32>
  /// Whether all controllers are policies that this package brings.
  let isOurs: Bool
  /// The log at the beginning of a run.
  let log: PlayedLog
  /// The places of the requests, by their numbers.
  let places: [Int: Int]
  /// The messages and the cancellations, by their numbers.
  let messages: [Int: Scenario.Message]
  let cancels: [Int: Scenario.Cancel]
  private let standing: [VisitKey: Int]

  init(_ scenario: Scenario, _ registry: ControllerRegistry) throws(RegistryError) {
    var parts: [Cast.Part] = []
    for controller in scenario.controllers {
      guard let entry = registry[controller.kind] else {
        throw .unknownController(controller.kind, known: registry.names)
      }
      let discipline = registry.discipline(of: controller.kind) ?? controller.discipline
      parts.append(
        Cast.Part(
          record: ControllerRecord(controller, discipline), name: controller.kind, entry: entry,
          discipline: discipline))
    }
    self.init(scenario, parts, isOurs: parts.allSatisfy { registry.ours.contains($0.name) })
  }

  /// - Parameter recorded: the log at the beginning and the clock, if a recording is played on its own one.
  init(
    _ scenario: Scenario, _ parts: [Cast.Part], isOurs: Bool,
    recorded: (log: PlayedLog, clock: RecordedClock)? = nil
  ) {
    (self.scenario, self.parts, self.isOurs) = (scenario, parts, isOurs)
    records = parts.map(\.record)
    clock = recorded?.clock
    log = recorded?.log ?? PlayedLog(of: scenario, records)
    policies = Set(
      parts.filter { if case .policy = $0.entry { true } else { false } }.map(\.record.id))
    messages = Dictionary(scenario.messages.map { ($0.id, $0) }) { first, _ in first }
    cancels = Dictionary(scenario.cancels.map { ($0.id, $0) }) { first, _ in first }
    places = Dictionary(
      scenario.requests.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    standing = Dictionary(
      scenario.requests.enumerated().compactMap { place, request in
        request.visit.map { (VisitKey(controller: request.controller, visit: $0), place) }
      }, uniquingKeysWith: { first, _ in first })
    inputs = scenario.requests.map { [places] request in
      let first = request.instance.flatMap { places[$0] }.map { scenario.requests[$0] }
      return RequestInput(request, of: first ?? request, in: scenario)
    }
    cues = Self.cues(scenario)
    for cue in cues where cue.isInside {
      if let call = cue.call { called[call, default: []].append(cue.id) }
      if let message = cue.message { within[message, default: []].append(cue.id) }
      guard let moment = cue.moment else { continue }
      if cue.isAfterAnswer {
        inside[moment, default: ([], [])].after.append(.make(cue.id))
      } else {
        inside[moment, default: ([], [])].before.append(.make(cue.id))
      }
    }
  }

  /// The request, cancellation or message with this number; `nil` if it was made before the
  /// beginning.
  func cue(_ id: Int) -> Cue? {
    var (low, high) = (0, cues.count)
    while low < high {
      let middle = (low + high) / 2
      if cues[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < cues.count && cues[low].id == id ? cues[low] : nil
  }

  /// Whether the user or the platform makes a request, cancellation or message, and it follows from
  /// nothing else.
  func isInput(_ id: Int) -> Bool {
    cue(id).map { $0.moment == nil && $0.origin == nil } ?? false
  }

  /// Whether a step is something that the user or the platform does.
  func isInput(_ step: Step) -> Bool {
    if case .make(let id) = step { isInput(id) } else { false }
  }

  /// Whether another message answers this one.
  func hasAnswer(_ message: Scenario.Message) -> Bool {
    scenario.messages.contains { $0.origin == message.id }
  }

  /// The place of the request of a visit that was open at the beginning.
  func place(ofStanding visit: UInt32, _ controller: Int32) -> Int? {
    standing[VisitKey(controller: controller, visit: visit)]
  }

  /// What a controller does about a state that takes too long.
  func recovery(_ awaited: Completion, _ controller: Int32) -> DeadlineRecovery? {
    let one = scenario.controllers.first { $0.id == controller }
    return awaited == .entered ? one?.deadlineEntering : one?.deadlineExiting
  }
}

extension ScenarioPlan {
  private static func cues(_ scenario: Scenario) -> [Cue] {
    var all: [(cue: Cue, source: Int)] = []
    for one in scenario.requests where one.visit == nil {
      all.append((Cue(one.id, of: one.controller, one.place), one.source))
    }
    for one in scenario.cancels {
      var cue = Cue(one.id, of: one.controller, one.place)
      cue.target = one.extent.request
      all.append((cue, one.source))
    }
    for one in scenario.messages {
      var cue = Cue(one.id, of: one.controller, one.place)
      (cue.origin, cue.questions) = (one.origin, one.questions)
      all.append((cue, one.source))
    }
    all.sort { $0.cue.id < $1.cue.id }
    var last: [Int: Int] = [:]
    return all.map { cue, source in
      if cue.isInside { return cue }
      var cue = cue
      cue.before = last[source]
      last[source] = cue.id
      return cue
    }
  }
}

extension ScenarioPlan.Cue {
  fileprivate init(_ id: Int, of controller: Int32, _ place: Scenario.Place) {
    (self.id, self.controller) = (id, controller)
    (moment, isInside, isAfterAnswer) = place.parts
    call = if case .called(let call) = place { call } else { nil }
    message = if case .within(let message) = place { message } else { nil }
  }
}

extension Scenario.Place {
  fileprivate var parts: (moment: Scenario.Moment?, isInside: Bool, isAfterAnswer: Bool) {
    switch self {
    case .anytime: (nil, false, false)
    case .after(let moment): (moment, false, false)
    case .inside(let moment, let isAfterAnswer): (moment, true, isAfterAnswer)
    case .called, .within: (nil, true, false)
    }
  }
}

extension RequestInput {
  /// The request as a controller is asked; visits are called by the numbers of their requests.
  ///
  /// - Parameter first: the first request for the same object.
  fileprivate init(
    _ request: Scenario.Request, of first: Scenario.Request, in scenario: Scenario
  ) {
    self.init(request.state)
    visit = UInt32(request.id)
    // Objects that were there at the beginning are called by the numbers that they had.
    instance =
      scenario.instance(ofStanding: first) ?? RecordedInput.firstInserted + UInt32(first.id)
    priority = request.priority
    equality = request.equality
    answers = request.answers
    objection = request.objection
    asked = request.asked
    origin = UInt32(request.origin ?? 0)
    payload = request.payload
  }
}

extension Scenario {
  fileprivate func instance(ofStanding request: Request) -> UInt32? {
    guard let visit = request.visit else { return nil }
    let snapshot = controllers.first { $0.id == request.controller }?.snapshot
    let open = (snapshot?.standing ?? []) + (snapshot?.waiting ?? [])
    return open.first { $0.visit == visit }?.instance ?? visit
  }
}

extension ControllerRecord {
  /// The controller as a file would have it.
  fileprivate init(_ controller: Scenario.Controller, _ discipline: Discipline) {
    self.init(
      id: controller.id, session: 1, name: controller.name, policy: controller.kind,
      discipline: discipline.rawValue, fidelity: controller.fidelity.rawValue,
      snapshot: controller.snapshot.text)
  }
}
