import Staty
import StatyRules

extension Scenario {
  /// The scenario with the questions that its messages answer, as the stand-ins of the registry note
  /// them when the recorded or written order is played.
  ///
  /// Where a recorded answer comes to nothing that is asked, what is played parts from the recording.
  ///
  /// - Throws: what a controller's factory throws.
  func knowingQuestions(_ registry: ControllerRegistry) throws -> Scenario {
    guard !knowsQuestions, messages.contains(where: { $0.origin != nil }) else { return self }
    var scenario = self
    scenario.knowsQuestions = true
    let run = try ScheduleRun(ScenarioPlan(scenario, registry))
    // What was awaited when a message had asked for nothing.
    var awaited: [Int: Set<String>] = [:]
    if recordedOrder.isEmpty {
      var order = PatientOrder(self)
      run.play(&order)
    } else {
      var order = ListedOrder(recordedOrder)
      run.play(&order) {
        for message in run.moved where run.messages.asked[message]?.isEmpty == true {
          awaited[message] = run.asker(of: message, 0).map { Set($0.awaited.map(\.key.name)) }
        }
        return true
      }
    }
    let all = Dictionary(messages.map { ($0.id, $0) }) { first, _ in first }
    // Where something is asked for in the handling of a message, stand-ins know it for all of its name. A
    // model that may be as it was recorded may join what it awaits, or ask another stand-in for other values.
    let replaced = Set(controllers.filter(\.isReplaced).map(\.id))
    func isAsRecorded(_ one: Message) -> Bool {
      !recordedOrder.isEmpty && !replaced.contains(one.controller)
    }
    func asking(_ one: Message) -> Asking {
      Asking(
        controller: one.controller, name: one.name, values: isAsRecorded(one) ? one.values : nil)
    }
    var known: [Asking: Set<String>] = [:]
    for one in messages {
      guard let questions = run.messages.asked[one.id], !questions.isEmpty else { continue }
      known[asking(one), default: []].formUnion(questions.map(\.key.name))
    }
    // What is asked for in a later step is of no message.
    let noted = Set(run.messages.asked.values.joined().map(ObjectIdentifier.init))
    for (id, player) in run.players
    where player.questions.contains(where: { !noted.contains(ObjectIdentifier($0)) }) {
      known = known.filter { $0.key.controller != id }
    }
    for place in messages.indices {
      guard let origin = messages[place].origin.flatMap({ all[$0] }),
        let asked = run.messages.asked[origin.id]
      else { continue }
      if asked.isEmpty {
        guard let names = known[asking(origin)],
          !isAsRecorded(origin) || names.isDisjoint(with: awaited[origin.id] ?? [])
        else { continue }
      }
      scenario.messages[place].questions = asked.map(\.key)
    }
    scenario.part()
    return scenario
  }

  /// Notes that an answer that was recorded does not come, and what is not known from there on.
  private mutating func part() {
    let replaced = Set(controllers.filter(\.isReplaced).map(\.id))
    // What has no input of its own may follow any other.
    let told = Set(requests.map(\.controller) + messages.map(\.controller))
    for part in independentParts {
      let lost = part.messages.filter {
        $0.seq != 0 && $0.questions == [] && !replaced.contains($0.controller)
      }.map(\.seq).min()
      guard let lost else { continue }
      parting = min(parting ?? lost, lost)
      let own = Set(part.controllers.map(\.id))
      func mayFollow(_ controller: Int32) -> Bool {
        own.contains(controller) || controller != 0 && !told.contains(controller)
      }
      recorded.removeAll { finding in
        (mayFollow(finding.controller) || mayFollow(finding.otherController))
          && (finding.seq >= lost || finding.code.isAboutTheEnd)
      }
    }
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

/// The messages at which a model asks for the same, as far as that is known.
private struct Asking: Hashable {
  let controller: Int32
  let name: StateName
  let values: String?
}
