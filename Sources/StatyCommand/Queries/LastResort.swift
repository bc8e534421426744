import LibC
import StatySQLite

/// Ends the process when its time is over and it does not end by itself, because SQLite does not
/// return or the output is not read.
struct LastResort {
  /// The failure that is reported before the end.
  let failure: Failure
  /// The files to remove.
  let drafts: [String]
  /// Whether the work is stuck; otherwise only the reader of the output is slow.
  var isStuck: @Sendable () -> Bool = { true }

  /// How long the work may take to notice the end by itself, and report more.
  static let grace = Duration.milliseconds(500)

  /// Waits on another thread for the end, until it is cancelled.
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
    // Directly to standard error: it must not wait for locks of the stuck work.
    _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    _exit(failure.status.rawValue)
  }
}
