package import Staty

/// An app with a double of its platform, and what the user does.
@MainActor package final class Scene {
  /// Something that the user does.
  package struct Step {
    package let name: String
    /// How many answers come before the next step, in the order of the report.
    let answers: Int
    /// Whether the screen offers it.
    let isOffered: () -> Bool
    let act: () -> Void
  }

  /// When answers come.
  package enum Order {
    /// The user waits for all of them.
    case harmless
    case reported
    /// The user does anything, but nothing twice at once, and answers come at any time.
    case random(any RandomNumberGenerator)
  }

  /// What is recorded, with its names.
  package let parts: [(name: StateName, part: any Recordable)]
  package private(set) var steps: [Step] = []
  private let platform: Platform

  init(_ platform: Platform, _ parts: (name: StateName, part: any Recordable)...) {
    (self.platform, self.parts) = (platform, parts)
  }

  /// Adds a step.
  func user(
    _ name: String, answers: Int = 0, when isOffered: @escaping () -> Bool = { true },
    _ act: @escaping () -> Void
  ) -> Scene {
    steps.append(Step(name: name, answers: answers, isOffered: isOffered, act: act))
    return self
  }

  /// Plays it to its end.
  package func play(_ order: Order) {
    switch order {
    case .harmless:
      for step in steps {
        step.act()
        platform.answer()
      }
    case .reported:
      for step in steps {
        step.act()
        platform.answer(step.answers)
      }
    case .random(var random):
      var last: Int?
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        // A second tap in no time would be a mistake of the user's.
        let offered = steps.indices.filter { $0 != last && steps[$0].isOffered() }
        last = offered.randomElement(using: &random)
        if let last { steps[last].act() }
        platform.answer(Int.random(in: 0...3, using: &random))
      }
    }
    platform.answer()
  }
}
