import Staty

/// The outward calls of controllers in a run: which of them are under way, and which one each is.
struct OpenCalls {
  private var counts: [Scenario.Call: Int] = [:]
  private var open: [Scenario.Call] = []

  /// Notes that a controller calls out.
  ///
  /// - Parameter call: the call, not yet numbered among those of the same situation.
  mutating func begin(_ call: Scenario.Call) {
    var call = call
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
