import Staty
import StatyHistory
import StatyReplay

/// The lines of a test as Swift source.
struct TestSource {
  /// The variable that holds the controller.
  let controller: String
  private let script: TestScript
  private let words: StepWords
  /// The controller's name in comments.
  private let name: String
  private var variables: [Int: String] = [:]
  /// The requests and messages that later lines use.
  private let used: Set<Int>
  private let expected: [Moment]
  /// The expected changes of a track.
  private let moves: [EventRow]
  private let names: [Int32: String]

  private struct Moment {
    let kind: EventKind
    let request: Int
    let reason: String?
  }

  static let width = 100

  /// - Parameters:
  ///   - script: the lines.
  ///   - right: the run of the lines with a correct controller, if there is one.
  ///   - name: the name of the controller.
  init(_ script: TestScript, _ right: ScheduleRun?, named name: String) {
    self.script = script
    self.name = SwiftNames.comment(name)
    expected = right.map(Self.moments) ?? []
    moves = right?.events.filter { $0.kind == EventKind.moved.rawValue } ?? []
    names = right?.names ?? [:]
    used = Self.used(script).union(expected.map(\.request))
    words = StepWords(script.scenario)
    // The test declares these names too.
    var taken: Set<String> = ["routes"]
    controller = SwiftNames.variable(name, otherwise: "controller", taken: &taken)
    for request in script.scenario.requests.sorted(by: { $0.id < $1.id }) {
      variables[request.id] = SwiftNames.variable(
        request.state.description, otherwise: "state", taken: &taken)
    }
    for message in script.scenario.messages {
      variables[message.id] = SwiftNames.variable(
        message.name.description, otherwise: "message", taken: &taken)
    }
  }

  private func variable(_ id: Int) -> String { variables[id] ?? "request\(id)" }

  /// The lines that create the controller.
  func opening(
    _ kind: String, _ registry: String?, _ discipline: Discipline?, _ snapshot: SnapshotRecord
  ) -> [String] {
    var arguments = [SwiftNames.literal(kind)]
    if let registry { arguments.append("in: \(registry)") }
    if let discipline { arguments.append("discipline: .\(discipline)") }
    // A track has its own routes.
    let routes = script.scenario.controllers[0].discipline == .moves ? nil : snapshot.routes
    if routes != nil { arguments.append("routes: routes") }
    if snapshot.isWithholding { arguments.append("isBound: false") }
    return Self.table(routes)
      + ["  let \(controller) = try TestScenario(\(arguments.joined(separator: ", ")))"]
  }

  private static func table(_ routes: [SnapshotRecord.Route]?) -> [String] {
    guard let routes else { return [] }
    let comma = routes.count == 1 ? "" : ","
    return ["  let routes = RouteTable(["] + routes.map { "    \(route($0))\(comma)" } + ["  ])"]
  }

  private static func route(_ route: SnapshotRecord.Route) -> String {
    let start =
      route.isAnywhere == true
      ? ".anywhere" : route.from.map { ".state(\(SwiftNames.literal($0)))" } ?? ".beginning"
    var arguments = ["from: \(start)", "to: \(SwiftNames.literal(route.to))"]
    if let asked = route.asked { arguments.append("asked: \(SwiftNames.literal(asked))") }
    if let guarding = route.guarding {
      arguments.append("guarding: \(SwiftNames.literal(guarding))")
    }
    if let needs = route.needs { arguments.append("needs: \(SwiftNames.literal(needs))") }
    return "Route(\(arguments.joined(separator: ", ")))"
  }
}

// MARK: Statements

extension TestSource {
  /// The steps, each below a comment that describes it.
  var statements: [String] {
    script.lines.flatMap(written)
  }

