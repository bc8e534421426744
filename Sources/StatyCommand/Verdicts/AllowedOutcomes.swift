internal import Foundation
import StatyHistory
import StatyReplay

/// The outcomes of a history that are right, in a file next to it: a line for each, below a heading
/// that says what was searched.
///
/// Lines above the first heading are of every search.
struct AllowedOutcomes {
  /// The path of the file.
  let path: String
  private var sections: [Section] = []

  private struct Section {
    /// What was searched; empty for the lines above the first heading.
    let heading: String
    var texts: [String] = []
  }

  /// - Parameters:
  ///   - path: the path of a history.
  ///   - named: the path of the file, if it was named.
  ///   - isWritten: whether the file will be written, so that it need not be there.
  init(beside path: String, named: String?, isWritten: Bool) throws(Failure) {
    self.path = named ?? path + ".outcomes"
    guard FileManager.default.fileExists(atPath: self.path) else {
      guard let named, !isWritten else { return }
      throw Failure(
        status: .usage, message: "There is no file '\(named.visible)' of allowed outcomes.",
        advice: "With the number of an outcome it is written: '--allow 2 --allow \(named.visible)'."
      )
    }
    for line in try InputText.whole(self.path).split(whereSeparator: \.isNewline).map(String.init) {
      if line.hasPrefix("[session "), line.hasSuffix("]") {
        sections.append(Section(heading: line))
      } else {
        if sections.isEmpty { sections.append(Section(heading: "")) }
        sections[sections.count - 1].texts.append(line)
      }
    }
  }

  /// The line above the outcomes of a search.
  static func heading(of session: SessionRecord, _ plan: ReplayPlan) -> String {
    var words = ["session", session.uuid.visible]
    words += plan.choice.controllers.sorted().map { "--controller=\($0.visible)" }
    if let last = plan.last { words.append("--until=\(last)") }
    return "[\(words.joined(separator: " "))]"
  }

  /// The texts of a search's allowed outcomes, or of all without a heading; `nil` if none was allowed.
  func texts(of heading: String) -> [String]? {
    let meant = sections.filter { heading.isEmpty || [heading, ""].contains($0.heading) }
    let all = meant.flatMap(\.texts)
    return all.isEmpty ? nil : all
  }

  /// Adds outcomes of a search by their numbers, and the usual one with them.
  mutating func allow(
    _ numbers: [Int], of exploration: Exploration, _ heading: String
  ) throws(Failure) {
    let outcomes = exploration.outcomes.flatMap(\.outcomes)
    let known = texts(of: heading) ?? []
    let meant = outcomes.enumerated().filter { place, outcome in
      outcome.isUsual || numbers.contains(place + 1)
    }
    let new = meant.map(\.element.text).filter { !known.contains($0) }
    if let unnamed = meant.first(where: { !$0.element.hasOwnText }) {
      throw Failure(
        status: .usage,
        message:
          "Outcome \(unnamed.offset + 1) cannot be allowed: another one shows the same text.",
        advice:
          "Say in the registry what is compared, with '.showing { … }' of something whose text differs."
      )
    }
    if let number = numbers.first(where: { $0 < 1 || $0 > outcomes.count }) {
      throw Failure(
        status: .usage, message: "There is no outcome \(number) to allow.",
        advice: outcomes.isEmpty
          ? "None was found." : "The last is \(outcomes.count).")
    }
    if !sections.contains(where: { $0.heading == heading }) {
      sections.insert(Section(heading: heading), at: heading.isEmpty ? 0 : sections.count)
    }
    let place = sections.firstIndex { $0.heading == heading } ?? 0
    sections[place].texts += new
    do {
      let all = sections.flatMap { [$0.heading] + $0.texts }.filter { !$0.isEmpty }
      let lines = all.map { $0 + "\n" }.joined()
      try Data(lines.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw Failure(
        status: .cannotWrite, message: "'\(path.visible)' cannot be written.",
        advice: "Name another file with '--allow'.")
    }
  }
}
