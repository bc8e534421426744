import Staty
import StatyHistory
import StatyReplay
import StatyRules
import StatyText

/// One session, played again with a change.
struct WhatIfReplay: RepeatedReplay {
  /// The changes.
  struct Changes {
    var edits: [Edit] = []
    /// The assumed time of a state without a recorded one, in microseconds, if given.
    var assumed: Int64?
    /// The same as words of a command line.
    var words = ["--what-if"]
  }

  let subject: PlayedSession
  let changes: Changes
  let result: WhatIfResult
  /// The words for the replay.
  let played: EventWords
  var isRepeated = false
  var disagreement: Disagreement?

  /// Plays a session once.
  init(
    _ session: SessionRecord, of history: OpenHistory, plan: ReplayPlan, _ changes: Changes,
    pin: Int64?
  ) throws {
    subject = try PlayedSession(session, of: history, plan)
    self.changes = changes
    var options = WhatIf.Options()
    options.replacement = subject.replacement
    options.edits = changes.edits
    if let assumed = changes.assumed { options.assumed = assumed }
    result = try WhatIf(
      history.reader, session: session.id, through: plan.end(of: session, pin: pin),
      only: subject.meant, registry: plan.registry, options: options
    ).run()
    played = subject.words.played(result)
  }

  /// The verdict: what differs from run to run proves nothing.
  var verdict: WhatIfResult.Verdict { disagreement == nil ? result.verdict : .inconclusive }

  var outcomes: [String] { [outcome(result.verdict.rawValue, result.digest)] }
}

extension WhatIfReplay: Verdict {
  static let deed = "played"
  static let words = WhatIfResult.Verdict.allCases.map(\.rawValue)

  var word: String { verdict.rawValue }

  var status: ExitCode {
    switch verdict {
    case .fixed, .clean: .done
    case .stillBroken, .newlyBroken: .broken
    case .inconclusive: .inconclusive
    }
  }

  var sentence: String {
    switch verdict {
    case .fixed:
      return "the recording broke \(codes(result.recorded)), and what was played breaks no rule."
        + unseen
    case .clean: return clean
    case .stillBroken: return stillBroken
    case .newlyBroken:
      let isOne = Set(result.decisive.map(\.code)).count == 1
      return codes(result.decisive, "broken")
        + ", as \(isOne ? "it was" : "they were") not in the recording."
    case .inconclusive:
      let more = result.doubts.count - 1
      return reason + (more > 0 ? " And \(Decimal.count(more, "more reason"))." : "")
    }
  }

  private var clean: String {
    func names(_ findings: [Finding]) -> Set<RuleCode> { Set(findings.map(\.code)) }
    let (before, now) = (names(result.recorded), names(result.findings))
    if before.isEmpty { return "no rule is broken, nor was one in the recording." }
    let gone = RuleCode.allCases.filter { before.contains($0) && !now.contains($0) }
    let left = RuleCode.allCases.filter { now.contains($0) }
    func list(_ codes: [RuleCode], _ what: String) -> [String] {
      codes.isEmpty ? [] : [codes.map(\.rawValue).joined(separator: ", ") + " \(what)"]
    }
    return "no error is left, nor was one in the recording; of its warnings, "
      + (list(gone, "is gone") + list(left, "is still there")).joined(separator: ", and ") + "."
  }

  /// The visits that never entered in the recording, and that were discarded in what was played: no rule is
  /// broken, but the user does not see them either.
  private var unseen: String {
    let missed = result.recorded.filter { $0.code == .neverEntered }
    let discarded = result.events.filter { row in
      row.kind == EventKind.discarded.rawValue
        && missed.contains {
          $0.controller == row.controller
            && $0.visit == result.recordedVisits[row.controller]?[row.visit]
        }
    }
    if discarded.isEmpty { return "" }
    let visits = discarded.map { "\(played.visit($0.visit, $0.state)) is \($0.happening)" }
    return " Still not shown: " + visits.joined(separator: ", ") + "."
  }

  private var stillBroken: String {
    let before = Set(result.recorded.map(\.code))
    let later = Set(result.recordedLater.map(\.code)).subtracting(before)
    let still = result.decisive.filter { before.contains($0.code) }
    let asLater = result.decisive.filter { later.contains($0.code) }
    let new = result.decisive.filter { !before.contains($0.code) && !later.contains($0.code) }
    var parts = still.isEmpty ? [] : [codes(still, "broken as in the recording")]
    if !asLater.isEmpty {
      let last = plan.last.map { ", where it is after event \($0)" } ?? ""
      parts.append(codes(asLater, "broken as in the recording\(last)"))
    }
    if !new.isEmpty { parts.append(codes(new, "newly broken")) }
    return parts.joined(separator: ", and ") + "."
  }

  /// Why the result is inconclusive.
  private var reason: String {
    disagreement?.sentence ?? result.doubts.first.map(sentence) ?? ""
  }

  /// The codes that decide the verdict, each once: `overlap and never-entered`.
  private func codes(_ findings: [Finding]) -> String {
    Set(findings.filter(\.isSought).map(\.code)).listed
  }

  /// What holds for the codes that decide the verdict: `overlap and never-entered are gone`.
  private func codes(_ findings: [Finding], _ what: String) -> String {
    let isOne = Set(findings.filter(\.isSought).map(\.code)).count == 1
    return "\(codes(findings)) \(isOne ? "is" : "are") \(what)"
  }

