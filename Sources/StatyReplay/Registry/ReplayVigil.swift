import Synchronization

/// Knows whether a replay stands inside of a controller's own code, and since which call.
///
/// An app's controller may go round for ever, or wait for what never comes: then nobody comes back
/// to say so. Whoever wants to notice gives a ``ControllerRegistry`` a vigil and looks at it from
/// another thread.
package final class ReplayVigil: Sendable {
  /// A call of a controller's own code that has not returned.
  package struct Call: Hashable, Sendable {
    /// Another one as soon as anything was called or has returned.
    package var number: UInt64 = 0
    /// The name under which the controller was recorded.
    package var controller = ""
    /// How long ago the session had begun when that was recorded which the controller is told.
    package var time = Duration.zero
  }

  private struct Calls {
    var depth = 0
    var latest = Call()
  }

  private let calls = Mutex(Calls())

  /// A vigil over nobody yet.
  package init() {}

  /// The call that is under way; of several inside each other the latest.
  package var underWay: Call? {
    calls.withLock { $0.depth > 0 ? $0.latest : nil }
  }

  /// Calls a controller's own code.
  func during<Result, Failure>(
    _ controller: String, _ time: Duration, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    change(by: 1, controller, time)
    defer { change(by: -1, controller, time) }
    return try body()
  }

  private func change(by step: Int, _ controller: String, _ time: Duration) {
    calls.withLock {
      $0.depth += step
      $0.latest = Call(number: $0.latest.number + 1, controller: controller, time: time)
    }
  }
}
