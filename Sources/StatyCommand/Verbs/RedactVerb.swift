internal import Foundation
import StatyHistory
import StatyRules

/// `staty redact`: a history without names.
struct RedactVerb: Verb {
  static let spec = VerbSpec(
    name: "redact", abstract: "Write a history without its names and payloads.",
    discussion: """
      Names of states, controllers, files, marks, app and system, and payloads become tokens such \
      as 'state-1', equal ones equal tokens; sessions get new uuids. Times, lines of code and the \
      policies that this tool knows stay, so 'check' and 'replay' say of it what they say of the \
      original. The new file has nothing else of the old one in it. A controller whose own code \
      decides by the names of states can be replayed only if those are kept.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: [
      .valued("keep", "name", "Leave this name as it is.").repeatable,
      .flag("keep-os", "Leave the name of the operating system."),
    ] + OptionSpec.output)

  private let path: String
  private let kept: [String]
  private let keepsOS: Bool
  private let output: OutputChoice

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = arguments.arguments[0]
    kept = arguments.texts("keep")
    keepsOS = arguments.has("keep-os")
    output = OutputChoice(arguments)
    try arguments.requireOutput()
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let history = try OpenHistory(path)
    let out = try OutputHistory(output, doing: "Redacting '\(path)'")
    var options = HistoryRedaction.Options()
    options.policies = Set(run.engine.names)
    options.names = Set(kept)
    options.keepsOS = keepsOS
    let redaction = HistoryRedaction(options) { UUID().uuidString.lowercased() }
    let summary = try history.doing("Redacting") { reader in
      for session in try reader.sessions() { try history.verify(session) }
      return try redaction.write(reader, into: out.writer)
    }
    try FindingKeeper.checkAll(out.writer)
    try out.close()
    run.note(
      "Redacted \(Decimal.count(summary.events, "event")); of names and payloads "
        + "\(Decimal.count(summary.tokens, "token")) were made.")
    return .done
  }
}
