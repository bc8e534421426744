internal import Foundation
import StatyReplay

/// The outcomes of a history that are right, in a file beside it: a line for each.
struct AllowedOutcomes {
  private let path: String
  /// Their texts; `nil` if nobody has judged any.
  private(set) var texts: [String]?

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
    texts = try InputText.whole(self.path).split(whereSeparator: \.isNewline).map(String.init)
  }

  /// Adds outcomes by their numbers, and the usual one with them.
  mutating func allow(_ numbers: [Int], of exploration: Exploration) throws(Failure) {
    let outcomes = exploration.outcomes.flatMap(\.outcomes)
    var all = texts ?? []
    for (place, outcome) in outcomes.enumerated()
    where outcome.isUsual || numbers.contains(place + 1) {
      if !all.contains(outcome.text) { all.append(outcome.text) }
    }
    if let number = numbers.first(where: { $0 < 1 || $0 > outcomes.count }) {
      throw Failure(
        status: .usage, message: "There is no outcome \(number) to allow.",
        advice: outcomes.isEmpty
          ? "None was found." : "The last is \(outcomes.count).")
    }
    do {
      let lines = all.map { $0 + "\n" }.joined()
      try Data(lines.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw Failure(
        status: .cannotWrite, message: "'\(path.visible)' cannot be written.",
        advice: "Name another file with '--allow'.")
    }
    texts = all
  }
}