  private func written(_ line: TestLine) -> [String] {
    func lines(_ sentence: String, _ call: String) -> [String] {
      ["  // \(sentence)", "  " + call]
    }
    switch line {
    case .step(let step): return lines(words.sentence(step), call(step, isSure: true))
    case .perhaps(.make(let id)) where script.scenario.message(numbered: id) != nil:
      return lines(
        "If that was asked: " + words.sentence(.make(id)), call(.make(id), isSure: false))
    case .perhaps(let step):
      return lines(words.sentence(step) + " Only if it can.", call(step, isSure: false))
    case .inside(let id): return nested(id)
    case .advance: return lines("\(name) runs its deferred step.", "\(controller).advance()")
    case .run(let number):
      return lines(
        "\(name) runs its deferred step, of all such steps number \(number).",
        "\(controller).advance(step: \(number))")
    case .pass(let time):
      return lines(
        "\(time) microseconds pass.", "\(controller).advance(by: .microseconds(\(time)))")
    case .settle:
      return lines("All states complete, and all deferred steps run.", "\(controller).settle()")
    }
  }

  private func nested(_ id: Int) -> [String] {
    guard let request = script.scenario.request(numbered: id) else { return [] }
    if case .called(let call) = request.place { return called(request, call) }
    guard case .inside(let moment, let isAfterAnswer) = request.place else { return [] }
    var arguments = [
      SwiftNames.literal(request.state.description),
      "inside: .\(moment.kind)",
      "of: \(variable(moment.request))",
    ]
    arguments += manner(request)
    if isAfterAnswer { arguments.append("afterAnswer: true") }
    return [
      "  // Inside of '\(moment.kind.text)' of \(words.label(moment.request)), \(words.label(id)) is "
        + "asked for.",
      "  " + declared(id, "request(\(arguments.joined(separator: ", ")))"),
    ]
  }

  private func called(_ request: Scenario.Request, _ call: Scenario.Call) -> [String] {
    let name = call.name.description
    var arguments = [
      SwiftNames.literal(request.state.description), "insideCall: \(SwiftNames.literal(name))",
    ]
    if let kind = call.kind { arguments.append("on: .\(kind)") }
    if call.request != 0 { arguments.append("of: \(variable(call.request))") }
    if call.number != 0 { arguments.append("number: \(call.number)") }
    return [
      "  // When '\(SwiftNames.comment(name))' is called, \(words.label(request.id)) is asked for.",
      "  "
        + declared(
          request.id, "request(\((arguments + manner(request)).joined(separator: ", ")))"),
    ]
  }

  private func call(_ step: Step, isSure: Bool) -> String {
    let unsure = isSure ? "" : ", ifPossible: true"
    switch step {
    case .make(let id): return make(id, isSure: isSure)
    case .complete(let completion, let id, let finished):
      let end = finished ? "" : ", finished: false"
      return "\(controller).complete(\(variable(id)), .\(completion)\(end)\(unsure))"
    case .exitByItself(let id): return "\(controller).exitByItself(\(variable(id))\(unsure))"
    case .repeat(let completion, let id):
      return "\(controller).completeAgain(\(variable(id)), .\(completion)\(unsure))"
    case .deadline(let completion, let id):
      let one = script.scenario.controllers[0]
      let recovery = completion == .entered ? one.deadlineEntering : one.deadlineExiting
      return "\(controller).miss(\(variable(id)), .\(completion), "
        + "recovery: .\(recovery ?? .report)\(unsure))"
    case .bind: return "\(controller).bind()"
    case .deferred: return "\(controller).advance()"
    }
  }

  private func make(_ id: Int, isSure: Bool) -> String {
    if let request = script.scenario.request(numbered: id) {
      let arguments = [SwiftNames.literal(request.state.description)] + manner(request)
      return declared(id, "request(\(arguments.joined(separator: ", ")))")
    }
    if let message = script.scenario.message(numbered: id) {
      return receive(message, isSure: isSure)
    }
    switch script.scenario.cancels.first(where: { $0.id == id })?.extent {
    case .request(let request):
      return "\(controller).cancel(\(variable(request))\(isSure ? "" : ", ifPossible: true"))"
    case .all, nil: return "\(controller).cancel()"
    case .tearDown: return "\(controller).tearDown()"
    }
  }

