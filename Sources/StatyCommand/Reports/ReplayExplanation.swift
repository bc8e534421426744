import Staty
import StatyHistory
import StatyReplay
import StatyRules
import StatyReport

/// One replayed session for people: the verdict first, then what it rests on, where it first went
/// another way and why, and what to try next.
struct ReplayExplanation {
  private let replay: SessionReplay
  private let width: Int
  private let style: Style
  private let events: EventWords
  private var words: ReplayWords

  init(_ replay: SessionReplay, width: Int, style: Style) throws {
    self.replay = replay
    self.width = width
    self.style = style
    events = try EventWords(replay.history.reader, session: replay.session.id)
    words = ReplayWords(events)
    guard let first = replay.leading else { return }
    words.learn(try replay.surroundings(of: first.seq))
    words.learn(first)
    for divergence in others.prefix(Self.mostOthers) { words.learn(divergence) }
  }

  var text: String {
    get throws {
      var sections = [verdict + (try whatIf), recording]
      if let first = replay.leading {
        sections.append(try divergence(first))
        sections.append(otherDivergences)
      }
      sections += [doubts, unreached, try findings, next]
      return sections.filter { !$0.isEmpty }.joined(separator: "\n")
    }
  }

  private static let mostOthers = 10
}

// The parts, in their order.
extension ReplayExplanation {
  private var verdict: String {
    let name = replay.verdict.rawValue.uppercased()
    let place = "\(replay.history.called), session \(replay.session.id)"
    let with = replay.plan.kinds.text.map { ", replayed with \($0)" } ?? ""
    let colored =
      switch replay.verdict {
      case .reproduced: style.good(name)
      case .diverged: style.error(name)
      case .inconclusive: style.warning(name)
      }
    return layout.verdict(name, colored, sentence)
      + block(place + with + ".", indent: 2)
  }

  /// What else it would have come to with the other kind of controller.
  private var whatIf: String {
    get throws {
      guard let whatIf = replay.whatIf else { return "" }
      let name = whatIf.verdict.rawValue.uppercased()
      return layout.verdict(
        "What if: \(name)", "What if: \(style.paint(name, whatIf.status))",
        try WhatIfWords(whatIf).brief)
    }
  }

  /// The verdict in words.
  private var sentence: String {
    let result = replay.result
    func made(_ count: Int) -> String { Decimal.count(count, "decision") }
    let found =
      replay.findings.isEmpty
      ? "" : ", with \(Decimal.count(replay.findings.count, "finding"))"
    switch replay.verdict {
    case .reproduced:
      return "every one of \(made(result.matched)) was made again\(found)."
    case .diverged:
      let first = replay.leading
      return
        (replay.isMovedBefore ? "the replay did something else" : "the replay went another way")
        + " at event \(first?.seq ?? 0), after "
        + "\(made(first?.matchedBefore ?? 0)) made again\(found)."
    case .inconclusive:
      // Inputs that could not be told are one more.
      let reasons = result.doubtCount + (result.unreached.isEmpty ? 0 : 1)
      return replay.disagreement?.sentence
        ?? "it cannot be said, for \(Decimal.count(reasons, "reason")); "
        + "\(made(result.matched)) made again\(found)."
    }
  }

  private var recording: String {
    let session = replay.session
    var lines = [
      [
        "\(session.app.visible) \(session.appVersion.visible)".trimmed, session.os.visible,
        Decimal.date(session.wallTime), Decimal.duration(session.lastTime),
        Decimal.count(session.stored, "event"), Soundness.end(session),
      ].filter { !$0.isEmpty }.joined(separator: ", ") + ".",
      "The checksums hold. \(Soundness.gaps(replay.losses))",
    ]
    lines += replay.controllers.prefix(12).map {
      "\($0.name.visible): \($0.policy.visible), fidelity \(Soundness.fidelity($0))."
    }
    if replay.controllers.count > 12 {
      lines.append("And \(Decimal.count(replay.controllers.count - 12, "more controller")).")
    }
    if let last = replay.plan.last { lines.append("Replayed up to event \(last).") }
    lines.append(
      "\(Decimal.count(replay.result.told, "input")) told; \(Decimal.count(replay.runs, "run"))"
        + (replay.runs > 1 ? ", each but the first in a process of its own." : "."))
    return section("Recording", lines)
  }

