/// A message that is recorded with its values, so that a replay can send it again.
///
/// ```swift
/// enum FeedMessage: RecordedMessage {
///   case opened
///   case loaded(query: String, items: [Item])
/// }
/// ```
///
/// What must not be readable is left out, case by case:
///
/// ```swift
/// var recording: MessageRecording {
///   if case .passwordEntered = self { .omitted } else { .open }
/// }
/// ```
///
/// At most 4,096 bytes of JSON are recorded, or what the recorder's options say, and at
/// most 64 levels of nested values. A longer or deeper message is cut and marked in the history, and cannot be replayed: `staty
/// check` says so. Leave what is large out with an `encode(to:)` of the message, which writes
/// identifiers in place of whole items.
public protocol RecordedMessage: Codable {
  /// How the values of this message are recorded; by default ``MessageRecording/open``.
  var recording: MessageRecording { get }
}

extension RecordedMessage {
  /// All values are recorded.
  public var recording: MessageRecording { .open }
}

/// How the values of a message are recorded.
public enum MessageRecording: Sendable {
  /// All values are recorded.
  case open
  /// A keyed hash of the values is recorded. Equal messages have equal hashes only within one
  /// launch, because the key is never stored. Such a message cannot be replayed.
  case hashed
  /// Only the fact that there were values is recorded. Such a message cannot be replayed.
  case omitted
}

extension RecordedMessage {
  /// The payload that observers get.
  fileprivate var statePayload: StatePayload {
    switch recording {
    case .open: .open(MessageText.text(of: self))
    case .hashed: .hashed(MessageText.text(of: self))
    case .omitted: .omitted
    }
  }
}

extension StatePayload {
  /// The payload of a message; none unless it is a ``RecordedMessage``.
  init?<Message>(of message: Message) {
    // To look for a conformance takes as long as a third of an event. So the enumerations that have none are
    // remembered, by their names and a length that no other name has.
    let type = StateName.address(of: Message.self)
    if StateName(cachedAt: type, length: .min) != nil { return nil }
    if let recorded = message as? any RecordedMessage {
      self = recorded.statePayload
    } else {
      if StateName.isEnumeration(Message.self) {
        _ = StateName(cachedAt: type, length: .min) { "\(Message.self)" }
      }
      return nil
    }
  }
}
