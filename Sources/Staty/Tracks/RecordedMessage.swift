/// A message that is recorded with its values, so that a replay can tell it again.
///
/// ```swift
/// enum FeedMessage: RecordedMessage {
///   case opened
///   case loaded(query: String, items: [Item])
/// }
/// ```
///
/// Of 4,096 bytes of JSON at most: what is longer is cut, which the history says, and not replayed.
public protocol RecordedMessage: Codable {
  /// What of its values is recorded; by default all, as they are.
  static var recording: MessageRecording { get }
}

extension RecordedMessage {
  /// By default all values, as they are.
  public static var recording: MessageRecording { .open }
}

/// What is recorded of a message beyond its name.
public enum MessageRecording: Sendable {
  /// All values, as they are.
  case open
  /// A keyed hash, so that equal messages can be recognised within one recording and nowhere else. The
  /// key is never stored. Such a message cannot be replayed.
  case hashed
  /// Only that there was something. Such a message cannot be replayed.
  case omitted
}

extension RecordedMessage {
  /// What of it goes to observers.
  var statePayload: StatePayload {
    switch Self.recording {
    case .open: .open(MessageText.text(of: self))
    case .hashed: .hashed(MessageText.text(of: self))
    case .omitted: .omitted
    }
  }
}
