import Staty

/// Logs a controller's events, as one short line for each.
final class MoveLog: TransitionObserver {
  private(set) var events: [TransitionEvent] = []
  private let write: (String) -> Void

  /// Creates a log that also passes each line to a function.
  init(_ write: @escaping (String) -> Void = { _ in }) {
    self.write = write
  }

  func observe(_ event: borrowing TransitionEvent) {
    let event = copy event
    events.append(event)
    write("· " + Self.line(event))
  }

  var lines: [String] { events.map(Self.line) }

  static func line(_ event: TransitionEvent) -> String {
    let state = event.state.map { " \($0)" } ?? ""
    let visit = event.visit.map { " \($0)" } ?? ""
    return "\(event.kind)\(state)\(visit)\(reason(event.detail))"
  }

  private static func reason(_ detail: TransitionEvent.Detail) -> String {
    switch detail {
    case .discard(.rejected(.objection(let objection))): " \(objection)"
    case .discard(let reason): " \(reason)"
    default: ""
    }
  }
}
