import Staty

/// Writes down what a controller's observers are told, in short words.
final class EventLog: TransitionObserver {
  private(set) var events: [TransitionEvent] = []

  func observe(_ event: borrowing TransitionEvent) {
    events.append(copy event)
  }

  /// Each event as its kind and visit: `entering #1`.
  var words: [String] {
    events.map { event in
      (["\(event.kind)"] + (event.visit.map { ["\($0)"] } ?? [])).joined(separator: " ")
    }
  }

  func first(_ kind: TransitionEvent.Kind) -> TransitionEvent? {
    events.first { $0.kind == kind }
  }
}
