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

extension StatePayload {
  /// A value recorded as JSON.
  ///
  /// ```swift
  /// var payload: StatePayload? { .open(json: order) }
  /// ```
  ///
  /// Of 4,096 bytes at most: a longer one is cut and begins with `cut:`.
  public static func open(json value: some Encodable) -> StatePayload {
    .open(MessageText.text(of: value))
  }

  /// A keyed hash of a value; values with the same JSON have the same hash within one recording.
  public static func hashed(json value: some Encodable) -> StatePayload {
    .hashed(MessageText.text(of: value))
  }
}
