/// A message that is being handled, for what answers it later.
///
/// `Task { }` inside the handling carries it by itself. A callback does not: there it is kept and handed
/// over.
///
/// ```swift
/// let question = MessageOrigin.current
/// session.dataTask(with: url) { data, _, _ in
///   track.received(Message.loaded(data), answering: question) { … }
/// }
/// ```
// Sendable: a number, and an address that is compared and never followed.
public struct MessageOrigin: @unchecked Sendable {
  /// The message that the calling task handles, or that it was begun in; none outside of any.
  @TaskLocal public static var current: MessageOrigin?

  private let number: DrawnNumber

  init(_ number: DrawnNumber) { self.number = number }

  /// The number of the message's event, if that was drawn from the same numbering as another; else 0.
  func number(beside other: DrawnNumber) -> UInt64 {
    number.isDrawn(with: other) ? number.value : 0
  }
}
