import Staty

// Which messages may come that answer others.
extension ScheduleRun {
  /// Whether a message that answers another may come: that has been received and, if a stand-in
  /// knows, what it answers has been asked for.
  func mayAnswer(_ cue: ScenarioPlan.Cue, _ origin: Int) -> Bool {
    guard made.contains(origin) else { return false }
    // Without a stand-in that knows, a model that ignored the message has asked for nothing.
    guard let questions = cue.questions else {
      return !messages.ignored.contains(origin)
        && (!needsQuestion(cue.id) || messages.isAwaited(origin))
    }
    let open = asker(of: origin, cue.controller)?.awaited ?? []
    return isAskedFor(cue.id)
      && (messages.answered.contains(origin) || isInItsOrder(questions, origin, open))
  }

  /// Whether what a message answers has been asked for and is not answered yet, as far as stand-ins
  /// know.
  func isAskedFor(_ id: Int) -> Bool {
    guard let cue = plan.cue(id), let origin = cue.origin, let questions = cue.questions else {
      return true
    }
    if questions.isEmpty { return false }
    // What answers the same message once more needs no other question.
    if messages.answered.contains(origin) { return true }
    // One whose recording has ended cannot say what it has asked for.
    guard let open = asker(of: origin, cue.controller)?.awaited else { return true }
    return questions.allSatisfy { key in open.contains { $0.key == key } }
  }

  /// Whether something is awaited under a name of what a message answers, that no message answers.
  func isAskedOtherwise(_ id: Int) -> Bool {
    guard let cue = plan.cue(id), let origin = cue.origin, let questions = cue.questions else {
      return false
    }
    let names = Set(questions.map(\.name))
    let open = asker(of: origin, cue.controller)?.awaited ?? []
    return open.contains { one in
      names.contains(one.key.name)
        && !plan.cues.contains { $0.questions?.contains(one.key) == true }
    }
  }

  private func needsQuestion(_ id: Int) -> Bool { plan.messages[id]?.needsQuestion ?? false }

  /// The message that a message answers; `nil` if it answers none.
  package func question(of message: Int) -> Int? { plan.cue(message)?.origin }

  /// Whether a request, cancellation or message was made.
  package func hasMade(_ id: Int) -> Bool { made.contains(id) }

  /// What has asked in the handling of a message: another model may get the answer.
  func asker(of origin: Int, _ receiver: Int32) -> (any Player)? {
    players[plan.messages[origin]?.controller ?? receiver]
  }

  /// Whether nothing that was asked for before can still be answered in this order, of what is answered in order.
  private func isInItsOrder(
    _ questions: [ReplayQuestion.Key], _ origin: Int, _ open: [ReplayQuestion]
  ) -> Bool {
    Set(questions.map(\.name)).allSatisfy { name in
      let line = open.filter { $0.isInOrder && $0.key.name == name }
      guard let own = line.firstIndex(where: { messages.isAsked($0, in: origin) }) else {
        return true
      }
      return line[..<own].allSatisfy { earlier in
        !plan.cues.contains { other in
          !made.contains(other.id) && isAskedFor(other.id)
            && other.origin.map { messages.isAsked(earlier, in: $0) } ?? false
        }
      }
    }
  }

  /// Whether something that was asked for in the handling of a message has not been answered, or is
  /// answered once more.
  package func isAwaited(_ message: Int) -> Bool { messages.isAwaited(message) }

  /// Whether a stand-in has noted that something was asked for in the handling of a message.
  package func hasAsked(in message: Int) -> Bool { messages.hasAsked(in: message) }
}
