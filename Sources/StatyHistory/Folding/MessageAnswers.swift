/// The messages of a track that were answered, remembered to detect stale answers.
struct MessageAnswers: Sendable {
  /// The last messages that were received.
  private var messages: [(seq: Int64, name: Int32)] = []
  /// The newest message that was answered, by the answer's name and by its own.
  private var newestByAnswer: [Int32: Int64] = [:]
  private var newestByMessage: [Int32: Int64] = [:]
  /// The current or last handled answer, the message that it answers, and a newer one that had been
  /// answered before; zeros if there is none.
  private var stale: (seq: Int64, origin: Int64, newer: Int64) = (0, 0, 0)

  /// How many messages may come between a message and its answer.
  private static let mostMessages = 64
  /// No model has more names; one that makes names without end must not fill the memory.
  private static let mostNames = 256

  /// Notes a received message.
  mutating func take(_ row: EventRow) {
    stale = (0, 0, 0)
    if messages.count == Self.mostMessages { messages.removeFirst(Self.mostMessages / 2) }
    messages.append((row.seq, row.state))
    let origin = row.ownCause
    guard origin != 0 else { return }
    let message = messages.last { $0.seq == origin }?.name
    let newer = max(
      newestByAnswer[row.state] ?? 0, message.flatMap { newestByMessage[$0] } ?? 0)
    if origin < newer {
      stale = (row.seq, origin, newer)
    } else {
      Self.note(origin, of: row.state, in: &newestByAnswer)
      if let message { Self.note(origin, of: message, in: &newestByMessage) }
    }
  }

  private static func note(_ origin: Int64, of name: Int32, in newest: inout [Int32: Int64]) {
    if newest.count < mostNames || newest[name] != nil { newest[name] = origin }
  }

  /// The message that a move answers and a newer one that had been answered before, if the move
  /// happens in the handling of a stale answer; otherwise zeros.
  func stale(in row: EventRow) -> (origin: Int64, newer: Int64) {
    stale.seq != 0 && row.inside == stale.seq ? (stale.origin, stale.newer) : (0, 0)
  }
}
