import Staty
import StatyHistory
import StatyReplay
import StatyRules

/// What was made smaller for people: what is left, how far that is known to be the least, the order,
/// what happens in it, and what to try next.
struct MinimizationExplanation {
  private let minimization: SessionMinimization
  private let played: PlayedSchedule
  private let layout: TextSections
  private let style: Style
  /// The tool and the file that was written.
  private let tool: String
  private let output: (path: String, trial: MinimizationTrial)?

  /// - Parameter output: the file that was written, and what can be done with it.
  init(
    _ minimization: SessionMinimization, tool: String,
    output: (path: String, trial: MinimizationTrial)?, width: Int, style: Style
  ) {
    self.minimization = minimization
    self.tool = tool
    self.output = output
    self.style = style
    layout = TextSections(width: width, style: style)
    played = PlayedSchedule(minimization.played, isAtEnd: minimization.result.isAtEnd)
  }

  private var result: Minimization { minimization.result }

  var text: String {
    [
      verdict, layout.section("Reduced", reduced),
      layout.section("The order", played.numberedSteps),
      layout.section("What the rules say of it", played.lines([result.finding])),
      played.picture(around: result.finding, layout), next,
    ].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The same in one line.
  var line: String {
    "\(style.paint("MINIMIZED", .done)) \(minimization.history.called), session "
      + "\(minimization.session.id): \(sentence)\n"
  }

  private var sentence: String {
    "\(result.finding.code.rawValue) with \(Decimal.count(result.requests.after, "request")) "
      + "of \(Decimal.grouped(Int64(result.requests.before))): \(played.sentence(result.finding))"
  }

  private var verdict: String {
    let with = minimization.kinds.text.map { ", played with \($0)" } ?? ""
    let place = "\(minimization.history.called), session \(minimization.session.id)\(with)."
    return layout.verdict("MINIMIZED", style.paint("MINIMIZED", .done), sentence)
      + layout.block(place, indent: 2)
  }

  private var reduced: [String] {
    let events = result.events
    return [
      "From \(Decimal.count(result.requests.before, "request")) to "
        + "\(Decimal.grouped(Int64(result.requests.after))), and from "
        + "\(Decimal.count(events.before, "event")) to "
        + "\(Decimal.grouped(Int64(events.after))), in \(Decimal.count(result.runs, "run")).",
      proof,
      result.isShortest
        ? "No order of them with fewer steps breaks it there."
        : "Whether another order has fewer steps is not known: \(reason).",
    ]
  }

  private var proof: String {
    switch result.proof {
    case .everyOrder:
      "Each of them is needed: without any one no order breaks the rule at these visits."
    case .runOrder:
      "Each of them is needed in this order; not every other order without one was searched: "
        + "\(reason)."
    case .none: "Whether each of them is needed is not known: \(reason)."
    }
  }

  private var reason: String {
    switch result.cut {
    case .steps: "there are longer ones than '--max-steps' allows"
    case .time: "the time was over"
    case .runs, .states: "more runs are to be made than '--max-runs' allows"
    case nil: "the controller does not do the same each time"
    }
  }

  private var next: String {
    layout.heading("Try next")
      + nextSteps.map { step in
        layout.block(step.text, indent: 2) + (step.command.map { "    \($0)\n" } ?? "")
      }.joined()
  }

  private var nextSteps: [NextSteps.Step] {
    guard let output else {
      let file = NextSteps.quoted(minimization.history.path)
      return [
        .init(text: "Keep it as a history:", command: "\(tool) minimize -o small.sqlite \(file)")
      ]
    }
    let file = NextSteps.quoted(output.path)
    var steps = [
      NextSteps.Step(
        text: "What happens in it, event by event:", command: "\(tool) show \(file)"),
      testStep(output.trial.test, file),
    ]
    if !output.trial.replay.isEmpty {
      let reason = output.trial.replay.joined(separator: " ")
      steps.append(.init(text: "A replay of it does not end with 'reproduced'. \(reason)"))
    }
    return steps
  }

  private func testStep(
    _ advice: MinimizationTrial.TestAdvice, _ file: String
  ) -> NextSteps.Step {
    switch advice {
    case .words(let words):
      let whose =
        words.contains("--registry") ? " ('.own' stands for the registry that makes it)" : ""
      return .init(
        text: "A test that is red until the controller is mended\(whose):",
        command: ([tool, "test"] + words + [file]).joined(separator: " "))
    case .refused(let reason):
      return .init(text: "No test can be made of it: \(reason)")
    }
  }
}

/// What was made smaller, for other programs.
enum MinimizationJSON {
  static func value(_ minimization: SessionMinimization, output: String?) -> JSONValue {
    let result = minimization.result
    let played = PlayedSchedule(minimization.played, isAtEnd: result.isAtEnd)
    return .object([
      "file": .text(minimization.history.path), "session": .whole(minimization.session.id),
      "uuid": .text(minimization.session.uuid), "with": .text(minimization.kinds.value),
      "finding": played.value(result.finding), "requests": extent(result.requests),
      "events": extent(result.events), "minimal": .text(result.proof.rawValue),
      "shortest": .bool(result.isShortest), "cut": .text(result.cut?.rawValue),
      "runs": .whole(result.runs), "schedule": .list(played.steps.map { .text($0) }),
      "at_end": .bool(result.isAtEnd),
      "doubts": .list(result.doubts.map { .text(DoubtWords($0).reason) }),
      "output": .text(output),
    ])
  }

  private static func extent(_ extent: Minimization.Extent) -> JSONValue {
    .object(["before": .whole(extent.before), "after": .whole(extent.after)])
  }
}
