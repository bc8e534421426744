internal import StatyReplay
internal import StatyText

/// The failure message of a search of plain async code.
struct WorldWords {
  private let outcomes: WorldOutcomes
  /// The recording that it is about, which the line to paste has to name.
  private let recording: String?

  init(_ outcomes: WorldOutcomes, recording: String? = nil) {
    (self.outcomes, self.recording) = (outcomes, recording)
  }

  /// Reports what went wrong, or that nothing was judged.
  func report(at location: TestLocation) {
    if let failure {
      reportFailure(failure, at: location)
    } else if let warning {
      reportWarning(warning, at: location)
    }
  }

  /// What went wrong; `nil` if nothing did.
  var failure: String? {
    switch outcomes.verdict {
    case .same: nil
    case .differs: differing
    case .broken: broken
    case .inconclusive: inconclusive
    }
  }

  /// What a test that passes has not judged; `nil` if it has judged something.
  var warning: String? {
    guard outcomes.isExhaustive else { return nil }
    if outcomes.systematic == 1 {
      return "Only one order is possible, so no other was tried. "
        + (recording == nil
          ? "Let the fake server answer with 'world.answer', and say with 'world.user' what the user does."
          : "Let the model of the registry ask its 'world'.")
    }
    if outcomes.systematic > 2 || outcomes.hasActions { return nil }
    return
      "Only one thing comes from outside, so its order makes no difference. Say with 'world.user' what "
      + "the user does meanwhile."
  }

  private var differing: String {
    let count = outcomes.outcomes.count
    let what = outcomes.dependsOnAnswers ? "the order and the answers" : "the order"
    let first = "The same actions have \(count) outcomes, depending on \(what):"
    return lines([first] + numbered + [allowing] + needless + stories + [outcomes.extent])
  }

  private var broken: String {
    let conditions = outcomes.broken.flatMap { broken in
      let when = broken.conditions.isEmpty ? "in the usual order" : Self.when(broken.conditions)
      return ["'\(broken.text)' does not hold \(when).", repeating(broken.order)]
        + broken.story.map { "    \($0)" }
    }
    let isWrong = outcomes.outcomes.contains { !$0.isAllowed }
    let ends =
      isWrong
      ? ["There is an outcome that is not allowed:"] + numbered + [allowing] + stories : []
    return lines(conditions + ends + needless + [outcomes.extent])
  }

  private func lines(_ lines: [String]) -> String { lines.joined(separator: "\n") }

  /// What happens in the usual order and in another one: that of the recording, or the first that is in
  /// question.
  private var stories: [String] {
    let usual = outcomes.outcomes.prefix(1)
    let others = outcomes.outcomes.dropFirst()
    let wrong = others.filter { !$0.isAllowed }
    let other =
      (wrong.isEmpty ? Array(others) : wrong).first(where: \.isRecorded) ?? wrong.first
      ?? others.first
    guard let other else { return usual.flatMap { told($0, beside: []) } }
    return usual.flatMap { told($0, beside: []) } + told(other, beside: usual.first?.story ?? [])
  }

  /// An order in lines; the first one that differs from another order is marked.
  private func told(_ outcome: WorldOutcomes.Found, beside other: [String]) -> [String] {
    let difference = zip(outcome.story, other).enumerated().first { $1.0 != $1.1 }?.offset
    let title =
      outcome.isUsual ? "As usual:" : "If " + outcome.conditions.joined(separator: ", and ")
    return [title]
      + outcome.story.enumerated().map { number, line in
        (number == difference ? "  > " : "    ") + line.escapedForOneLine
      } + ["    outcome: \(outcome.text.escapedForOneLine)"]
  }

  private var needless: [String] {
    // Without what an order is told by, it would be told by something else.
    let told = outcomes.outcomes.flatMap(\.conditions) + outcomes.broken.flatMap(\.conditions)
    let names = outcomes.needless.map { "'\($0)'" }
      .filter { name in !told.contains { $0.contains(name) } }.listed
    if names.isEmpty { return [] }
    return [
      outcomes.broken.isEmpty
        ? "It also ends in these ways without \(names)."
        : "It fails in the same way without \(names)."
    ]
  }

  private var inconclusive: String {
    let wanted = outcomes.wanted > 1 ? "\(outcomes.wanted) deviations" : "one deviation"
    let reasons =
      outcomes.doubts.isEmpty
      ? [
        "Not every order with \(wanted) was run. Do less in the test, or allow more with "
          + "'options.time' or 'options.\(recording == nil ? "mostOrders" : "mostRuns")'.",
        outcomes.extent,
      ] : outcomes.doubts
    let ends =
      outcomes.isRepeated
      ? outcomes.broken.map { "'\($0.text)' does not hold \(Self.when($0.conditions))." }
        + outcomes.outcomes.flatMap { told($0, beside: []) }
      : outcomes.outcomes.count > 1 ? ["What was seen:"] + numbered : []
    return (["Inconclusive:"] + reasons + ends).joined(separator: "\n")
  }

  private static let mostNumbered = 10

  private var numbered: [String] {
    let more = outcomes.outcomes.count - Self.mostNumbered
    return outcomes.outcomes.prefix(Self.mostNumbered).enumerated()
      .flatMap { line($0.offset, $0.element) }
      + (more > 0 ? ["  and \(more) more"] : [])
  }

  private func line(_ number: Int, _ outcome: WorldOutcomes.Found) -> [String] {
    let wrong = outcome.isAllowed ? "" : " This is not allowed."
    let line =
      "  \(number + 1). \(outcome.text.escapedForOneLine): \(Self.when(outcome.conditions))."
      + wrong
    return [line] + recorded(outcome)
      + (outcome.isUsual ? [] : ["     " + repeating(outcome.order)])
  }

  /// Whether the recording can have ended like this: perhaps in another order than the shortest.
  private func recorded(_ outcome: WorldOutcomes.Found) -> [String] {
    guard let conditions = outcome.recorded else { return [] }
    let order = conditions == outcome.conditions ? "" : ": " + Self.when(conditions)
    return ["     The recording can have ended like this\(order)."]
  }

  private func repeating(_ order: String) -> String { "To repeat it: repeating: \"\(order)\"" }

  private static func when(_ conditions: [String]) -> String {
    conditions.isEmpty ? "as usual" : "if " + conditions.joined(separator: ", and ")
  }

  private var allowing: String {
    if outcomes.hasTwins {
      return
        "Outcomes with the same text differ in what is not shown, and cannot be allowed: "
        + "let 'world.shows' compare what tells them apart."
    }
    let all = outcomes.outcomes.map { outcome in
      Self.quoted(outcome.text)
    }
    return
      "If each of them is right, write: expectOutcomes("
      + (recording.map { Self.quoted($0) + ", in: .app, " } ?? "") + "allowed: "
      + all.joined(separator: ", ") + ")"
  }

  /// The text as a literal of Swift.
  private static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\", "\"": "\\\(scalar)"
      case "\n": "\\n"
      case "\r": "\\r"
      case _ where scalar.properties.generalCategory == .control:
        "\\u{\(String(scalar.value, radix: 16))}"
      default: "\(scalar)"
      }
    }
    return "\"\(scalars.joined())\""
  }
}
