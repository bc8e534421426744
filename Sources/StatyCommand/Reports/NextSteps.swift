import StatyHistory
import StatyReplay

/// What somebody can try after a replay.
struct NextSteps {
  /// Something to try or to know.
  struct Step: Equatable {
    let text: String
    /// The command line that does it, if one does.
    var command: String?
  }

  private let replay: SessionReplay

  init(_ replay: SessionReplay) { self.replay = replay }

  private var file: String { Self.quoted(replay.history.path) }
  private var session: String { "--session \(replay.session.id)" }
  /// The first number of the session.
  var firstSeq: Int64 { replay.session.firstSeq }
  /// The kinds of controller that can be made.
  var known: [String] { replay.plan.engine.names }

  var steps: [Step] {
    switch replay.verdict {
    case .reproduced: reproduced
    case .diverged: diverged
    case .inconclusive: inconclusive
    }
  }

  /// A step that this command line takes, of the session in question.
  func step(_ text: String, _ words: String...) -> Step {
    Step(
      text: text,
      command: "\(replay.plan.tool) " + (words + [session, file]).joined(separator: " "))
  }

  private var reproduced: [Step] {
    guard !replay.findings.isEmpty else { return [] }
    return [
      step("What led to the findings, and what followed:", "check"),
      step("Where another kind of controller decides otherwise:", "replay", "--with", "queue"),
    ]
  }

  private var diverged: [Step] {
    let seq = replay.result.divergences[0].seq
    if let policy = replay.plan.policy {
      return [
        Step(
          text:
            "From event \(seq) on '\(policy.visible)' decides otherwise than what was recorded."),
        step(
          "What would have come of it, and what had to be assumed:", "replay", "--what-if",
          "--with", Self.quoted(policy)),
      ]
    }
    return [
      Step(
        text: "The controller of this tool decides otherwise than the one that was recorded. If it "
          + "was changed on purpose, this is what the change does."),
      step("Up to there only:", "replay", "--until", "\(seq)"),
      step("Whether what was recorded broke a rule:", "check"),
    ]
  }

  private var inconclusive: [Step] {
    switch replay.disagreement {
    case .differs:
      return [
        Step(
          text: "Look for what it asks beside its inputs, and hand that in from outside: a sorted "
            + "list in the place of a set, a clock or a generator that the replay gives.")
      ]
    case .notMade: return [step("Without a second run:", "replay", "--runs", "1")]
    case nil: break
    }
    var steps: [Step] = []
    for doubt in replay.result.doubts.prefix(12) {
      let step = DoubtWords(doubt).step(self)
      if !steps.contains(step) { steps.append(step) }
    }
    return steps
  }

  /// The command line of a verb about a session.
  static func command(_ tool: String, _ verb: String, _ session: Int64, _ path: String) -> String {
    "\(tool) \(verb) --session \(session) \(quoted(path))"
  }

  /// A path as a shell wants it.
  static func quoted(_ path: String) -> String {
    let plain = path.utf8.allSatisfy { byte in
      (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a)
        || (byte >= 0x61 && byte <= 0x7a) || "/._-+,@%:".utf8.contains(byte)
    }
    if plain, !path.isEmpty, !path.hasPrefix("-") { return path }
    let inner = path.visible.split(separator: "'", omittingEmptySubsequences: false)
    return (path.hasPrefix("-") ? "-- " : "") + "'" + inner.joined(separator: "'\\''") + "'"
  }
}
