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
    for place in messages.indices {
      guard let origin = messages[place].origin else { continue }
      scenario.messages[place].questions = run.asked[origin] ?? []
    }
    return scenario
  }
}
