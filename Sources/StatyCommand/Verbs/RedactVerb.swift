internal import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyReplay
import StatyRules

/// `staty redact`: copies a history without its names.
struct RedactVerb: Verb {
  static let spec = VerbSpec(
    name: "redact", abstract: "Write a history without its names and payloads.",
    discussion: """
      Names of states, controllers, files, marks, app and system, and payloads become tokens such \
      as 'state-1', equal ones equal tokens; sessions get new uuids. Times, lines of code and the \
      policies that this tool knows stay, so 'check' and 'replay' say of it what they say of the \
      original. The values of a track's messages are gone: it is replayed if its registry has \
      others in their place. The new file has nothing else of the old one in it; a name that is a \
      word of its schema, such as 'state', is found there as that word. Names by which a controller \
      that this tool brings decides, as 'keyed-2015' does, stay; where an app's own code decides by \
      names, keep them with '--keep'.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: [
      .valued("keep", "name", "Leave this name as it is.").repeatable,
      .flag("keep-os", "Leave the name of the operating system."),
    ] + OptionSpec.requiredOutput)

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    let history = try OpenHistory(arguments.path, progress: run.progress)
    defer { history.noteWaiting(run) }
    let kept = arguments.texts("keep")
    let out = try OutputHistory(arguments.output, doing: "Redacting '\(arguments.path)'")
    out.writer.judge()
    var options = HistoryRedaction.Options()
    options.policies = Set(run.registry.names)
    options.keepsOS = arguments.has("keep-os")
    let needed = try history.doing("Redacting") { try namesNeeded($0, run.registry) }
    options.names = needed.names.union(kept)
    let redaction = HistoryRedaction(options) { UUID().uuidString.lowercased() }
    let summary = try history.doing("Redacting") { reader in
      _ = try SessionChoice.all.sessions(of: history)
      return try redaction.write(reader, into: out.writer)
    }
    try refuse(summary.strangers.filter(kept.contains), history)
    try out.close()
    run.note(
      "Redacted \(Decimal.count(summary.events, "event")); of names and payloads "
        + "\(Decimal.count(summary.tokens, "token")) were made.")
    note(needed, run)
    return .done
  }

  /// The names on which the controllers of a history base decisions, and the kinds of these
  /// controllers.
  private func namesNeeded(
    _ reader: HistoryReader, _ registry: ControllerRegistry
  ) throws -> (names: Set<String>, kinds: [String]) {
    let there = try Set(reader.names().values)
    var (names, kinds) = (Set<String>(), Set<String>())
    for session in try reader.sessions() {
      for controller in try reader.controllers(session: session.id) {
        let read = Set(registry.names(readBy: controller.policy).map(\.description))
          .intersection(there)
        if read.isEmpty { continue }
        names.formUnion(read)
        kinds.insert(controller.policy)
      }
    }
    return (names, kinds.sorted())
  }

  /// Reports which names stay, and why.
  private func note(_ needed: (names: Set<String>, kinds: [String]), _ run: ToolRun) {
    let names = needed.names.subtracting(arguments.texts("keep")).sorted().map { "'\($0.visible)'" }
    if names.isEmpty { return }
    let kinds = needed.kinds.map { "'\($0.visible)'" }.joined(separator: ", ")
    run.note(
      "Note: \(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") left, since "
        + "controllers of the kind \(kinds) decide by \(names.count == 1 ? "it" : "them").")
  }

  /// Fails if a name to keep is not in the history, before a file without it is written.
  private func refuse(_ strangers: [String], _ history: OpenHistory) throws {
    guard let stranger = strangers.first else { return }
    let known = try Set(history.reader.names().values).sorted()
    throw Failure(
      status: .usage,
      message: "No name in '\(arguments.path)' is '\(stranger)'."
        + Spelling.question(stranger, among: known),
      advice: "Leave '--keep' out for what is not there; nothing was written.")
  }
}
