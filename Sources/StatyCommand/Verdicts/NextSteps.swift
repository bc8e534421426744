import Staty
import StatyHistory
import StatyReplay
import StatyReport

/// Suggestions of what to try after a replay.
enum NextSteps {
  /// A suggestion or a remark.
  struct Step: Equatable {
    let text: String
    /// The command line that does it, or the line of a test, if there is one.
    var command: String?

    /// Both in a sentence.
    var sentence: String { text + (command.map { " \($0)" } ?? "") }
  }

  /// Why a class may do something else than it did in the app, though nobody changed it.
  static let whatIsMissing =
    "If nobody changed it, look for what it had in the app and lacks here, such as a delegate that it "
    + "holds weakly and that nothing else holds."
}

extension SessionReplay {
  var next: [NextSteps.Step] {
    switch verdict {
    case .reproduced where findings.isEmpty: []
    case .reproduced:
      [
        step("What led to the findings, and what followed:", "check"),
        replacing(nil, "Where another kind of controller decides otherwise:"),
      ].compactMap(\.self)
    case .diverged: after(leading?.seq ?? 0)
    case .inconclusive: inDoubt(result.doubts)
    }
  }

  /// The suggestions after a divergence at the event with this number.
  private func after(_ seq: Int64) -> [NextSteps.Step] {
    if let kinds = kinds.text {
      return [
        .init(text: "From event \(seq) on \(kinds) decides otherwise than what was recorded."),
        step("What would have happened, and what had to be assumed:", "replay", ["--what-if"]),
      ]
    }
    return [
      .init(
        text: "The controller of this tool decides otherwise than the one that was recorded. If it "
          + "was changed on purpose, this is what the change does."
          + (controllers.contains { plan.registry.makesOwn($0.kind) }
            ? " " + NextSteps.whatIsMissing : "")),
      step("What happens with it now, and what has to be assumed:", "replay", ["--what-if"]),
      step("Up to there only:", "replay", until: seq),
      step("Whether what was recorded broke a rule:", "check"),
    ]
  }
}

extension WhatIfReplay {
  var next: [NextSteps.Step] {
    switch verdict {
    case .fixed, .clean, .newlyBroken: []
    case .stillBroken:
      [step("What led to the errors of the recording, and what followed:", "check")]
    case .inconclusive: inDoubt(result.doubts)
    }
  }

  var flags: [String] { changes.words.map(ShellWords.flag) }
}

extension RepeatedReplay {
  typealias Step = NextSteps.Step

  /// The kinds of controller that can be made.
  private var known: [String] { plan.registry.names }

  /// A suggestion with a command line for the same session and with the same flags.
  ///
  /// - Parameters:
  ///   - last: the number of the event to end with, if that differs.
  ///   - kinds: the replacements of kinds, if they differ.
  fileprivate func step(
    _ text: String, _ verb: String, _ words: [String] = [], until last: Int64? = nil,
    with kinds: [String]? = nil
  ) -> Step {
    var all = [plan.tool, verb] + words
    if verb == "replay" {
      all += flags.filter { !words.contains($0) }
      for kind in kinds ?? plan.kinds.texts { all += ShellWords.option("--with", kind) }
      if let last = last ?? plan.last { all += ["--until", "\(last)"] }
    }
    for name in plan.choice.controllers { all += ShellWords.option("--controller", name) }
    all += ["--session", "\(session.id)", ShellWords.quoted(history.path)]
    return Step(text: text, command: all.joined(separator: " "))
  }

  /// A suggestion to replay with another kind of controller that this tool can make; a track has
  /// none that could take its place.
  ///
  /// - Parameters:
  ///   - controller: the number of the controller to replace; none for all.
  ///   - text: the purpose.
  fileprivate func replacing(_ controller: Int32?, _ text: String) -> Step? {
    let one = controllers.first { $0.id == controller }
    let meant = one.map { [$0] } ?? controllers
    let recorded = Set(meant.map(\.policy))
    if meant.contains(where: { [.moves, .stack].contains($0.knownDiscipline) }) { return nil }
    let byUrgency = meant.allSatisfy { $0.knownDiscipline == .byUrgency }
    let kinds = (byUrgency ? ["priority"] : []) + ["queue", "latest", "immediate"]
    guard let kind = kinds.first(where: { known.contains($0) && !recorded.contains($0) }) else {
      return nil
    }
    guard let one, controllers.count > 1 else { return step(text, "replay", with: [kind]) }
    let others = plan.kinds.texts.filter { !$0.hasPrefix(one.name + "=") }
    return step(text, "replay", with: others + ["\(one.name)=\(kind)"])
  }

  fileprivate func inDoubt(_ doubts: [ReplayDoubt]) -> [Step] {
    switch disagreement {
    case .differs:
      return [
        Step(
          text:
            "Look for what it reads besides its inputs, and pass that in from outside: a sorted "
            + "list in the place of a set, a clock or a generator that the replay gives.")
      ]
    case .notMade: return [step("Without a second run:", "replay", ["--once"])]
    case nil: break
    }
    var steps: [Step] = []
    for doubt in doubts.prefix(12) {
      let step = step(after: doubt)
      if !steps.contains(step) { steps.append(step) }
    }
    return steps
  }

  /// The suggestion for a doubt.
  private func step(after doubt: ReplayDoubt) -> Step {
    switch doubt {
    case .gap(_, let seq) where seq > session.firstSeq:
      return step("Up to the gap only:", "replay", until: seq - 1)
    case .unknownController(let controller, _):
      let advice = NextSteps.toMake(controllers.first { $0.id == controller }, history.path)
      return replacing(controller, advice.text + " With a policy in its place:") ?? advice
    case .overlappingHandling(_, let seq):
      return step(doubt.advice + " Up to there only:", "replay", until: seq.addingClamped(-1))
    case .outgrown(_, let seq): return step("Up to there only:", "replay", until: seq)
    case .unmet: return step("What the recording has and the replay has not:", "replay")
    default: return Step(text: doubt.advice)
    }
  }
}

extension NextSteps {
  /// How a controller of an app's own can be played.
  static func toMake(_ controller: ControllerRecord?, _ path: String) -> Step {
    guard let controller, controller.isTrack else {
      return Step(
        text:
          "Register it in a tool or test of your app: \(Guide.yourOwnControllers) says how."
      )
    }
    guard controller.isStateTrack else {
      return Step(
        text:
          "Write a test that does the same taps, and fails until the bug is fixed: "
          + "\(controller.isOfPlatform ? Guide.statyUIKit : .recordingNavigation) has one.")
    }
    return Step(
      text:
        "Write a test in your app that tries the orders of what was recorded, with the file in a folder "
        + "'Histories' next to it. Register the view model as \(Guide.reproducingARecording) shows; one that gets its "
        + "answers as messages, as \(Guide.replayingMessages) does. The line of the test:",
      command: testLine(path))
  }

  /// The line of a test that tries the orders of a recording.
  static func testLine(_ path: String) -> String {
    let file = path.lastComponent
    let name = file.hasSuffix(".sqlite") ? String(file.dropLast(7)) : file
    return "expectOneOutcome(\(SwiftNames.literal(name)), in: .app)"
  }
}
