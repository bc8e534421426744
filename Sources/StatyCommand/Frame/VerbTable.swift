/// The verbs there are, in the order in which the help lists them.
enum VerbTable {
  static let overview = "Look into histories of state controllers: check, replay and compare them."

  static let verbs: [any Verb.Type] = [
    DemoVerb.self, SessionsVerb.self, ShowVerb.self, TimelineVerb.self, StatsVerb.self,
    StuckVerb.self, QueryVerb.self, CheckVerb.self, ReplayVerb.self, DiffVerb.self, PlayVerb.self,
    ExploreVerb.self, MinimizeVerb.self, TestVerb.self, GraphVerb.self, ReportVerb.self,
    ExportVerb.self, ImportVerb.self, MergeVerb.self, RedactVerb.self, PruneVerb.self,
    DoctorVerb.self, CompletionsVerb.self,
  ]

  static var specs: [VerbSpec] { verbs.map { $0.spec } + [help] }

  static let help = VerbSpec(
    name: "help", abstract: "Show the help of a subcommand.",
    arguments: [ArgumentSpec(name: "subcommand", help: "The subcommand.")])

  /// The verb with this name; the error suggests the one that was probably meant.
  static func verb(named name: String) throws(UsageError) -> any Verb.Type {
    if let verb = verbs.first(where: { $0.spec.name == name }) { return verb }
    if name.hasPrefix("-") {
      throw UsageError(
        "Unknown option '\(name)'."
          + suggestion(
            name, among: ["--help", "--version"],
            otherwise: " The subcommand comes first."))
    }
    throw UsageError(
      "Unknown subcommand '\(name)'." + suggestion(name, among: specs.map(\.name), otherwise: ""))
  }

  private static func suggestion(
    _ name: String, among names: [String], otherwise: String
  ) -> String {
    Spelling.nearest(to: name, among: names).map { " Did you mean '\($0)'?" } ?? otherwise
  }
}
