import LibC
import StatyHistory

/// Renames a ring that cannot be recovered, because it is damaged or newer, or contradicts the history.
///
/// Otherwise each launch would try it again. The newest three are kept for an examination.
enum UnreadableRing {
  /// Renames the ring, and deletes the oldest.
  ///
  /// - Parameters:
  ///   - ring: the path of the ring. A file that is none stays where it is.
  ///   - path: the path of the history.
  static func setAside(_ ring: String, of path: String) {
    if FlightRing.isOther(at: ring) { return }
    let new = path + HistoryFile.unreadableRingMark + SessionMark.now().uuid
    guard rename(ring, new) == 0 else { return }
    DamagedHistory.removeOldest(of: path, HistoryFile.unreadableRingMark, but: new)
  }
}
