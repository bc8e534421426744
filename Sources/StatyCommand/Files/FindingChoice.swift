import StatyHistory
import StatyReading
import StatyReplay
import StatyRules

/// The findings that the command line selects.
struct FindingChoice {
  /// The selected rules; none for those that are sought without being named.
  var codes: Set<RuleCode>?
  /// The number of the guilty event; none for the first.
  var seq: Int64?

  /// - Parameters:
  ///   - doing: what is done with the finding, such as `Keep`.
  ///   - isMeant: which rules can be selected.
  static func options(_ doing: String, where isMeant: (RuleCode) -> Bool) -> [OptionSpec] {
    [
      .rules(
        where: isMeant,
        "\(doing) the first that breaks this rule, such as 'overlap'. Default: the first that is "
          + "surely wrong."),
      .valued("finding", "seq", "\(doing) what is found at the event with this number."),
    ]
  }

  /// Whether a finding is selected.
  func means(_ finding: Finding) -> Bool {
    if let seq, seq != finding.seq { return false }
    if let codes { return codes.contains(finding.code) }
    return seq != nil || finding.isSought
  }

  /// The selected findings of a session, at selected controllers, first to last.
  ///
  /// A condition of the app's own is looked at only if no rule is broken, or it is selected: the
  /// session is played for that.
  func findings(
    _ session: SessionRecord, _ choice: SessionChoice, _ reader: HistoryReader,
    _ registry: ControllerRegistry
  ) throws -> [(finding: Finding, controller: ControllerRecord)] {
    let records = try reader.controllers(session: session.id)
    let controllers = records.filter(choice.means)
    let isSelected = codes != nil || seq != nil
    let result = try HistoryCheck(reader).session(session.id)
    var found = (isSelected ? (result.findings + result.notes).sorted() : result.findings).filter {
      finding in
      let isPlayed =
        finding.code != .mirror || registry.playsMirrors(of: finding.controller, among: records)
      return means(finding) && (isPlayed || isSelected)
    }
    if found.isEmpty, codes?.contains(.invariant) ?? true {
      let known = controllers.filter { registry.contains($0.kind) }
      found = try WhatIf(
        reader, session: session.id, only: Set(known.map(\.id)), registry: registry
      ).brokenConditions().filter(means)
    }
    return found.compactMap { finding in
      controllers.first { $0.id == finding.controller }.map { (finding, $0) }
    }
  }

  /// The failure if there is no selected finding.
  ///
  /// - Parameters:
  ///   - doing: what was being done, such as `Minimizing 'history.sqlite'`.
  ///   - advice: what to do if no rule was selected.
  func missing(_ doing: String, advice: String? = nil) -> Failure {
    if let seq {
      return Failure(
        status: .usage, message: "\(doing): there is no such finding at event \(seq).",
        advice: "The subcommand 'check' says what the rules find, and at which event.")
    }
    let names = (codes ?? []).map { "'\($0.rawValue)'" }.sorted().joined(separator: " or ")
    return Failure(
      status: .inconclusive,
      message: names.isEmpty
        ? "\(doing): the rules find nothing in it that is surely wrong."
        : "\(doing): nothing in it breaks \(names).",
      advice: names.isEmpty
        ? advice
          ?? "The subcommand 'check' says what else the rules find: select that with '--rule', as in "
          + "'--rule late-answer'. What may be right is a question for 'explore': how else it can end."
        : "The subcommand 'check' says what the rules find.")
  }
}
