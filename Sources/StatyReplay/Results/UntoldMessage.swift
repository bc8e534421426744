/// Why a recorded message cannot be told again.
public enum UntoldMessage: Hashable, Sendable {
  /// Only a hash of it was recorded.
  case hashed
  /// Its type says that its values are not recorded.
  case omitted
  /// It was longer than the limit for messages.
  case cut
  /// There was no room for it in the recorder's memory.
  case leftOut
  /// It could not be encoded when it was recorded; the reason is the encoder's.
  case notEncoded(String)
  /// The type that the registry names does not decode it; the text names the type and the decoder's
  /// reason.
  case notDecoded(String)
  /// The registry does not say how a message of this name is told.
  case unknown
}

extension UntoldMessage {
  /// The reason in words, without a full stop.
  package var reason: String {
    switch self {
    case .hashed: "only a hash of it was recorded"
    case .omitted: "its values were not recorded, by rule of its type"
    case .cut: "it was longer or deeper than what is recorded of a message"
    case .leftOut: "there was no room for its values when it was recorded"
    case .notEncoded(let why): "it could not be encoded when it was recorded (\(why))"
    case .notDecoded(let why): "its values do not decode \(why)"
    case .unknown: "the registry does not say how it is told"
    }
  }

  /// What to do about it.
  package func advice(_ name: String) -> String {
    switch self {
    case .hashed, .omitted:
      "Record the values openly in a debug build: `var recording: MessageRecording { .open }`. "
        + "Or let the subject in the registry tell another in its place: "
        + "`.receiving(\"\(name)\") { … }`."
    case .cut: "Keep what is large out of the message, such as by encoding an identifier of it."
    case .leftOut: "Record with more room: `RecorderOptions.eventsPerThread`."
    case .notEncoded: "Look at the `encode(to:)` of the message's type."
    case .notDecoded:
      "Name the type that was recorded in the registry, replay with the app's version that recorded "
        + "it, or let the message's `init(from:)` read the "
        + "older form, too. If a case was renamed: `registry.rename(\"\(name)\", to: …)`."
    case .unknown:
      "Make the message's type a `RecordedMessage` and record again, or add "
        + "`.receiving(\"\(name)\") { … }` to the subject in the registry."
    }
  }
}