  var brief: String {
    let count = result.assumptions.count
    let assumed = count == 0 ? "" : ", with \(Decimal.count(count, "assumption"))"
    switch verdict {
    case .fixed: return codes(result.recorded, "gone") + assumed
    case .clean where !result.recorded.isEmpty || !result.findings.isEmpty:
      return clean.dropLast() + assumed
    case .clean: return "no rule is broken, nor was one" + assumed
    case .stillBroken, .newlyBroken:
      guard let first = result.decisive.first else { return "" }
      let time = result.events.first { $0.seq == first.seq }?.time ?? 0
      return "at event \(first.seq) of what was played (\(Decimal.moment(time))), "
        + "\(played.controller(first.controller)): \(first.code.rawValue): \(first.sentence(played))"
    case .inconclusive: return reason
    }
  }

  func sections(_ page: TextSections) -> [String] {
    let doubts = result.doubts.map(sentence)
    // A single doubt is the verdict already.
    let isSaid = doubts.count == 1 && verdict == .inconclusive && disagreement == nil
    return [
      page.section("Played", summary),
      page.section(
        "What the rules say of the recording", result.recorded.map { $0.line(words) }, most: 8),
      page.section(
        "What the rules say of what was played", result.findings.map { $0.line(played) }, most: 8),
      place.map {
        page.picture("As it was played, around event \($0)", result.events, marked: $0, played)
      } ?? "", page.section("In doubt", isSaid ? [] : doubts, most: 12),
      page.section("Assumed", result.assumptions.map(sentence), most: 20),
      page.steps(next),
    ]
  }

  private var summary: [String] {
    func visits(_ kind: EventKind) -> Int {
      Set(
        result.events.filter { $0.kind == kind.rawValue }.map {
          [UInt32(bitPattern: $0.controller), $0.visit]
        }
      ).count
    }
    let moves = result.events.count { $0.kind == EventKind.moved.rawValue }
    let requested = visits(.enqueued)
    var parts = moves == 0 ? [] : ["\(Decimal.count(moves, "move")) of tracks"]
    if moves == 0 || requested > 0 {
      parts += [
        "\(Decimal.count(requested, "visit")) requested", "\(visits(.entered)) entered",
        "\(visits(.exited)) exited",
      ]
    }
    let first =
      "\(parts.joined(separator: ", ")); \(Decimal.count(result.events.count, "event")) until "
      + "\(Decimal.moment(result.events.last?.time ?? 0)); \(runsInWords)."
    let edits = changes.edits
    return [first] + edits.prefix(12).map { "Changed: \($0.description.visible)" }
      + (edits.count > 12 ? ["And \(edits.count - 12) more changes."] : [])
  }

  /// The event of the verdict: the first error, or where the visit entered that had an error in the
  /// recording.
  private var place: Int64? {
    if let first = result.decisive.first { return first.seq }
    guard let fixed = result.recorded.first(where: \.isSought),
      let visit = result.recordedVisits[fixed.controller]?.first(where: {
        $0.value == fixed.visit
      })?.key
    else { return changes.edits.isEmpty ? nil : result.events.last { $0.visit != 0 }?.seq }
    let own = result.events.filter { $0.controller == fixed.controller && $0.visit == visit }
    return (own.first { $0.kind == EventKind.entering.rawValue } ?? own.last)?.seq
  }

  var facts: KeyValuePairs<String, JSONValue> {
    get throws {
      [
        "runs": .whole(isRepeated ? 2 : 1), "disagreement": .text(disagreement?.sentence),
        "until": plan.last.map { .whole($0) } ?? .null,
        "edits": .list(changes.edits.map { .text($0.description) }),
        "events": .whole(result.events.count),
        "recorded": .list(
          try result.recorded.map {
            try FindingReport($0, in: history, words: words).json()
          }),
        "findings": VerdictJSON.findings(result.findings, played, among: result.events),
        "assumptions": .list(result.assumptions.map { .text(sentence($0)) }),
        "doubts": VerdictJSON.doubts(result.doubts, words),
      ]
    }
  }
}

// Assumptions.
extension WhatIfReplay {
  /// An assumption, in one sentence.
  private func sentence(_ assumption: Assumption) -> String {
    switch assumption {
    case .duration(let visit, let completion, let time, let source):
      return "\(visit.called) took \(Decimal.duration(time)) to "
        + "\(completion == .entered ? "enter" : "exit"): "
        + (source == .session
          ? "the median of its name in the session." : "assumed, because none was recorded.")
    case .silent(let visit, let completion):
      let kind = completion == .entered ? EventKind.entered : .exited
      let hasSaid = result.events.contains {
        $0.kind == kind.rawValue && $0.controller == visit.controller && $0.visit == visit.played
      }
      return "\(visit.called) \(hasSaid ? "reported only once" : "never reported") that it has "
        + "\(kind.text), as in the recording."
    case .leftOut(let seq, let visit, let origin, let kind):
      return "The request of event \(seq) for \(visit.called) was not made: it follows from "
        + "\(kind.text) of \(origin.called), which did not happen."
    case .unasked(let seq, let name, let origin):
      return "'\(name.visible)' of event \(seq) did not come: it follows from event "
        + "\(origin), which had not happened by then."
    case .notAsked(let seq, let name, let origin):
      return
        "'\(name.visible)' of event \(seq) did not come: what it answers was not asked at event "
        + "\(origin), or not waited for any more."
    case .askedAgain(let visit):
      return "\(visit.called) was pending when the recording began, and was requested again."
    case .notTaken(let seq, let visit):
      return "The request of event \(seq) for \(visit.called) was made, and the controller did not "
        + "report it."
    case .step(let controller, let time):
      return "\(words.controller(controller)) deferred a step, which ran after the "
        + "\(Decimal.duration(time)) that it was to wait."
    case .noEffect(let edit):
      return "'\(edit.description.visible)' changed nothing: what it is about did not happen."
    }
  }
}

extension Set<RuleCode> {
  /// The codes in words: `overlap and never-entered`.
  var listed: String {
    RuleCode.allCases.filter(contains).map(\.rawValue).listed
  }
}
