import Staty
import StatyHistory
import StatyReading
import StatyReplay
import StatyRules

/// One session, replayed as it was recorded, with its findings.
struct SessionReplay: RepeatedReplay {
  let subject: PlayedSession
  let losses: [LossRecord]
  /// The result of the first run, for the selected controllers.
  let result: ReplayResult
  /// The findings in the recording.
  let findings: [Finding]
  var isRepeated = false
  var disagreement: Disagreement?
  /// The what-if result with another kind of controller, if one was given.
  private(set) var whatIf: WhatIfReplay?

  /// Replays a session once.
  ///
  /// - Parameter isWhole: whether to collect everything for a report, or only what runs are
  ///   compared by.
  init(
    _ session: SessionRecord, of history: OpenHistory, plan: ReplayPlan, pin: Int64?, isWhole: Bool
  ) throws {
    let subject = try PlayedSession(session, of: history, plan)
    self.subject = subject
    losses = try history.reader.losses(session: session.id)
    let last = plan.end(of: session, pin: pin)
    result = try Verification(
      history.reader, session: session.id, through: last, only: subject.meant,
      registry: plan.registry, with: subject.replacement
    ).run()
    findings =
      isWhole
      ? try HistoryCheck(history.reader).session(session.id, through: last).findings.filter {
        subject.meant.contains($0.controller)
      } : []
    if !plan.kinds.isEmpty {
      whatIf = try WhatIfReplay(session, of: history, plan: plan, .init(), pin: pin)
    }
  }

  /// The verdict: what differs from run to run proves nothing about the recording.
  var verdict: ReplayResult.Verdict {
    disagreement == nil ? result.verdict : .inconclusive
  }

  /// The divergence that is reported first.
  ///
  /// Another controller may do the same earlier or later; a divergence in which it does something
  /// else matters more.
  var leading: Divergence? {
    let all = result.divergences
    if plan.kinds.isEmpty { return all.first }
    return all.first { !$0.difference.isMoved } ?? all.first
  }

  /// The divergences in the order of the report: the leading one, then the others.
  private var told: [Divergence] {
    guard let leading else { return [] }
    return [leading] + result.divergences.filter { $0 != leading }
  }

  func words(_ divergence: Divergence) throws -> DivergenceWords {
    DivergenceWords(divergence, around: try surroundings(of: divergence.seq)) { words.names[$0] }
  }

  var outcomes: [String] {
    [outcome(result.verdict.rawValue, result.digest)] + (whatIf?.outcomes ?? [])
  }

  mutating func judge(_ lines: Result<[String], AnotherRun.Trouble>) {
    judgeItself(lines)
    whatIf?.judge(lines)
  }
}

extension SessionReplay: Verdict {
  static let deed = "replayed"
  static let words = [ReplayResult.Verdict.reproduced, .diverged, .inconclusive].map(\.rawValue)

  var word: String { verdict.rawValue }

  var status: ExitCode {
    switch verdict {
    case .reproduced: .done
    case .diverged: .broken
    case .inconclusive: .inconclusive
    }
  }

  private static func made(_ count: Int) -> String { Decimal.count(count, "decision") }

  var sentence: String {
    let found =
      findings.isEmpty ? "." : ", with \(Decimal.count(findings.count, "finding"))."
    switch verdict {
    case .reproduced: return "every one of \(Self.made(result.matched)) was made again" + found
    case .diverged:
      return "at event \(leading?.seq ?? 0), after \(Self.made(leading?.matchedBefore ?? 0)) made "
        + "again" + found
    case .inconclusive:
      let more = result.doubtCount + (result.unreached.isEmpty ? 0 : 1) - 1
      return reason + (more > 0 ? " And \(Decimal.count(more, "more reason"))." : "")
        + " \(Self.made(result.matched)) made again" + found
    }
  }

  /// Why the result is inconclusive.
  private var reason: String {
    if let disagreement { return disagreement.sentence }
    return result.doubts.first.map(sentence)
      ?? "Event \(result.unreached.first ?? 0) happened in something that is not recorded."
  }

  var brief: String {
    get throws { try replayed + (whatIf.map { "; what if: \($0.word)" } ?? "") }
  }

  private var replayed: String {
    get throws {
      if verdict == .inconclusive { return reason }
      if let first = leading {
        return "at event \(first.seq) (\(Decimal.moment(first.time))), "
          + "\(words.controller(first.controller)): \(try words(first).sentence)"
      }
      let made = Self.made(result.matched) + " made again"
      let found = findings.count
      return found == 0 ? made : "\(made), with \(Decimal.count(found, "finding"))"
    }
  }

  func sections(_ page: TextSections) throws -> [String] {
    var sections = [try whatIfSection(page), page.section("Recording", recording)]
    if let first = leading {
      sections.append(try divergence(first, page))
      sections.append(
        page.section(
          "Other divergences, which do not follow from it",
          try lines(told.dropFirst().prefix(10)), of: result.divergenceCount - 1))
      sections.append(
        page.section(
          "What it did differently afterwards", try lines(result.consequences[...]), most: 10))
    }
    // A single doubt is the verdict already.
    let doubts = result.doubts.map(sentence).filter { $0 != reason || verdict != .inconclusive }
    return sections + [
      page.section("In doubt", doubts, most: 12), page.section("Not told", unreached),
      page.section(
        "What the rules say of the recording", findings.map { $0.line(words) }, most: 8),
      page.steps(next),
    ]
  }

