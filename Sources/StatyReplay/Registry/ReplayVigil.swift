import Synchronization

/// Knows which call of a controller's own code a replay is in.
///
/// An app's controller may loop forever, or wait for something that never happens; then the replay
/// cannot report it. To notice that, give a ``ControllerRegistry`` a vigil and read it on another
/// thread.
package final class ReplayVigil: Sendable {
  /// A call of a controller's own code that has not returned.
  package struct Call: Hashable, Sendable {
    /// A number that changes with every call and every return.
    package var number: UInt64 = 0
    /// The name under which the controller was recorded.
    package var controller = ""
    /// The recorded time of what the controller is told, since the session began.
    package var time = Duration.zero
  }

  private struct Calls {
    var depth = 0
    var latest = Call()
  }

  private let calls = Mutex(Calls())

  /// A vigil that watches nothing yet.
  package init() {}

  /// The current call; of nested ones the innermost.
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

/// Calls a controller's own code, and lets a vigil watch it if there is one.
struct OwnCode {
  let controller: String
  let clock: ReplayClock
  var vigil: ReplayVigil?

  func call<Result>(_ body: () -> Result) -> Result {
    vigil?.during(controller, clock.now, body) ?? body()
  }
}
