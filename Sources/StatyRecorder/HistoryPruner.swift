import LibC
package import StatyHistory

/// Keeps a history within limits, as a recorder would, while no recorder uses it.
///
/// Sessions that have not ended stay: only the next recorder can tell how they ended.
package struct HistoryPruner {
  private let retention: Retention
  private let clock: RecorderClock

  /// What went.
  package struct Summary: Equatable, Sendable {
    /// How many sessions went.
    package var sessions = 0
    /// How many events went.
    package var events: Int64 = 0
    /// How many sessions have not ended and were left alone.
    package var open = 0
  }

  /// A pruner to these limits.
  package init(_ retention: Retention) {
    self.init(retention, clock: RecorderClock())
  }

  package init(_ retention: Retention, clock: RecorderClock) {
    (self.retention, self.clock) = (retention, clock)
  }

  /// Whether none of these sessions would be left, whatever their size; not so if there is none.
  package func leavesNothing(of sessions: [SessionRecord]) -> Bool {
    !sessions.isEmpty && sessions.allSatisfy { retention.leavesNothing(of: $0, clock) }
  }

  /// Prunes the history at `path` where it is, and brings it to the newest schema.
  ///
  /// No recorder can open it meanwhile.
  ///
  /// - Parameter afterwards: does something else with the history before it is given free.
  /// - Throws: `RecorderError` if a recorder uses it, `HistoryError` if it cannot be read or
  ///   written.
  package func prune(at path: String) throws -> Summary {
    let place = try HistoryPlace(path)
    let ring: RingFile
    do {
      ring = try RingFile(opening: place.ringPath, flags: O_RDWR | O_CREAT)
    } catch {
      throw RecorderError(error, path)
    }
    defer {
      // One that was made here, and no ring that a dead process has left.
      if ring.size == 0 { unlink(place.ringPath) }
      ring.unlock()
    }
    let writer = try HistoryWriter(path: place.path)
    let summary = try prune(writer)
    try writer.giveBackAll()
    try writer.close()
    return summary
  }

  /// Prunes a history that no other process uses.
  package func prune(_ writer: HistoryWriter) throws -> Summary {
    let before = try writer.sessions()
    var pruning = Pruning(retention, clock)
    // No session records: 0 is the number of none.
    repeat {
      try pruning.step(writer, current: 0)
    } while pruning.isUnderWay
    try writer.giveBackAll()
    return Summary(from: before, to: try writer.sessions())
  }
}

extension HistoryPruner.Summary {
  fileprivate init(from before: [SessionRecord], to after: [SessionRecord]) {
    self.init()
    let left = Dictionary(uniqueKeysWithValues: after.map { ($0.id, $0) })
    for session in before {
      guard let now = left[session.id] else {
        sessions += 1
        events += session.stored
        continue
      }
      open += now.ended == .open ? 1 : 0
    }
  }
}

extension HistoryWriter {
  /// Makes the file as small as what is in it.
  fileprivate func giveBackAll() throws(HistoryError) {
    // A log that holds the removal would else hold the giving back too.
    try cutLog()
    try giveBack(pages: Int(Int32.max))
    try cutLog()
  }
}