  private func lines(_ divergences: ArraySlice<Divergence>) throws -> [String] {
    try divergences.map {
      "Event \($0.seq) at \(Decimal.moment($0.time)), \(words.controller($0.controller)): "
        + "\(try words($0).sentence)."
    }
  }

  private func whatIfSection(_ page: TextSections) throws -> String {
    guard let whatIf, let kinds = kinds.text else { return "" }
    return page.section("What if it had been \(kinds)", ["\(whatIf.word): \(whatIf.sentence)"])
  }

  private var recording: [String] {
    var lines = [
      [
        "\(session.app.visible) \(session.appVersion.visible)".trimmed, session.os.visible,
        Decimal.date(session.wallTime), Decimal.duration(session.endTime),
        Decimal.count(session.stored, "event"), Soundness.end(session),
      ].filter { !$0.isEmpty }.joined(separator: ", ") + ".",
      "The checksums hold. \(Soundness.gaps(losses))",
    ]
    lines += controllers.prefix(12).map {
      "\($0.name.visible): \($0.policy.visible), fidelity \(Soundness.fidelity($0))."
    }
    if controllers.count > 12 {
      lines.append("And \(Decimal.count(controllers.count - 12, "more controller")).")
    }
    if let last = plan.last { lines.append("Replayed up to event \(last).") }
    return lines + ["\(Decimal.count(result.told, "input")) told; \(runsInWords)."]
  }

  private func divergence(_ first: Divergence, _ page: TextSections) throws -> String {
    let rows = try surroundings(of: first.seq)
    let words = try words(first)
    var causes = try causes(of: first.seq)
    // What the replay did there may have another cause.
    if let other = first.difference.replayed?.cause, other != 0, other < first.seq {
      let known = Set(causes.map(\.seq))
      causes += try self.causes(of: other).filter { !known.contains($0.seq) }
      causes.sort { $0.seq < $1.seq }
    }
    let after = rows.filter { $0.seq > first.seq }.prefix(5)
    let table = self.words.lines(causes + after, marked: first.seq, width: page.width - 4)
    func listed(_ title: String, _ lines: some Collection<String>) -> String {
      lines.isEmpty ? "" : "  \(title):\n" + lines.map { "  " + $0 + "\n" }.joined()
    }
    let isFirst = leading == result.divergences.first
    return page.heading(
      (isFirst ? "First divergence" : "Where it did something else")
        + ": event \(first.seq) at \(Decimal.moment(first.time)), "
        + self.words.controller(first.controller))
      + page.labelled("recorded", words.recorded) + page.labelled("replayed", words.replayed)
      + page.labelled("on stage", words.onStage) + page.labelled("pending", words.pending) + "\n"
      + page.picture(nil, rows, marked: first.seq, self.words) + "\n"
      + listed("What led to it, as recorded", table.prefix(causes.count))
      + listed("What followed, as recorded", table.dropFirst(causes.count))
  }

  private var unreached: [String] {
    let numbers = result.unreached
    if numbers.isEmpty { return [] }
    let shown = numbers.prefix(12).map { "\($0)" }.joined(separator: ", ")
    return [
      "\(Decimal.count(result.unreachedCount, "recorded input")) happened in what did not happen in "
        + "the replay: \(shown)\(numbers.count > 12 ? " and so on" : "")."
    ]
  }

  var facts: KeyValuePairs<String, JSONValue> {
    get throws {
      [
        "runs": .whole(isRepeated ? 2 : 1), "disagreement": .text(disagreement?.sentence),
        "until": plan.last.map { .whole($0) } ?? .null, "ended": .text(session.ended?.rawValue),
        "events": .whole(session.stored), "lost": .whole(losses.reduce(0) { $0 &+ $1.count }),
        "controllers": .list(
          controllers.map {
            .object([
              "id": .whole($0.id), "name": .text($0.name), "kind": .text($0.policy),
              "discipline": .text($0.knownDiscipline.word),
              "fidelity": .text(Soundness.fidelity($0)),
            ])
          }),
        "told": .whole(result.told), "matched": .whole(result.matched),
        "divergences": try json(told), "divergence_count": .whole(result.divergenceCount),
        "consequences": try json(result.consequences),
        "doubts": VerdictJSON.doubts(result.doubts, words),
        "doubt_count": .whole(result.doubtCount),
        "unreached": .list(result.unreached.map { .whole($0) }),
        "unreached_count": .whole(result.unreachedCount),
        "findings": .list(
          try findings.map { try FindingReport($0, in: history, words: words).json() }),
        "what_if": try whatIf?.json(file: history.path) ?? .null,
      ]
    }
  }
}

extension SessionReplay {
  private func json(_ divergences: [Divergence]) throws -> JSONValue {
    .list(
      try divergences.map {
        VerdictJSON.divergence($0, try words($0), words, causes: try causes(of: $0.seq))
      })
  }
}

// The recording around a place.
extension SessionReplay {
  /// The events of the selected controllers around the one with this number.
  func surroundings(of seq: Int64) throws -> [EventRow] {
    let meant = subject.meant
    return try history.reader.events(around: seq, session: session.id, before: 24, from: 8) {
      meant.contains($0.controller)
    }
  }

  /// The chain of an event's causes: the farthest first, the event itself last.
  private func causes(of seq: Int64) throws -> [EventRow] {
    try history.reader.chain(to: seq, session: session.id)
  }
}