  private func receive(_ message: Scenario.Message, isSure: Bool) -> String {
    var arguments = [SwiftNames.literal(message.name.description)]
    if let values = message.values { arguments.append(SwiftNames.rawLiteral(values)) }
    if let question = message.origin { arguments.append("answering: \(variable(question))") }
    if !isSure { arguments.append("ifPossible: true") }
    return declared(message.id, "receive(\(arguments.joined(separator: ", ")))")
  }

  private func declared(_ id: Int, _ call: String) -> String {
    (used.contains(id) ? "let \(variable(id)) = " : "") + "\(controller).\(call)"
  }

  private func manner(_ request: Scenario.Request) -> [String] {
    var arguments: [String] = []
    if let object = request.instance { arguments.append("again: \(variable(object))") }
    if let asked = request.asked {
      arguments.append("asked: \(SwiftNames.literal(asked.description))")
    }
    if request.priority != 0 { arguments.append("priority: \(request.priority)") }
    if let equality = request.equality { arguments.append("equality: \(equality)") }
    if request.answers != 0 { arguments.append("answers: \(request.answers)") }
    if let payload = request.payload { arguments.append("payload: \(SwiftNames.literal(payload))") }
    if request.enters != .later { arguments.append("enters: .\(request.enters)") }
    if request.exits != .later { arguments.append("exits: .\(request.exits)") }
    if request.exitsEarly != .perhaps { arguments.append("exitsEarly: .\(request.exitsEarly)") }
    return arguments
  }
}

// MARK: Order

extension TestSource {
  /// The expectation of the correct controller's order.
  var order: [String] {
    if script.scenario.controllers[0].discipline == .moves {
      let moves = moves.map(move)
      let line = "  \(controller).expectMoves(\(moves.joined(separator: ", ")))"
      return line.count > Self.width ? call("expectMoves", moves) : [line]
    }
    let moments = expected.map { moment in
      let reason = moment.reason.map { ", \(SwiftNames.literal($0))" } ?? ""
      return ".\(moment.kind)(\(variable(moment.request))\(reason))"
    }
    return call("expectOrder", moments)
  }

  private func move(_ row: EventRow) -> String {
    let name = SwiftNames.literal(names[row.state] ?? "?")
    return switch row.reason {
    case EventReason.movedPush.code: ".pushed(\(name))"
    case EventReason.movedPop.code: ".popped(\(name))"
    default: name
    }
  }

  /// A call, its arguments over as many lines as they need.
  private func call(_ name: String, _ arguments: [String]) -> [String] {
    if arguments.isEmpty { return ["  \(controller).\(name)()"] }
    var lines = ["  \(controller).\(name)("]
    var line = "   "
    for (place, argument) in arguments.enumerated() {
      let part = " \(argument)\(place == arguments.count - 1 ? ")" : ",")"
      if line.count + part.count > Self.width {
        lines.append(line)
        line = "   "
      }
      line += part
    }
    return lines + [line]
  }

  private static func moments(_ run: ScheduleRun) -> [Moment] {
    run.events.compactMap { row in
      guard let kind = EventKind(rawValue: row.kind),
        [.entering, .entered, .exiting, .exited, .discarded].contains(kind),
        let request = run.request(of: row.visit, controller: row.controller)
      else { return nil }
      return Moment(
        kind: kind, request: request, reason: EventReason(kind: kind, code: row.reason)?.text)
    }
  }

  private static func used(_ script: TestScript) -> Set<Int> {
    var used: Set<Int> = []
    for line in script.lines {
      switch line {
      case .step(let step), .perhaps(let step):
        if case .make = step { continue }
        if let id = step.request(in: script.scenario) { used.insert(id) }
      case .inside, .advance, .run, .pass, .settle: break
      }
    }
    for request in script.scenario.requests {
      if let object = request.instance { used.insert(object) }
      if case .inside(let moment, _) = request.place { used.insert(moment.request) }
      if case .called(let call) = request.place { used.insert(call.request) }
    }
    for cancel in script.scenario.cancels {
      if case .request(let id) = cancel.extent { used.insert(id) }
    }
    used.formUnion(script.scenario.messages.compactMap(\.origin))
    return used
  }
}
