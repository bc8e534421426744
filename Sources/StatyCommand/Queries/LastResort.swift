import LibC
import StatySQLite

/// Ends the process when its time is over and it does not end by itself: SQLite is inside of one long
/// function, or nobody reads what is written.
struct LastResort {
  /// What is told before the end.
  let failure: Failure
  /// What is not to be left behind.
  let drafts: [String]
  /// Whether it is still waited for; else whoever reads what is written takes his time.
  var isStuck: @Sendable () -> Bool = { true }

  /// So long who is between two steps may take to notice by himself, and say more.
  static let grace = Duration.milliseconds(500)

  /// Waits for the end from elsewhere, until that is cancelled.
  @discardableResult
  func watch(for patience: Duration) -> Task<Void, Never> {
    Task.detached { [self] in
      try? await Task.sleep(for: patience + Self.grace)
      while !Task.isCancelled, !isStuck() { try? await Task.sleep(for: patience + Self.grace) }
      if !Task.isCancelled { end() }
    }
  }

  private func end() -> Never {
    for draft in drafts { unlink(draft) }
    Leftover.removeAll()
    let bytes = Array((failure.lines.joined(separator: "\n") + "\n").utf8)
    // Standard error itself, and no wait for what the stuck work holds.
    _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    _exit(failure.status.rawValue)
  }
}
