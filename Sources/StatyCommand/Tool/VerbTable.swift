internal import Foundation

/// All verbs, in the groups and the order of the help.
enum VerbTable {
  static let overview = "Look into histories of state controllers: check, replay and compare them."

  static let groups: [(title: String, verbs: [any Verb.Type])] = [
    ("BEGIN", [DemoVerb.self]),
    (
      "LOOK",
      [
        SessionsVerb.self, ShowVerb.self, TimelineVerb.self, PlayVerb.self, StatsVerb.self,
        StuckVerb.self, QueryVerb.self,
      ]
    ),
    (
      "FIND",
      [
        CheckVerb.self, WhyVerb.self, ReplayVerb.self, DiffVerb.self, ExploreVerb.self,
        MinimizeVerb.self,
        TestVerb.self,
      ]
    ),
    ("SHOW OTHERS", [GraphVerb.self, ReportVerb.self, ExportVerb.self]),
    (
      "FILES",
      [
        ImportVerb.self, MergeVerb.self, RedactVerb.self, PruneVerb.self, DoctorVerb.self,
      ]
    ),
    ("THE TOOL", [MCPVerb.self, CompletionsVerb.self]),
  ]

  static var verbs: [any Verb.Type] { groups.flatMap(\.verbs) }
  static var specs: [VerbSpec] { verbs.map { $0.spec } + [help] }

  static let help = VerbSpec(
    name: "help", abstract: "Show the help of a subcommand.",
    arguments: [
      ArgumentSpec(name: "subcommand", help: "The subcommand, or 'options'.", isOptional: true)
    ],
    options: [.flag("all", "Show all of it.")])

  /// The verb with this name; the error suggests a similar one.
  static func verb(named name: String) throws(UsageError) -> any Verb.Type {
    if let verb = verbs.first(where: { $0.spec.name == name }) { return verb }
    if name.hasPrefix("-") {
      let question = Spelling.question(name, among: ["--help", "--version"])
      throw UsageError(
        "Unknown option '\(name)'."
          + (question.isEmpty ? " The subcommand comes first." : question))
    }
    let question =
      if let meant = synonyms[name] {
        " Did you mean '\(meant)'?"
      } else if FileManager.default.fileExists(atPath: name) {
        " Did you mean 'check \(name.visible)'?"
      } else {
        Spelling.question(name, among: specs.map(\.name))
      }
    throw UsageError("Unknown subcommand '\(name)'." + question)
  }

  /// Words by which other tools call the same, and the verb that is meant.
  private static let synonyms = [
    "reduce": "minimize", "shrink": "minimize", "list": "sessions", "events": "show", "log": "show",
    "sql": "query", "verify": "check", "lint": "check", "html": "report", "what-if": "replay",
  ]
}
