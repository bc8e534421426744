/// Identifies a message, so that a later message can be recorded as its answer.
///
/// A `Task { }` that is started in the handling carries it automatically. For a callback, keep it
/// and pass it:
///
/// ```swift
/// let question = MessageOrigin.current
/// session.dataTask(with: url) { data, _, _ in
///   track.received(Message.loaded(data), answering: question) { … }
/// }
/// ```
// Sendable: a number, and an address that is compared and never dereferenced.
public struct MessageOrigin: @unchecked Sendable {
  /// The message that the current task handles or was started in; `nil` if there is none.
  @TaskLocal public static var current: MessageOrigin?

  private let number: DrawnNumber

  init(_ number: DrawnNumber) { self.number = number }

  /// The number of the message's event; 0 if it comes from another numbering than a given number.
  func number(beside other: DrawnNumber) -> UInt64 {
    number.isDrawn(with: other) ? number.value : 0
  }
}