  private func divergence(_ first: Divergence) throws -> String {
    let rows = try replay.surroundings(of: first.seq)
    let sides = words.sides(first)
    var text =
      heading(
        (replay.isMovedBefore ? "Where it did something else" : "First divergence")
          + ": event \(first.seq) at \(Decimal.moment(first.time)), "
          + events.controller(first.controller))
      + labelled("recorded", sides.recorded) + labelled("replayed", sides.replayed)
      + labelled("on stage", words.stage(first)) + labelled("waiting", words.waiting(first))
    let picture = LanePicture(rows, marked: first.seq, words: events).lines(width: width - 2)
    if !picture.isEmpty {
      text += "\n" + picture.map { "  " + $0 + "\n" }.joined()
      text += block(LanePicture.legend, indent: 2)
    }
    let causes = try replay.causes(of: first.seq)
    let after = rows.filter { $0.seq > first.seq }.prefix(5)
    let table = events.lines(causes + after, marked: first.seq, width: width - 4)
    text += "\n  What led to it, as recorded:\n"
    text += table.prefix(causes.count).map { "  " + $0 + "\n" }.joined()
    guard !after.isEmpty else { return text }
    text += "  What followed, as recorded:\n"
    return text + table.dropFirst(causes.count).map { "  " + $0 + "\n" }.joined()
  }

  private var others: [Divergence] { Array(replay.told.dropFirst()) }

  private var otherDivergences: String {
    var lines = others.prefix(Self.mostOthers).map {
      "Event \($0.seq) at \(Decimal.moment($0.time)), \(events.controller($0.controller)): "
        + words.sentence($0) + "."
    }
    // The first has been told.
    let count = replay.result.divergenceCount - 1
    if count > Self.mostOthers { lines.append("And \(count - Self.mostOthers) more.") }
    return section("Other divergences, which do not follow from it", lines)
  }

  private var doubts: String {
    section(
      "In doubt",
      replay.result.doubts.prefix(12).map {
        DoubtWords($0).sentence(events, known: replay.plan.engine.names)
      })
  }

  private var unreached: String {
    let numbers = replay.result.unreached
    guard !numbers.isEmpty else { return "" }
    let shown = numbers.prefix(12).map { "\($0)" }.joined(separator: ", ")
    return section(
      "Not told",
      [
        "\(Decimal.count(replay.result.unreachedCount, "recorded input")) happened in what did not happen in the "
          + "replay: \(shown)\(numbers.count > 12 ? " and so on" : "")."
      ])
  }

  private var findings: String {
    get throws {
      var lines = replay.findings.prefix(8).map {
        "\($0.severity.rawValue)[\($0.code.rawValue)] at event \($0.seq): "
          + FindingReport($0, in: replay.history, words: events).sentence
      }
      if replay.findings.count > 8 { lines.append("And \(replay.findings.count - 8) more.") }
      return section("What the rules say of the recording", lines)
    }
  }

  private var next: String {
    let steps = NextSteps(replay).steps
    if steps.isEmpty { return "" }
    // A command is not broken: it is to be copied.
    return heading("Try next")
      + steps.map { block($0.text, indent: 2) + ($0.command.map { "    \($0)\n" } ?? "") }.joined()
  }
}

// How parts are laid out.
extension ReplayExplanation {
  private var layout: TextSections { TextSections(width: width, style: style) }

  private func heading(_ text: String) -> String { layout.heading(text) }

  private func section(_ title: String, _ lines: [String]) -> String {
    layout.section(title, lines)
  }

  private func block(_ text: String, indent: Int) -> String {
    layout.block(text, indent: indent)
  }

  private func labelled(_ label: String, _ text: String) -> String {
    let lines = TextWrap.lines(text, width: width - 12)
    return lines.enumerated().map { place, line in
      "  " + DisplayWidth.pad(place == 0 ? label : "", to: 10) + line + "\n"
    }.joined()
  }
}
