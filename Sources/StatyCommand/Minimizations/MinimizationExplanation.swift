import Staty
import StatyHistory
import StatyReplay
import StatyRules

/// What was made smaller for people: what is left, how far that is known to be the least, the order,
/// what happens in it, and what to try next.
struct MinimizationExplanation {
  private let minimization: SessionMinimization
  private let played: PlayedSchedule
  private let advice: MinimizationAdvice
  private let doubts: [String]
  private let layout: TextSections
  private let style: Style

  /// - Parameter known: the kinds of controller that can be made.
  init(
    _ minimization: SessionMinimization, known: [String], _ advice: MinimizationAdvice, width: Int,
    style: Style
  ) throws {
    self.minimization = minimization
    self.advice = advice
    self.style = style
    layout = TextSections(width: width, style: style)
    let result = minimization.result
    played = PlayedSchedule(minimization.played, isAtEnd: result.isAtEnd)
    let recorded = try EventWords(minimization.history.reader, session: minimization.session.id)
    doubts = result.doubts.prefix(12).map { DoubtWords($0).sentence(recorded, known: known) }
  }

  private var result: Minimization { minimization.result }

  var text: String {
    [
      verdict, layout.section("Reduced", reduced),
      layout.section("The order", played.numberedSteps),
      layout.section("What the rules say of it", played.lines([result.finding])),
      played.picture(around: result.finding, layout), layout.section("In doubt", doubts), next,
    ].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The same in one line.
  var line: String {
    "\(style.paint(name, minimization.status)) \(minimization.history.called), session "
      + "\(minimization.session.id): \(sentence)\n"
  }

  private var name: String { minimization.status == .done ? "MINIMIZED" : "INCONCLUSIVE" }

  private var sentence: String {
    "\(result.finding.code.rawValue) with \(Decimal.count(result.requests.after, "request")) "
      + "of \(Decimal.grouped(Int64(result.requests.before))): \(played.sentence(result.finding))"
  }

  private var verdict: String {
    let with = minimization.kinds.text.map { ", played with \($0)" } ?? ""
    let place = "\(minimization.history.called), session \(minimization.session.id)\(with)."
    return layout.verdict(name, style.paint(name, minimization.status), sentence)
      + layout.block(place, indent: 2)
  }

  private var reduced: [String] {
    let events = result.events
    let extent =
      "From \(Decimal.count(result.requests.before, "request")) to "
      + "\(Decimal.grouped(Int64(result.requests.after))), and from "
      + "\(Decimal.count(events.before, "event")) to "
      + "\(Decimal.grouped(Int64(events.after))), in \(Decimal.count(result.runs, "run"))."
    let others =
      minimization.others == 0
      ? []
      : [
        "It is the first of \(minimization.others + 1) that were meant; '--finding' chooses another."
      ]
    return [extent] + others + [requests, order]
  }

  private var requests: String {
    switch result.proof.requests {
    case .everyOrder:
      "Each of them is needed: without any one no order breaks the rule at these visits."
    case .runOrder(let obstacle):
      "Each of them is needed in this order; not every other order without one was searched: "
        + because(obstacle)
    case .open(let obstacle):
      "Whether each of them is needed is not known: " + because(obstacle)
    }
  }

  private var order: String {
    switch result.proof.order {
    case .shortest: "No order of them with fewer steps breaks it there."
    case .open(let obstacle):
      "Whether another order has fewer steps is not known: " + because(obstacle)
    }
  }

  private func because(_ obstacle: Minimization.Obstacle) -> String {
    switch obstacle {
    case .limit(.steps): "there are longer ones than '--max-steps' allows."
    case .limit(.time): "the time was over."
    case .limit(.memory): "more has to be kept than '--memory' allows."
    case .limit(.runs), .limit(.states): "more runs are to be made than '--max-runs' allows."
    case .doubt: "of what is in doubt, as is said below."
    }
  }

  private var next: String {
    layout.heading("Try next")
      + advice.steps.map { step in
        layout.block(step.text, indent: 2) + (step.command.map { "    \($0)\n" } ?? "")
      }.joined()
  }
}
