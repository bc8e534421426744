import Staty

/// Logs a controller's events, and can act on them.
final class EventLog: TransitionObserver {
  private(set) var events: [TransitionEvent] = []
  var onEvent: (TransitionEvent) -> Void = { _ in }

  func observe(_ event: borrowing TransitionEvent) {
    let event = copy event
    events.append(event)
    onEvent(event)
  }

  /// Each event as its kind and visit: `entering #1`.
  var words: [String] {
    events.map { event in
      (["\(event.kind)"] + (event.visit.map { ["\($0)"] } ?? [])).joined(separator: " ")
    }
  }

  /// Each event with its state and its detail: `enqueued alert`, `discarded alert replaced`.
  var lines: [String] { events.map(\.line) }
  var numbers: [UInt64] { events.map(\.number) }
  func count(_ kind: TransitionEvent.Kind) -> Int { events.count { $0.kind == kind } }

  /// The first event of this kind, and of this state if one is given.
  func first(_ kind: TransitionEvent.Kind, _ state: StateName? = nil) -> TransitionEvent? {
    events.first { $0.kind == kind && (state == nil || $0.state == state) }
  }

  func forget() { events = [] }
}

extension TransitionEvent {
  /// The kind, the state and the detail, without the number.
  var line: String {
    var words = ["\(kind)"]
    if let state { words.append(state.description) }
    switch detail {
    case .none, .request: break
    case .discard(let reason): words.append("\(reason)")
    case .completion(let completion, nil): words.append("\(completion)")
    case .completion(let completion, let finished?): words.append("\(completion) \(finished)")
    case .finished(let finished): words.append("\(finished)")
    case .cancellation(.visit): break
    case .cancellation(let much): words.append("\(much)")
    case .deadline(let awaited, let recovery): words.append("\(awaited) \(recovery)")
    case .step(let step): words.append("\(step)")
    case .message(let hasPayload, _): if hasPayload { words.append("with payload") }
    case .change(let change): words.append("\(change)")
    case .showing, .awaitsUser: break
    }
    return words.joined(separator: " ")
  }

  var request: RequestDetail? {
    if case .request(let detail) = detail { detail } else { nil }
  }
}
