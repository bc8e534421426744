import Staty

/// The outward calls of controllers in a run: which of them are under way, and which one each is.
struct OpenCalls {
  private var counts: [Scenario.Call: Int] = [:]
  private var open: [Scenario.Call] = []

  /// Notes that a controller calls out, if an event says so.
  ///
  /// - Parameter log: knows what the controller is handling.
  mutating func note(
    _ event: borrowing TransitionEvent, of controller: Int32, _ log: PlayedLog
  ) {
    guard event.kind == .calling, let name = event.state else { return }
    let moment = log.moment(event.inside.event)
    var call = Scenario.Call(name, by: controller, on: moment?.kind, Int(moment?.visit ?? 0))
    let count = counts[call, default: 0]
    counts[call] = count + 1
    call.number = count
    open.append(call)
  }

  /// The call of a controller that was begun last.
  func last(of controller: Int32) -> Scenario.Call? {
    open.last { $0.controller == controller }
  }

  /// Notes that the last call of a controller has ended.
  mutating func end(of controller: Int32) {
    guard let place = open.lastIndex(where: { $0.controller == controller }) else { return }
    open.remove(at: place)
  }
}
