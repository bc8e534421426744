/// How safe a flush is to make things.
public enum FlushLevel: Int, Sendable, Comparable {
  /// Committed: survives the end of the app, however it comes.
  case stored = 1
  /// Synced: survives a loss of power too.
  case durable

  public static func < (one: FlushLevel, other: FlushLevel) -> Bool {
    one.rawValue < other.rawValue
  }
}
