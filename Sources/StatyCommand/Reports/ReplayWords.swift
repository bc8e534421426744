import Staty
import StatyHistory
import StatyReplay

/// Puts what a replay gave into words.
struct ReplayWords {
  let events: EventWords
  /// The names of states by controller and visit, as far as they are at hand.
  private var states: [Int32: [UInt32: String]] = [:]

  init(_ events: EventWords) { self.events = events }

  /// Learns what the states of visits are called.
  mutating func learn(_ rows: [EventRow]) {
    for row in rows where row.visit != 0 {
      if let name = events.name(row.state) {
        states[row.controller, default: [:]][row.visit] = name
      }
    }
  }

  /// Learns what the states of those are called who stand and wait in the replay.
  mutating func learn(_ divergence: Divergence) {
    let requests =
      divergence.standing.standing.map(\.request) + divergence.standing.waiting
    for request in requests {
      states[divergence.controller, default: [:]][request.visit.rawValue] =
        request.state.description.visible
    }
  }

  func visit(_ visit: VisitNumber, of controller: Int32) -> String {
    states[controller]?[visit.rawValue].map { "#\(visit.rawValue) \($0)" } ?? "#\(visit.rawValue)"
  }

  /// A decision: `exiting #1 loading, in the handling of event 10`.
  func output(_ output: Output, of controller: Int32) -> String {
    var text = output.kind.text
    text += Self.reason(output)
    text += " " + visit(output.visit, of: controller)
    return output.cause == 0 ? text : text + ", " + Self.handling(output.cause)
  }

  /// Why something was done, and with a rejection what was the matter: ` (rejected: busy)`.
  static func reason(_ output: Output) -> String {
    guard let reason = EventReason(kind: output.kind, code: output.reason) else { return "" }
    let refusal = output.refusal.map { ": \(RefusalWords.text($0))" } ?? ""
    return " (\(reason.text)\(refusal))"
  }

  private static func handling(_ cause: Int64) -> String {
    cause == 0 ? "in the handling of none" : "in the handling of event \(cause)"
  }

  /// What is recorded at a divergence, and what the replay did.
  func sides(_ divergence: Divergence) -> (recorded: String, replayed: String) {
    let controller = divergence.controller
    switch divergence.difference {
    case .missing(let output): return (self.output(output, of: controller), "nothing")
    case .extra(let output): return ("nothing", self.output(output, of: controller))
    case .moved(let recorded, let replayed):
      return (output(recorded, of: controller), "the same, but " + Self.handling(replayed.cause))
    case .different(let recorded, let replayed):
      return (output(recorded, of: controller), output(replayed, of: controller))
    case .reordered(let recorded, let replayed):
      return (
        output(recorded, of: controller), output(replayed, of: controller) + ", and this only later"
      )
    case .stray(let visit, let completion, let recorded, let replayed):
      let who = self.visit(visit, of: controller)
      let said = "\(completion == .entered ? "entered" : "exited") of \(who)"
      return (Self.fit(said, recorded), Self.fit(said, replayed))
    }
  }

  /// Who was on the stage when the replay did something else.
  func stage(_ divergence: Divergence) -> String {
    let standing = divergence.standing.standing.map {
      "\(visit($0.request.visit, of: divergence.controller)) (\($0.phase))"
    }
    return standing.isEmpty ? "nobody" : standing.joined(separator: ", ")
  }

  /// Who waited when the replay did something else.
  func waiting(_ divergence: Divergence) -> String {
    let waiting = divergence.standing.waiting
    let shown = waiting.prefix(8).map { visit($0.visit, of: divergence.controller) }
    if waiting.isEmpty { return "nobody" }
    let rest = waiting.count > 8 ? " and \(waiting.count - 8) more" : ""
    return shown.joined(separator: ", ") + rest
  }

  private static func fit(_ said: String, _ fit: Fit) -> String {
    fit == .fits ? "\(said) was taken in" : "\(said) was called stray"
  }

  /// What the difference is called.
  static func kind(_ difference: Divergence.Difference) -> String {
    switch difference {
    case .missing: "missing"
    case .extra: "extra"
    case .different: "different"
    case .moved: "moved"
    case .reordered: "reordered"
    case .stray: "stray"
    }
  }

  /// The divergence in one sentence.
  func sentence(_ divergence: Divergence) -> String {
    func deed(_ output: Output) -> Deed {
      Deed(output, visit(output.visit, of: divergence.controller))
    }
    switch divergence.difference {
    case .missing(let output):
      return "the replay did not \(deed(output).base)\(Self.when(output))"
    case .extra(let output):
      return "the replay \(deed(output).past)\(Self.when(output)), which is not recorded"
    case .different(let recorded, let replayed):
      return "where the recording \(deed(recorded).third), the replay \(deed(replayed).past)"
    case .moved(let recorded, let replayed):
      return "the replay \(deed(replayed).past), too, but \(Self.place(replayed)) and not "
        + Self.place(recorded)
    case .reordered(let recorded, let replayed):
      return
        "where the recording \(deed(recorded).third), the replay first \(deed(replayed).past)"
    case .stray(let visit, let completion, _, let replayed):
      let said =
        "that \(self.visit(visit, of: divergence.controller)) is "
        + (completion == .entered ? "in" : "out")
      return replayed == .fits
        ? "the replay took in \(said), which was called stray when it was recorded"
        : "the replay called it stray \(said), which was taken in when it was recorded"
    }
  }

  private static func when(_ output: Output) -> String {
    output.cause > 0 ? " when it handled event \(output.cause)" : ""
  }

  private static func place(_ output: Output) -> String {
    output.cause > 0 ? "when it handled event \(output.cause)" : "by itself"
  }
}

/// What a controller did, as the verb of a sentence.
private struct Deed {
  /// As in "did not tell #2 to leave".
  let base: String
  /// As in "told #2 to leave".
  let past: String
  /// As in "tells #2 to leave".
  let third: String

  init(_ output: Output, _ who: String) {
    let reason = ReplayWords.reason(output)
    switch output.kind {
    case .entering: self.init("tell", "told", " \(who) to come in")
    case .exiting: self.init("tell", "told", " \(who) to leave")
    case .discarded: self.init("discard", "discarded", " \(who)\(reason)")
    case .enqueued: self.init("ask", "asked", " for \(who)")
    case .entered: self.init("say", "said", " that \(who) is in")
    case .exited: self.init("say", "said", " that \(who) is out")
    case .stray: self.init("call", "called", " something stray that \(who) said")
    case .cancelled: self.init("cancel", "cancelled", output.visit.rawValue == 0 ? "" : " \(who)")
    case .resumed: self.init("run", "ran", " a step that it had put off")
    case .calling: self.init("call", "called", " out")
    case .moved: self.init("move", "moved", " to \(who)")
    case .received: self.init("receive", "received", " a message")
    case .attached, .detached, .deadline, .mark, .lost, .stood:
      self.init("report", "reported", " '\(output.kind.text)' of \(who)\(reason)")
    }
  }

  private init(_ base: String, _ past: String, _ rest: String) {
    self.base = base + rest
    self.past = past + rest
    third = base + "s" + rest
  }
}
