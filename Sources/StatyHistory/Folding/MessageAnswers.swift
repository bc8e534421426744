/// The messages of a track that were answered, remembered to detect stale answers.
struct MessageAnswers: Sendable {
  /// The newest message that was answered, by the answer's name.
  private var newest: [Int32: Int64] = [:]
  /// The current or last handled answer, if a newer message had been answered before; 0 if not.
  private var stale: (seq: Int64, origin: Int64) = (0, 0)

  /// No model has more names; one that makes names without end must not fill the memory.
  private static let mostNames = 256

  /// Notes a received message.
  mutating func take(_ row: EventRow) {
    stale = (0, 0)
    guard row.ownCause != 0 else { return }
    let known = newest[row.state] ?? 0
    if row.ownCause < known {
      stale = (row.seq, row.ownCause)
    } else if newest.count < Self.mostNames || known != 0 {
      newest[row.state] = row.ownCause
    }
  }

  /// The message that a move answers, if the move happens in the handling of a stale answer;
  /// otherwise 0.
  func staleOrigin(of row: EventRow) -> Int64 {
    stale.seq != 0 && row.inside == stale.seq ? stale.origin : 0
  }
}
