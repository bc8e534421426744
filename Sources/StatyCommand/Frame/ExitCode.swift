/// The exit codes of the tool.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
  /// Done; no error found; reproduced.
  case done = 0
  /// A rule's error was found; it diverged; the two differ.
  case broken = 1
  /// The result is inconclusive.
  case inconclusive = 2
  /// The command line is wrong.
  case usage = 64
  /// The file is not a history, is damaged, or is newer than this tool.
  case badData = 65
  /// There is no such file, or it may not be read.
  case noInput = 66
  /// A bug in this tool.
  case bug = 70
  /// The output cannot be written.
  case cannotWrite = 73

  /// Its meaning, in a line.
  var meaning: String {
    switch self {
    case .done: "Done; no error found; reproduced; no order breaks a rule."
    case .broken:
      "An error was found ('--strict': a warning, too); it diverged; the two differ."
    case .inconclusive:
      "Inconclusive: nothing to judge, events are missing, the controller is not known, or a search was cut too early."
    case .usage: "The command line is wrong."
    case .badData: "The file is not a history, is damaged, or is newer than this tool."
    case .noInput: "There is no such file, or it cannot be read."
    case .bug: "A bug in this tool."
    case .cannotWrite: "The output cannot be written."
    }
  }

  /// The outcome that stands for several: first a file that could not be read, then a broken rule,
  /// then an inconclusive result.
  static func worst(of statuses: some Sequence<ExitCode>) -> ExitCode {
    let order: [ExitCode] = [
      .bug, .cannotWrite, .usage, .badData, .noInput, .broken, .inconclusive,
    ]
    let found = Set(statuses)
    return order.first { found.contains($0) } ?? .done
  }
}
