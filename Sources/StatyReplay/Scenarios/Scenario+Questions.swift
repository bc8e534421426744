import Staty

extension Scenario {
  /// The scenario with the questions that its messages answer, as the stand-ins of the registry note
  /// them when the recorded or written order is played.
  ///
  /// - Throws: what a controller's factory throws.
  func knowingQuestions(_ registry: ControllerRegistry) throws -> Scenario {
    guard !knowsQuestions, messages.contains(where: { $0.origin != nil }) else { return self }
    var scenario = self
    scenario.knowsQuestions = true
    let run = try ScheduleRun(ScenarioPlan(scenario, registry))
    if recordedOrder.isEmpty {
      var order = PatientOrder(self)
      run.play(&order)
    } else {
      var order = ListedOrder(recordedOrder)
      run.play(&order)
    }
    let all = Dictionary(messages.map { ($0.id, $0) }) { first, _ in first }
    // Where something is asked for in the handling of a message, stand-ins know it for all of its name.
    var known: [Int32: Set<StateName>] = [:]
    for one in messages where run.asked[one.id]?.isEmpty == false {
      known[one.controller, default: []].insert(one.name)
    }
    // What is asked for in a later step is of no message.
    let noted = Set(run.asked.values.joined().map(ObjectIdentifier.init))
    for (id, player) in run.players
    where player.questions.contains(where: { !noted.contains(ObjectIdentifier($0)) }) {
      known[id] = nil
    }
    for place in messages.indices {
      guard let origin = messages[place].origin.flatMap({ all[$0] }),
        let asked = run.asked[origin.id]
      else { continue }
      if asked.isEmpty, known[origin.controller]?.contains(origin.name) != true { continue }
      scenario.messages[place].questions = asked.map(\.key)
    }
    return scenario
  }

  /// Notes which questions the recorded messages answer, as they are known when they are played in
  /// another scenario of the same recording.
  mutating func noteQuestions(of other: Scenario, _ registry: ControllerRegistry) {
    // A model that cannot be made is in doubt where it is played.
    guard let known = try? other.knowingQuestions(registry), known.knowsQuestions else { return }
    let questions = Dictionary(known.messages.map { ($0.seq, $0.questions) }) { first, _ in first }
    for place in messages.indices {
      messages[place].questions = questions[messages[place].seq] ?? nil
    }
  }
}
