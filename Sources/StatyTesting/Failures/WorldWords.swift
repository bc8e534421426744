internal import StatyReplay
internal import StatyText

/// The failure message of a search of plain async code.
struct WorldWords {
  private let outcomes: WorldOutcomes

  init(_ outcomes: WorldOutcomes) { self.outcomes = outcomes }

  /// What went wrong; `nil` if nothing did.
  var failure: String? {
    switch outcomes.verdict {
    case .same: nil
    case .differs: differing
    case .broken: broken
    case .inconclusive: inconclusive
    }
  }

  private var differing: String {
    (["\(outcomes.outcomes.count) outcomes:"] + numbered + [question, allowing, extent])
      .joined(separator: "\n")
  }

  private var broken: String {
    let conditions = outcomes.broken.flatMap { broken in
      ["'\(broken.name)' does not hold \(Self.when(broken.conditions)).", repeating(broken.order)]
    }
    let isWrong = outcomes.outcomes.contains { !$0.isAllowed }
    let ends = isWrong ? ["There is an outcome that is not allowed:"] + numbered + [allowing] : []
    return (conditions + ends + [extent]).joined(separator: "\n")
  }

  private var inconclusive: String {
    let reasons =
      outcomes.doubts.isEmpty
      ? [
        "Not every order with one deviation was run. Do less in the test, or allow more with "
          + "'options.time'."
      ] : outcomes.doubts
    let ends = outcomes.outcomes.count > 1 ? ["What was seen:"] + numbered : []
    return (["This says nothing yet."] + reasons + ends).joined(separator: "\n")
  }

  private var numbered: [String] {
    outcomes.outcomes.enumerated().flatMap { number, outcome in
      let wrong = outcome.isAllowed ? "" : " This is not allowed."
      let line =
        "  \(number + 1). \(outcome.text.escapedForOneLine): \(Self.when(outcome.conditions)).\(wrong)"
      return outcome.isUsual ? [line] : [line, "     " + repeating(outcome.order)]
    }
  }

  private func repeating(_ order: String) -> String { "To repeat it: repeating: \"\(order)\"" }

  private static func when(_ conditions: [String]) -> String {
    conditions.isEmpty ? "as usual" : "if " + conditions.joined(separator: ", and ")
  }

  private var question: String { "Is each of them right?" }

  private var allowing: String {
    let all = outcomes.outcomes.map { outcome in
      "\"\(outcome.text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
    return "If so, write: expectOutcomes(allowed: \(all.joined(separator: ", ")))"
  }

  /// How far the orders were searched.
  private var extent: String { outcomes.extent }
}
