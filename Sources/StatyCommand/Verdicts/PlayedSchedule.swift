import Staty
import StatyReplay
import StatyRules

/// A played order, in words, as a picture and as JSON.
struct PlayedSchedule {
  let words: EventWords
  private let run: ScheduleRun
  private let schedule: Schedule
  private let isAtEnd: Bool
  /// The findings in it, the one that it is for first.
  private let findings: [Finding]
  private let codes: Set<RuleCode>

  /// - Parameters:
  ///   - run: the steps, and what deferred steps followed.
  ///   - isAtEnd: whether a rule is broken only if nothing more happens.
  ///   - codes: the rules that the order is for.
  init(
    _ run: ScheduleRun, _ schedule: Schedule, isAtEnd: Bool, _ findings: [Finding],
    for codes: Set<RuleCode>
  ) {
    words = EventWords(run)
    (self.run, self.schedule, self.isAtEnd, self.codes) = (run, schedule, isAtEnd, codes)
    self.findings =
      findings.filter { codes.contains($0.code) } + findings.filter { !codes.contains($0.code) }
  }

  /// Its steps, as sentences.
  private var steps: [String] {
    let sentences = StepWords(run.scenario, called: called, controller: words.controller)
    return schedule.map(sentences.sentence) + (isAtEnd ? ["Nothing more comes."] : [])
  }

  /// A request by its visit: `#2 (alert)`.
  private func called(_ id: Int) -> String {
    guard let request = run.scenario.request(numbered: id) else {
      return StepWords(run.scenario).label(id)
    }
    let name = run.scenario.controllers.count > 1 ? words.controller(request.controller) + " " : ""
    let visit = run.visit(of: id).map { "#\($0) " } ?? ""
    return "\(name)\(visit)(\(request.state.description.visible))"
  }

  /// The steps with their numbers (the last ones if there are very many), the findings, a hint if a
  /// finding depends on the discipline, and the events around the first finding as lanes.
  func sections(_ page: TextSections, title: String = "The order") -> [String] {
    let lines = steps.enumerated().map { "\($0 + 1). \($1)" }
    let hint = findings.lazy.compactMap { finding in
      words.controllers[finding.controller].flatMap(finding.hint)?.visible
    }.first
    let said = findings.prefix(8).map { $0.line(words) } + [hint].compactMap(\.self)
    return [
      page.section(title, lines.count > 40 ? ["..."] + lines.suffix(40) : lines),
      page.section("What the rules say of it", said),
      findings.first.map {
        page.picture("As it happens, around event \($0.seq)", run.events, marked: $0.seq, words)
      } ?? "",
    ]
  }

  var json: JSONValue {
    .object([
      "codes": .list(codes.map(\.rawValue).sorted().map { .text($0) }),
      "schedule": .list(steps.map { .text($0) }), "at_end": .bool(isAtEnd),
      "findings": VerdictJSON.findings(findings, words, among: run.events),
    ])
  }
}
