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
    if output.reason != 0,
      let reason = EventReason(kind: output.kind, code: output.reason)
    {
      text += " (\(reason.text))"
    }
    text += " " + visit(output.visit, of: controller)
    return output.cause == 0 ? text : text + ", " + Self.handling(output.cause)
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
    case .different(let recorded, let replayed) where recorded.isSame(butCause: replayed):
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

  private static func fit(_ said: String, _ fit: Fit) -> String {
    fit == .fits ? "\(said) was taken in" : "\(said) was called stray"
  }

  /// What the difference is called.
  static func kind(_ difference: Divergence.Difference) -> String {
    switch difference {
    case .missing: "missing"
    case .extra: "extra"
    case .different: "different"
    case .reordered: "reordered"
    case .stray: "stray"
    }
  }

  /// The divergence in one sentence.
  func sentence(_ divergence: Divergence) -> String {
    let sides = sides(divergence)
    return switch divergence.difference {
    case .missing: "the replay did not make \(sides.recorded)"
    case .extra: "the replay made \(sides.replayed), which is not recorded"
    case .different(let recorded, let replayed) where recorded.isSame(butCause: replayed):
      "\(sides.recorded), was made \(Self.handling(replayed.cause)) in the replay"
    case .different, .reordered, .stray: "recorded is \(sides.recorded); replayed \(sides.replayed)"
    }
  }
}

extension Output {
  /// Whether the same is decided, and only what it was decided in differs.
  fileprivate func isSame(butCause other: Output) -> Bool {
    var copy = other
    copy.cause = cause
    return self == copy && cause != other.cause
  }
}
