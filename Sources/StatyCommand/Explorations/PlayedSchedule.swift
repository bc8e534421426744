import Staty
import StatyReplay
import StatyReport
import StatyRules

/// An order that was played, in words and as a picture.
struct PlayedSchedule {
  let words: EventWords
  private let run: ScheduleRun
  private let isAtEnd: Bool

  /// - Parameter isAtEnd: whether it is about what happens when nothing more comes.
  init(_ run: ScheduleRun, isAtEnd: Bool) {
    words = EventWords(run)
    self.run = run
    self.isAtEnd = isAtEnd
  }

  /// Its steps, as sentences.
  var steps: [String] {
    let sentences = StepWords(run.scenario, called: called, controller: words.controller)
    return run.schedule.map(sentences.sentence) + (isAtEnd ? ["Nothing more comes."] : [])
  }

  /// The steps with their numbers, of very many the last.
  var numberedSteps: [String] {
    let lines = steps.enumerated().map { "\($0 + 1). \($1)" }
    return lines.count > 40 ? ["..."] + lines.suffix(40) : lines
  }

  /// A request by its visit: `#2 (alert)`.
  private func called(_ id: Int) -> String {
    guard let request = run.scenario.request(id) else { return "" }
    let name = run.scenario.controllers.count > 1 ? words.controller(request.controller) + " " : ""
    let visit = run.visit(of: id).map { "#\($0) " } ?? ""
    return "\(name)\(visit)(\(request.state.description.visible))"
  }

  /// What the rules say, a line each; behind them how to declare another discipline, if one depends on
  /// that.
  func lines(_ findings: some Sequence<Finding>) -> [String] {
    let said = findings.map {
      "\($0.severity.rawValue)[\($0.code.rawValue)] at event \($0.seq): \(sentence($0))"
    }
    let hint = findings.lazy.compactMap { finding in
      words.controllers[finding.controller].flatMap(finding.hint)?.visible
    }.first
    return said + (hint.map { [$0] } ?? [])
  }

  func sentence(_ finding: Finding) -> String { finding.detail { words.name($0) } }

  /// What happens around a finding, as lanes.
  func picture(around finding: Finding, _ layout: TextSections) -> String {
    let picture = LanePicture(run.events, marked: finding.seq, words: words)
    let lines = picture.lines(width: layout.width - 2)
    guard !lines.isEmpty else { return "" }
    return layout.heading("As it happens, around event \(finding.seq)")
      + lines.map { "  " + $0 + "\n" }.joined() + layout.block(LanePicture.legend, indent: 2)
  }

  /// A finding for other programs.
  func value(_ finding: Finding) -> JSONValue {
    .object([
      "code": .text(finding.code.rawValue), "severity": .text(finding.severity.rawValue),
      "seq": .whole(finding.seq), "visit": finding.visit == 0 ? .null : .whole(finding.visit),
      "state": .text(words.names[finding.state]),
      "detail": .text(finding.detail { words.names[$0] }),
    ])
  }
}
