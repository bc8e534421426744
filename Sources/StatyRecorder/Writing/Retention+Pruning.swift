import Foundation
import StatyHistory

extension Retention {
  /// Removes the oldest sessions until what is left is within the limits.
  ///
  /// - Parameter current: the session that records, which is never removed.
  func prune(_ writer: HistoryWriter, keeping current: Int64) throws {
    guard self != Retention() else { return }
    var old = try writer.sessions().filter { $0.id != current && $0.ended != .open }
    let now = Int64(Date().timeIntervalSince1970 * 1_000_000)
    while let oldest = old.first, try isTooMuch(oldest, of: old.count, writer, now) {
      try writer.remove(session: oldest.id)
      old.removeFirst()
    }
  }

  private func isTooMuch(
    _ oldest: SessionRecord, of count: Int, _ writer: HistoryWriter, _ now: Int64
  ) throws -> Bool {
    if let sessions, count + 1 > sessions { return true }
    if let age, now - oldest.wallTime > age.components.seconds * 1_000_000 { return true }
    if let bytes, try writer.usedBytes() > Int64(bytes) { return true }
    return false
  }
}
