import StatyHistory
import StatyReplay

/// What replays of many sessions come to, told as they are done: one session is explained, of many
/// each gets a line.
struct ReplayReport {
  private let isJSON: Bool
  private let isOne: Bool
  private let run: ToolRun
  private let delivery: Delivery
  private var json: [JSONValue] = []
  private var counts: [ReplayResult.Verdict: Int] = [:]
  private var isExplained = false

  /// - Parameter isOne: whether there is but one file.
  init(isJSON: Bool, isOne: Bool, run: ToolRun, delivery: Delivery) {
    self.isJSON = isJSON
    self.isOne = isOne
    self.run = run
    self.delivery = delivery
  }

  /// Takes in the replays of a file's sessions.
  mutating func add(_ replays: [SessionReplay]) throws {
    for replay in replays { counts[replay.verdict, default: 0] += 1 }
    if isJSON {
      json += try replays.map(ReplayJSON.value)
    } else if isOne, replays.count == 1 {
      isExplained = true
      try explain(replays[0])
    } else {
      for replay in replays {
        if run.isQuiet, replay.verdict == .reproduced { continue }
        try delivery.write(try ReplayLine(replay).text(run.style) + "\n")
      }
    }
  }

  private func explain(_ replay: SessionReplay) throws {
    if run.isQuiet {
      guard replay.verdict != .reproduced else { return }
      return try delivery.write(try ReplayLine(replay).text(run.style) + "\n")
    }
    try delivery.write(
      try ReplayExplanation(replay, width: run.console.width, style: run.style).text)
  }

  /// Tells what was kept for the end, and the sum, unless nothing could be looked at.
  func finish() throws {
    if isJSON {
      try delivery.write(object.pretty)
    } else if !isExplained, !run.isQuiet, !counts.isEmpty {
      try delivery.write(sumLine + "\n")
    }
    try delivery.finish()
  }

  private static let verdicts: [ReplayResult.Verdict] = [.reproduced, .diverged, .inconclusive]

  private var sumLine: String {
    let parts = Self.verdicts.map { "\(counts[$0] ?? 0) \($0.rawValue)" }
    return Decimal.count(counts.values.reduce(0, +), "session") + ": "
      + parts.joined(separator: ", ") + "."
  }

  private var object: JSONValue {
    .object([
      "replays": .list(json),
      "sum": .object(
        Self.verdicts.map { (key: $0.rawValue, value: .whole(counts[$0] ?? 0)) }),
    ])
  }
}

/// A replayed session in one line.
struct ReplayLine {
  private let replay: SessionReplay

  init(_ replay: SessionReplay) { self.replay = replay }

  func text(_ style: Style) throws -> String {
    let verdict = replay.verdict.rawValue
    let padded = DisplayWidth.pad(verdict, to: 13)
    let colored =
      switch replay.verdict {
      case .reproduced: style.good(padded)
      case .diverged: style.error(padded)
      case .inconclusive: style.warning(padded)
      }
    return "\(colored)\(replay.history.called), session \(replay.session.id): \(try what)"
      + (replay.whatIf.map { "; what if: \($0.verdict.rawValue)" } ?? "")
  }

  /// What is most worth knowing.
  var what: String {
    get throws {
      if let disagreement = replay.disagreement { return disagreement.sentence }
      let events = try EventWords(replay.history.reader, session: replay.session.id)
      var words = ReplayWords(events)
      if let first = replay.result.divergences.first {
        words.learn(try replay.surroundings(of: first.seq))
        words.learn(first)
        return "at event \(first.seq) (\(Decimal.moment(first.time))), "
          + "\(events.controller(first.controller)): \(words.sentence(first))"
      }
      if let doubt = replay.result.doubts.first {
        return DoubtWords(doubt).sentence(events, known: replay.plan.engine.names)
      }
      if let unreached = replay.result.unreached.first {
        return "event \(unreached) happened in something that is not recorded"
      }
      let made = Decimal.count(replay.result.matched, "decision") + " made again"
      let found = replay.findings.count
      return found == 0 ? made : "\(made), with \(Decimal.count(found, "finding"))"
    }
  }
}
