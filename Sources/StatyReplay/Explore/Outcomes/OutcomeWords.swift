import Staty
import StatyText

/// Describes outcomes in words, and in which order they come.
///
/// The words contain no characters that could control a terminal.
package struct OutcomeWords {
  private let outcomes: Outcomes
  private let steps: StepWords
  /// What each outcome shows, as short as it can be told from the others.
  package let texts: [String]

  /// - Parameter isOnly: whether there are no other controllers, so that a single one needs no name.
  package init(_ outcomes: Outcomes, isOnly: Bool = true) {
    self.outcomes = outcomes
    steps = StepWords(outcomes.scenario)
    let plain = Self.texts(outcomes, isOnly, nil)
    let full = Self.fullTexts(outcomes, isOnly: isOnly)
    // Different values with equal names are told apart by the messages that brought them.
    texts = plain.enumerated().map { place, text in
      plain.count { $0 == text } > 1 ? full[place].text : text
    }
  }

  /// What each outcome shows, with the messages that brought it: the same in every search, if the
  /// outcome has a text of its own.
  static func fullTexts(_ outcomes: Outcomes, isOnly: Bool) -> [(text: String, isOwn: Bool)] {
    let texts = texts(outcomes, isOnly, StepWords(outcomes.scenario))
    let all = texts.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    // Two values that the same message brought have no other name: another search may find the second
    // first.
    var counts: [String: Int] = [:]
    return texts.map { text in
      let count = counts[text, default: 0] + 1
      counts[text] = count
      return (count > 1 ? "\(text) (value \(count))" : text, all[text] == 1)
    }
  }

  /// - Parameter steps: the words for messages, if it is told which message brought a value.
  private static func texts(
    _ outcomes: Outcomes, _ isOnly: Bool, _ steps: StepWords?
  ) -> [String] {
    let names = outcomes.scenario.controllers.map { ($0.id, $0.name.escapedForOneLine) }
    let called = names.count > 1 || !isOnly ? Dictionary(names) { first, _ in first } : [:]
    return outcomes.outcomes.map { text($0, called, steps) }
  }

  private static func text(
    _ outcome: Outcome, _ called: [Int32: String], _ steps: StepWords?
  ) -> String {
    outcome.screens.map { screen in
      let name = called[screen.controller].map { "\($0): " } ?? ""
      let message = screen.text == nil ? screen.message : nil
      let from = steps.flatMap { steps in message.map { ", set by '\(steps.label($0))'" } }
      return name + text(screen, isWhole: steps != nil) + (from ?? "")
    }.joined(separator: "; ")
  }

  /// - Parameter isWhole: whether long values with a common beginning and end are told apart.
  private static func text(_ screen: Outcome.Screen, isWhole: Bool) -> String {
    let awaited = screen.awaited.map { "'\($0.escapedForOneLine)'" }
    let end = awaited.isEmpty ? "" : ", and no answer to \(awaited.listed)"
    if let text = screen.text { return short(text, 200, isWhole) + end }
    let shown = screen.states.map { text($0, isWhole) }.joined(separator: ", ")
    let waiting = screen.waiting.map { text($0, isWhole) }
    let line = waiting.isEmpty ? "" : ", with \(waiting.listed) pending"
    return (shown.isEmpty ? "nothing" : shown) + line + end
  }

  private static func text(_ state: Outcome.State, _ isWhole: Bool) -> String {
    let name = state.name.description.escapedForOneLine
    let payload = state.payload.map { " " + short($0, 40, isWhole) } ?? ""
    let moving = state.moving.map { $0 == .entered ? " (entering)" : " (exiting)" } ?? ""
    return name + payload + moving
  }

  /// A text in a line, with a hash of what is left out of it, if it has to be told from others.
  private static func short(_ text: String, _ most: Int, _ isWhole: Bool) -> String {
    let line = text.escapedForOneLine
    guard isWhole, line.count > most else { return line.shortenedInside(to: most) }
    var digest = ReplayDigest()
    digest.add(line)
    let hash = String(UInt32(truncatingIfNeeded: digest.value), radix: 16)
    return "\(line.shortenedInside(to: most)) (\(hash))"
  }

  /// Since when an outcome comes: `as usual`, or the deviations as conditions.
  package func condition(_ outcome: Outcome) -> String {
    let recorded = outcome.isRecorded ? ", as recorded" : ""
    if outcome.isOnlyRecorded {
      return outcome.isRecorded ? "as recorded" : "in the recorded order"
    }
    if outcome.isUsual { return "as usual" + recorded }
    return "if " + condition(outcome.deviations) + recorded
  }

  /// Deviations from the usual order as conditions, without the `if`.
  package func condition(_ deviations: [Deviation]) -> String {
    deviations.map(condition).joined(separator: ", and ")
  }

  private func condition(_ deviation: Deviation) -> String {
    switch deviation {
    case .late(let step, nil): "\(steps.noun(step)) comes last of what is under way"
    case .late(let step, let input?): "\(steps.noun(step)) is late: behind \(steps.noun(input))"
    case .hurried(let input, let step): "\(steps.noun(input)) comes before \(steps.noun(step))"
    case .overtaking(let step, let other): "\(steps.noun(step)) comes before \(steps.noun(other))"
    case .overdue(let step): "\(steps.noun(step)) takes longer than its deadline"
    case .finishedOtherwise(.complete(let completion, let id, finished: false)):
      "'\(steps.label(id))' \(completion == .entered ? "enters" : "exits") with 'finished: false'"
    case .finishedOtherwise(let step): "\(steps.noun(step)) comes with 'finished: true'"
    }
  }

  /// The outcomes as a question, in a sentence or two: nobody but the developer knows whether each
  /// of them is right.
  package var question: String {
    guard texts.count > 1, let usual = outcomes.outcomes.firstIndex(where: \.isUsual) else {
      return ""
    }
    let others = texts.indices.filter { $0 != usual }
    let first =
      "\(texts.count) outcomes. \(title(outcomes.outcomes[usual])): \(texts[usual]). "
    guard others.count == 1, let other = others.first else {
      return first + "There are \(others.count) others: are they right, too?"
    }
    return first + "\(title(outcomes.outcomes[other])): \(texts[other]). Is that right, too?"
  }

  /// When an outcome comes, as a heading.
  package func title(_ outcome: Outcome) -> String {
    let condition = condition(outcome)
    return condition.prefix(1).uppercased() + condition.dropFirst()
  }

  /// A line for each outcome: its number, what it shows, and when it comes.
  ///
  /// - Parameter first: the number of the first one.
  package func numbered(from first: Int = 1) -> [String] {
    zip(texts, outcomes.outcomes).enumerated().map { number, outcome in
      "\(first + number). \(outcome.0): \(condition(outcome.1))."
        + (outcome.1.isAllowed ? "" : " This is not allowed.")
    }
  }

  /// When each outcome comes, as a heading.
  package var titles: [String] { outcomes.outcomes.map(title) }

  /// The tracks and controllers of which only names could be compared, in a sentence or two; `nil` if
  /// there are none.
  package var namesOnly: String? {
    let meant = outcomes.scenario.controllers.filter { outcomes.namesOnly.contains($0.id) }
    func names(_ isMeant: (Scenario.Controller) -> Bool) -> (list: String, count: Int)? {
      let names = meant.filter(isMeant).map { "'\($0.name.escapedForOneLine)'" }
      return names.isEmpty ? nil : (names.listed, names.count)
    }
    let asked = Set(outcomes.scenario.requests.map(\.controller))
    let hiding = names { !asked.contains($0.id) && outcomes.hiding.contains($0.id) }.map {
      "Of \($0.list) only the names of values are compared: make the type of the value Hashable, or say "
        + "what to compare with '.showing { … }' in the registry."
    }
    let unmoved = names { !asked.contains($0.id) && !outcomes.hiding.contains($0.id) }.map {
      "Of \($0.list) only the names of values are compared, because what is shown before the first move "
        + "is not known: say what to compare with '.showing { … }' in the registry."
    }
    let others = names { asked.contains($0.id) }.map {
      "\($0.list) \($0.count == 1 ? "shows" : "show") different states of one name: give them other "
        + "names, or a 'payload'."
    }
    let sentences = [hiding, unmoved, others].compactMap(\.self)
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  /// What is so in every order that was searched, and could be otherwise.
  package var restrictions: [String] {
    let isOrdered = Set(outcomes.scenario.inputSources).count > 1
    let isSpoken = outcomes.scenario.requests.contains { !$0.isUsuallyReported.isEmpty }
    return (isOrdered ? ["the user's and the platform's inputs keep their order"] : [])
      + (isSpoken ? ["each state reports"] : [])
  }

  /// How far the orders were searched.
  package var extent: String {
    let orders = "\(outcomes.orders) \(outcomes.orders == 1 ? "order" : "orders")"
    if outcomes.isExhaustive, !restrictions.isEmpty {
      let which = "in which \(restrictions.joined(separator: " and "))"
      return outcomes.orders == 1 ? "1 order: the only one \(which)" : "\(orders): all \(which)"
    }
    if outcomes.orders == 1, outcomes.isExhaustive { return "1 order: no other can happen" }
    if outcomes.isExhaustive { return "\(orders), all that can happen to what was recorded" }
    if outcomes.complete < 0 { return "\(orders), and not all without a deviation" }
    let most = outcomes.complete
    return
      "\(orders): all with at most \(most) \(most == 1 ? "deviation" : "deviations") from the usual order"
  }
}
