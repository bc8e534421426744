import LibC
import StatyReplay
import StatySQLite

/// Notices when an app's controller does not come back from what a replay told it.
///
/// Nothing can be taken back from code that does not return, so the tool says so and ends. A run in
/// another process is ended by the one that started it.
struct Watchdog {
  /// So long no call of a controller's own code takes, on however busy a machine.
  static let patience = Duration.seconds(60)

  let vigil: ReplayVigil
  let limit: Duration

  /// Calls `onHang` once, from elsewhere, as soon as one and the same call has lasted too long.
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

  /// Says what is the matter and ends the process as one in which nothing can be said.
  static func end(_ call: ReplayVigil.Call) {
    Leftover.removeAll()
    let bytes = Array(words(call).utf8)
    // Standard error itself: whatever the stuck code holds is not waited for.
    _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    _exit(ExitCode.inconclusive.rawValue)
  }

  /// What is the matter, and what can be done.
  static func words(_ call: ReplayVigil.Call) -> String {
    let time = Decimal.moment(Int64(call.time / .microseconds(1)))
    return """
      Error: Replaying: '\(call.controller.visible)' was told at \(time) of its recording and has \
      not come back for \(patience.components.seconds) s, so that nothing can be said.
        Look there for a loop, or for a lock or an answer that it waits for.

      """
  }
}
