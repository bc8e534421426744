import StatyHistory
import StatyReplay

/// Why a replay cannot say something: in words, for other programs, and what helps.
struct DoubtWords {
  private let doubt: ReplayResult.Doubt

  init(_ doubt: ReplayResult.Doubt) { self.doubt = doubt }

  /// What other programs call it.
  var reason: String {
    switch doubt {
    case .gap: "gap"
    case .unknownController: "unknown-controller"
    case .unreadable: "unreadable"
    case .nothingToCompare: "nothing-to-compare"
    }
  }

  /// The number of the controller that it is about; none if it is about all.
  var controller: Int32? {
    switch doubt {
    case .gap(let controller, _), .unknownController(let controller, _),
      .nothingToCompare(let controller):
      controller
    case .unreadable: nil
    }
  }

  /// The number of the event at which it shows, if it shows at one.
  var seq: Int64? {
    switch doubt {
    case .gap(_, let seq), .unreadable(let seq): seq
    case .unknownController, .nothingToCompare: nil
    }
  }

  /// The doubt in a sentence or two.
  ///
  /// - Parameter known: the kinds of controller that can be made.
  func sentence(_ events: EventWords, known: [String]) -> String {
    let name = controller.map(events.controller) ?? ""
    switch doubt {
    case .gap(_, let seq):
      return "Events are missing from \(seq) on; \(name) was replayed up to there."
    case .unknownController(_, let policy) where known.contains(policy):
      return "Where \(name) stood when its recording began cannot be read."
    case .unknownController(_, let policy):
      return
        "This tool cannot make a controller of the kind '\(policy.visible)', which \(name) is. "
        + "It knows \(known.joined(separator: ", "))."
    case .unreadable(let seq): return "Event \(seq) says something that no version has written."
    case .nothingToCompare: return "Nothing was recorded of \(name) that could be compared."
    }
  }

  /// What can be tried.
  func step(_ steps: NextSteps) -> NextSteps.Step {
    switch doubt {
    case .gap(_, let seq) where seq > steps.firstSeq:
      steps.step("Up to the gap only:", "replay", "--until", "\(seq - 1)")
    case .gap: NextSteps.Step(text: "Record with more room, so that no event is lost.")
    case .unknownController(_, let policy) where steps.known.contains(policy):
      NextSteps.Step(text: "Take another copy of the file from where it was recorded.")
    case .unknownController:
      steps.step("With a kind that this tool knows:", "replay", "--with", "queue")
    case .unreadable:
      NextSteps.Step(text: "Use the staty that belongs to the app's version of the recorder.")
    case .nothingToCompare:
      NextSteps.Step(text: "Report more kinds of event through the controller's probe.")
    }
  }
}
