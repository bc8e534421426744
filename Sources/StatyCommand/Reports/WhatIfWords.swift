import Staty
import StatyHistory
import StatyReplay
import StatyRules

/// Puts what a what-if replay gave into words.
struct WhatIfWords {
  let replay: WhatIfReplay
  /// The words of what was played.
  let played: EventWords
  /// The words of what was recorded.
  let recorded: EventWords

  init(_ replay: WhatIfReplay) throws {
    self.replay = replay
    recorded = try EventWords(replay.history.reader, session: replay.session.id)
    played = recorded.played(replay.result)
  }

  private var result: WhatIfResult { replay.result }

  /// What is most worth knowing, without the verdict.
  var what: String {
    if let disagreement = replay.disagreement { return disagreement.sentence }
    switch replay.verdict {
    case .fixed: return "\(codes(result.recorded, "gone"))\(assumed)"
    case .clean: return "no rule is broken, nor was one\(assumed)"
    case .stillBroken, .newlyBroken:
      guard let first = result.errors.first else { return "" }
      return "at event \(first.seq) of what was played (\(Decimal.moment(time(first)))), "
        + "\(played.controller(first.controller)): \(first.code.rawValue): \(sentence(first))"
    case .inconclusive:
      return result.doubts.first.map(sentence) ?? ""
    }
  }

  /// The verdict in words.
  var verdict: String {
    if let disagreement = replay.disagreement { return disagreement.sentence }
    switch replay.verdict {
    case .fixed:
      return "the recording broke \(codes(result.recorded)), and what was played breaks no rule."
    case .clean: return "no rule is broken, nor was one in the recording."
    case .stillBroken: return stillBroken
    case .newlyBroken:
      let isOne = Set(result.errors.map(\.code)).count == 1
      return codes(result.errors, "broken")
        + ", as \(isOne ? "it was" : "they were") not in the recording."
    case .inconclusive:
      let isAssumed = result.doubts.allSatisfy { if case .unanswered = $0 { true } else { false } }
      if isAssumed, result.errors.isEmpty {
        return "what was played breaks no rule, but only because a state is assumed to answer that "
          + "never did."
      }
      return "it cannot be said, for \(Decimal.count(result.doubts.count, "reason"))."
    }
  }

  private var stillBroken: String {
    let before = Set(result.recorded.map(\.code))
    let later = Set(result.recordedLater.map(\.code)).subtracting(before)
    let still = result.errors.filter { before.contains($0.code) }
    let asLater = result.errors.filter { later.contains($0.code) }
    let new = result.errors.filter { !before.contains($0.code) && !later.contains($0.code) }
    var parts = still.isEmpty ? [] : [codes(still, "broken as in the recording")]
    if !asLater.isEmpty {
      let last = replay.plan.last.map { ", where it is after event \($0)" } ?? ""
      parts.append(codes(asLater, "broken as in the recording\(last)"))
    }
    if !new.isEmpty { parts.append(codes(new, "newly broken")) }
    return parts.joined(separator: ", and ") + "."
  }

  /// The verdict in words that need no list of doubts beside them.
  var brief: String {
    guard replay.disagreement == nil, replay.verdict == .inconclusive else { return verdict }
    let more = result.doubts.count - 1
    return what + (more > 0 ? " And \(Decimal.count(more, "more reason"))." : "")
  }

  private var assumed: String {
    let count = result.assumptions.count
    return count == 0 ? "" : ", with \(Decimal.count(count, "assumption"))"
  }

  /// The codes of errors, each once: `overlap and never-entered`.
  private func codes(_ findings: [Finding]) -> String {
    let found = Set(findings.filter { $0.severity == .error }.map(\.code))
    let names = RuleCode.allCases.filter(found.contains).map(\.rawValue)
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// What holds for the codes of errors: `overlap and never-entered are gone`.
  private func codes(_ findings: [Finding], _ what: String) -> String {
    let isOne = Set(findings.filter { $0.severity == .error }.map(\.code)).count == 1
    return "\(codes(findings)) \(isOne ? "is" : "are") \(what)"
  }

  func sentence(_ finding: Finding) -> String { finding.detail { played.name($0) } }

  /// When the guilty event was played.
  func time(_ finding: Finding) -> Int64 {
    result.events.first { $0.seq == finding.seq }?.time ?? 0
  }

  func sentence(_ doubt: ReplayDoubt) -> String {
    DoubtWords(doubt).sentence(recorded, known: replay.plan.engine.names)
  }
}

// Assumptions.
extension WhatIfWords {
  /// What was taken for granted, in one sentence.
  func sentence(_ assumption: Assumption) -> String {
    switch assumption {
    case .duration(let visit, let completion, let time, let source):
      return "\(Self.called(visit)) took \(Decimal.duration(time)) to "
        + "\(completion == .entered ? "come in" : "leave"): \(Self.reason(source))."
    case .silent(let visit, let completion):
      let kind = completion == .entered ? EventKind.entered : .exited
      let hasSaid = result.events.contains {
        $0.kind == kind.rawValue && $0.controller == visit.controller && $0.visit == visit.played
      }
      return "\(Self.called(visit)) \(hasSaid ? "said only once" : "never said") that it was "
        + "\(completion == .entered ? "in" : "out"), as in the recording."
    case .leftOut(let seq, let visit, let origin, let kind):
      return "The request of event \(seq) for \(Self.called(visit)) did not come: it answers to "
        + "\(kind.text) of \(Self.called(origin)), which did not happen."
    case .unasked(let seq, let name, let origin):
      return "The message '\(name.visible)' of event \(seq) did not come: it answers event "
        + "\(origin), which was left out."
    case .askedAgain(let visit):
      return "\(Self.called(visit)) waited when the recording began, and was asked for again."
    case .notTaken(let seq, let visit):
      return "The request of event \(seq) for \(Self.called(visit)) was made, and not taken."
    case .step(let controller, let time):
      return "\(recorded.controller(controller)) put a step off, which ran after the "
        + "\(Decimal.duration(time)) that it was to wait."
    case .noEffect(let edit):
      return "'\(edit.description.visible)' changed nothing: what it is about did not happen."
    }
  }

  private static func reason(_ source: DurationSource) -> String {
    switch source {
    case .session: "the median of its name in the session"
    case .file: "the median of its name in the file"
    case .assumed: "assumed, for no recording tells"
    }
  }

  /// A visit by the number that was played, and the recorded one where that is another.
  static func called(_ visit: AssumedVisit) -> String {
    let name = visit.state.map { " \($0.visible)" } ?? ""
    guard let played = visit.played else {
      return visit.recorded.map { $0 == 0 ? "an inserted\(name)" : "#\($0)\(name)" } ?? name.trimmed
    }
    switch visit.recorded {
    case played: return "#\(played)\(name)"
    case let recorded?: return "#\(played)\(name) (recorded #\(recorded))"
    case nil: return "#\(played)\(name) (not recorded)"
    }
  }
}
