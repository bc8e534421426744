import LibC
import StatyReplay
import StatySQLite

/// Detects a call of an app's controller that does not return during a replay.
///
/// Code that does not return cannot be stopped, so the tool reports it and ends. A run in another
/// process is ended by the process that started it.
struct Watchdog {
  /// The longest time of a call of a controller's own code, even on a busy machine.
  static let patience = Duration.seconds(60)

  let vigil: ReplayVigil
  let limit: Duration

  /// Calls `onHang` once, on another thread, when one call has lasted too long.
  @discardableResult
  func watch(_ onHang: @escaping @Sendable (ReplayVigil.Call) -> Void) -> Task<Void, Never> {
    Task.detached { [vigil, limit] in
      var latest: (call: ReplayVigil.Call, since: ContinuousClock.Instant)?
      while !Task.isCancelled {
        let call = vigil.underWay
        if let call, let latest, latest.call == call {
          if latest.since + limit < .now { return onHang(call) }
        } else {
          latest = call.map { ($0, .now) }
        }
        try? await Task.sleep(for: min(limit / 4, .seconds(1)))
      }
    }
  }

  /// Reports the problem, and ends the process as inconclusive.
  static func end(_ call: ReplayVigil.Call) {
    TemporaryFile.removeAll()
    let bytes = Array(words(call).utf8)
    // Directly to standard error: it must not wait for locks of the stuck code.
    _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    _exit(ExitCode.inconclusive.rawValue)
  }

  /// The problem, and what to do.
  static func words(_ call: ReplayVigil.Call) -> String {
    let time = Decimal.moment(Int64(call.time / .microseconds(1)))
    return """
      Error: Replaying: '\(call.controller.visible)' was told at \(time) of its recording and has \
      not come back for \(patience.components.seconds) s, so that nothing can be said.
        Look there for a loop, or for a lock or an answer that it waits for.

      """
  }
}
