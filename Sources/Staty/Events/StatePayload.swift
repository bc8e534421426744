/// Data that is recorded with the name of a state or a message.
///
/// Without a payload, only the name is recorded. Hashing and omitting happen before the data
/// reaches the recorder's memory, so the original data is never written to disk.
public enum StatePayload: Hashable, Sendable {
  /// The text is recorded.
  case open(String)
  /// A keyed hash of the text is recorded. Equal payloads have equal hashes only within one
  /// launch, because the key is never stored.
  case hashed(String)
  /// Only the fact that there was a payload is recorded.
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

  /// A keyed hash of a value; values with the same JSON have the same hash within one launch.
  public static func hashed(json value: some Encodable) -> StatePayload {
    .hashed(MessageText.text(of: value))
  }
}
