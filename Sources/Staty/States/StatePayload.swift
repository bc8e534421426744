/// What a state carries beyond its name, if it wants that recorded.
///
/// Nothing is recorded of a state unless it says so. What must not be seen is taken out before
/// it is handed to a recorder's memory, so that it never reaches a disk.
public enum StatePayload: Hashable, Sendable {
  /// Recorded as it is.
  case open(String)
  /// Recorded as a keyed hash, so that equal payloads can be recognised within one recording and
  /// nowhere else. The key is never stored.
  case hashed(String)
  /// Only that there was one is recorded.
  case omitted
}
