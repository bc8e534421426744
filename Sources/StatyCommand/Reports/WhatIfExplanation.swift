import Staty
import StatyHistory
import StatyReplay
import StatyRules
import StatyReport

/// One what-if replay for people: the verdict first, then what was found, what happened around it,
/// and what was assumed.
struct WhatIfExplanation {
  private let replay: WhatIfReplay
  private let words: WhatIfWords
  private let layout: TextSections
  private let style: Style

  init(_ replay: WhatIfReplay, width: Int, style: Style) throws {
    self.replay = replay
    self.style = style
    layout = TextSections(width: width, style: style)
    words = try WhatIfWords(replay)
  }

  private var result: WhatIfResult { replay.result }

  var text: String {
    [verdict, played, recorded, found, picture, doubts, assumptions, next]
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var verdict: String {
    let name = replay.verdict.rawValue.uppercased()
    let with = replay.plan.kinds.text.map { ", played with \($0)" } ?? ", played again"
    let place = "\(replay.history.called), session \(replay.session.id)\(with)."
    return layout.verdict(name, style.paint(name, replay.status), words.verdict)
      + layout.block(place, indent: 2)
  }

  private var played: String {
    func visits(_ kind: EventKind) -> Int {
      Set(
        result.events.filter { $0.kind == kind.rawValue }.map {
          [UInt32(bitPattern: $0.controller), $0.visit]
        }
      ).count
    }
    let moves = result.events.count { $0.kind == EventKind.moved.rawValue }
    let moved = moves == 0 ? "" : "\(Decimal.count(moves, "move")) of tracks, "
    var lines = [
      "\(moved)\(Decimal.count(visits(.enqueued), "visit")) asked for, \(visits(.entered)) came in, "
        + "\(visits(.exited)) left; \(Decimal.count(result.events.count, "event")) until "
        + "\(Decimal.moment(result.events.last?.time ?? 0)); "
        + Decimal.count(replay.runs, "run")
        + (replay.runs > 1 ? ", each but the first in a process of its own." : ".")
    ]
    lines += replay.changes.edits.prefix(12).map { "Changed: \($0.description.visible)" }
    if replay.changes.edits.count > 12 {
      lines.append("And \(replay.changes.edits.count - 12) more changes.")
    }
    return layout.section("Played", lines)
  }

  private var recorded: String {
    layout.section(
      "What the rules say of the recording",
      lines(result.recorded) { finding in finding.detail { words.recorded.name($0) } })
  }

  private var found: String {
    layout.section(
      "What the rules say of what was played", lines(result.findings, words.sentence))
  }

  private func lines(_ findings: [Finding], _ sentence: (Finding) -> String) -> [String] {
    let shown = findings.prefix(8).map {
      "\($0.severity.rawValue)[\($0.code.rawValue)] at event \($0.seq): \(sentence($0))"
    }
    return findings.count > 8 ? shown + ["And \(findings.count - 8) more."] : shown
  }

  /// What was played around the place that it is about.
  private var picture: String {
    guard let place else { return "" }
    let picture = LanePicture(result.events, marked: place, words: words.played)
    let lines = picture.lines(width: layout.width - 2)
    guard !lines.isEmpty else { return "" }
    return layout.heading("As it was played, around event \(place)")
      + lines.map { "  " + $0 + "\n" }.joined() + layout.block(LanePicture.legend, indent: 2)
  }

  /// The first error, or where that visit came in which had one in the recording.
  private var place: Int64? {
    if let first = result.errors.first { return first.seq }
    guard let mended = result.recorded.first(where: { $0.severity == .error }),
      let visit = result.recordedVisits[mended.controller]?.first(where: {
        $0.value == mended.visit
      })?.key
    else { return replay.changes.edits.isEmpty ? nil : result.events.last { $0.visit != 0 }?.seq }
    let own = result.events.filter { $0.controller == mended.controller && $0.visit == visit }
    return (own.first { $0.kind == EventKind.entering.rawValue } ?? own.last)?.seq
  }

  private var doubts: String {
    layout.section("In doubt", result.doubts.prefix(12).map(words.sentence))
  }

  private var assumptions: String {
    var lines = result.assumptions.prefix(20).map(words.sentence)
    if result.assumptions.count > 20 { lines.append("And \(result.assumptions.count - 20) more.") }
    return layout.section("Assumed", lines)
  }

  private var next: String {
    let steps = NextSteps(replay).steps
    if steps.isEmpty { return "" }
    // A command is not broken: it is to be copied.
    return layout.heading("Try next")
      + steps.map { step in
        layout.block(step.text, indent: 2) + (step.command.map { "    \($0)\n" } ?? "")
      }.joined()
  }
}
