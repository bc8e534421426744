package import StatyReplay

/// What surrounds an app and answers later: a server, a queue, or UIKit.
@MainActor protocol Surroundings {
  /// Takes a question.
  ///
  /// - Parameters:
  ///   - name: what is asked for.
  ///   - argument: what the answer depends on.
  ///   - isInOrder: whether answers come in the order of the questions.
  ///   - answer: gives the answer.
  func asked(
    _ name: String, _ argument: String, inOrder isInOrder: Bool, answer: @escaping () -> Void)
}

extension Surroundings {
  func asked(_ name: String, _ argument: String = "", answer: @escaping () -> Void) {
    asked(name, argument, inOrder: false, answer: answer)
  }
}

/// Keeps what was asked until it answers.
@MainActor final class Platform: Surroundings {
  private var waiting: [(answer: () -> Void, interrupted: (() -> Void)?)] = []

  func asked(
    _ name: String, _ argument: String, inOrder isInOrder: Bool, answer: @escaping () -> Void
  ) {
    waiting.append((answer, nil))
  }

  /// Takes an animation, which ends at some time or is interrupted.
  func animates(_ ended: @escaping () -> Void, interrupted: @escaping () -> Void) {
    waiting.append((ended, interrupted))
  }

  /// Answers, oldest questions first.
  func answer(_ count: Int = .max) {
    var left = count
    while left > 0, !waiting.isEmpty {
      waiting.removeFirst().answer()
      left -= 1
    }
  }

  /// Interrupts all animations, as UIKit does when the app goes to the background.
  func interrupt() {
    let interrupted = waiting.compactMap(\.interrupted)
    waiting.removeAll { $0.interrupted != nil }
    for end in interrupted { end() }
  }
}

/// In a replay, the recorded answers come as messages.
extension ReplayContext: @MainActor Surroundings {
  func asked(
    _ name: String, _ argument: String, inOrder isInOrder: Bool, answer: @escaping () -> Void
  ) {
    _ = asked(name, argument, inOrder: isInOrder)
  }
}
