/// What recorded events survive after a flush.
public enum FlushLevel: Int, Sendable, Comparable {
  /// A crash: the events are committed to the file.
  case stored = 1
  /// Also a loss of power: the file is synced to the disk.
  case durable

  public static func < (one: FlushLevel, other: FlushLevel) -> Bool {
    one.rawValue < other.rawValue
  }
}
