import LibC
package import StatyHistory

/// Prunes a history like a recorder, while no recorder uses it.
///
/// Sessions that have not ended stay, because only the next recorder can find out how they ended.
package struct HistoryPruner {
  private let retention: Retention
  private let clock: RecorderClock

  /// What was deleted.
  package struct Summary: Equatable, Sendable {
    /// The number of deleted sessions.
    package var sessions = 0
    /// The number of deleted events.
    package var events: Int64 = 0
    /// The number of sessions that stay because they have not ended.
    package var open = 0
    /// Whether the newest session alone is larger than the limit.
    package var isTooLarge = false
  }

  /// Creates a pruner with these limits.
  package init(_ retention: Retention, clock: RecorderClock = RecorderClock()) {
    (self.retention, self.clock) = (retention, clock)
  }

  /// Whether all of these sessions would be deleted, whatever their size; false if there is none.
  package func leavesNothing(of sessions: [SessionRecord]) -> Bool {
    !sessions.isEmpty && retention.leavesNothing(of: sessions, clock)
  }

  /// Prunes the history at `path` in place, and migrates it to the newest schema.
  ///
  /// No recorder can open it at the same time.
  ///
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
      // Only the file that was created above, not the ring of a killed process.
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
    // 0: there is no recording session.
    repeat {
      try pruning.step(writer, current: 0)
    } while pruning.isUnderWay
    try writer.removeUnused()
    try writer.giveBackAll()
    var summary = Summary(from: before, to: try writer.sessions())
    summary.isTooLarge =
      try writer.sessions().count == 1
      && retention.bytes.map { try writer.usedBytes() > $0 } ?? false
    return summary
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
  /// Gives all free pages back to the file system.
  fileprivate func giveBackAll() throws(HistoryError) {
    // Otherwise the pages stay in the write-ahead log, and the file does not become smaller.
    try cutLog()
    try giveBack(pages: Int(Int32.max))
    try cutLog()
  }
}
