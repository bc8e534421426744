/// How a run of the tool ends.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
  /// Done; no error found; reproduced.
  case done = 0
  /// A rule's error was found; it diverged; the two differ.
  case broken = 1
  /// Nothing can be said for certain.
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

  /// What it means, in a line.
  var meaning: String {
    switch self {
    case .done: "Done; no error found; reproduced; every order searched."
    case .broken:
      "An error was found ('--strict': a warning, too); it diverged; the two differ."
    case .inconclusive:
      "Inconclusive: events are missing, the controller is not known, or a search was cut."
    case .usage: "The command line is wrong."
    case .badData: "The file is not a history, is damaged, or is newer than this tool."
    case .noInput: "There is no such file, or it cannot be read."
    case .bug: "A bug in this tool."
    case .cannotWrite: "The output cannot be written."
    }
  }

  /// Of several outcomes the one that says most about all of them: what could not be read, then
  /// what is broken, then what cannot be said.
  static func worst(of statuses: some Sequence<ExitCode>) -> ExitCode {
    let order: [ExitCode] = [
      .bug, .cannotWrite, .usage, .badData, .noInput, .broken, .inconclusive,
    ]
    let found = Set(statuses)
    return order.first { found.contains($0) } ?? .done
  }
}
