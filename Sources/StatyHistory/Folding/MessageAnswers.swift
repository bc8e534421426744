/// An answer that changed a track although something else had happened since its question.
package struct LateMove: Sendable {
  /// The event of the change, its visit and its state.
  package var seq: Int64 = 0
  package var visit: UInt32 = 0
  package var state: Int32 = 0
  /// The question; 0 if the answer is not late.
  package var question: Int64 = 0
  /// A newer message: one to which an answer came before, or one of the user's that had changed the
  /// track since.
  package var newer: Int64 = 0
  /// Whether the newer message is a question that was answered before.
  package var isOutOfDate = false
}

/// The messages of a track and their answers, remembered to detect late answers.
struct MessageAnswers: Sendable {
  private struct Message: Sendable {
    let seq: Int64
    let name: Int32
    /// The question that it answers; 0 if it answers none.
    let origin: Int64
    /// Whether the track has changed in its handling.
    var hasChanged = false
    /// Whether it has an answer: it is a question.
    var isAnswered = false
  }

  /// The last messages that were received.
  private var messages: [Message] = []
  /// The newest message that was answered, by the answer's name and by its own.
  private var newestByAnswer: [Int32: Int64] = [:]
  private var newestByMessage: [Int32: Int64] = [:]
  /// The current or last handled answer that is out of date.
  private var outOfDate = (seq: Int64(0), late: LateMove())
  /// The answers behind a message of the user's: if that message is a question, the two only cross.
  private(set) var behindUser: [LateMove] = []

  /// How many messages may come between a message and its answer.
  private static let mostMessages = 64
  /// No model has more names; one that makes names without end must not fill the memory.
  private static let mostNames = 256
  private static let mostBehindUser = 8

  /// Notes a received message.
  mutating func take(_ row: EventRow) {
    outOfDate = (0, LateMove())
    if messages.count == Self.mostMessages { messages.removeFirst(Self.mostMessages / 2) }
    messages.append(Message(seq: row.seq, name: row.state, origin: row.ownCause))
    guard row.ownCause != 0 else { return }
    crosses(row.ownCause)
    answer(to: row.ownCause, named: row.state, at: row.seq)
  }

  /// Notes that a message was answered, which its newer ones may have been before.
  private mutating func answer(to question: Int64, named name: Int32?, at seq: Int64) {
    let message = messages.last { $0.seq == question }?.name
    let newer = max(
      name.flatMap { newestByAnswer[$0] } ?? 0, message.flatMap { newestByMessage[$0] } ?? 0)
    if question < newer {
      outOfDate = (seq, LateMove(question: question, newer: newer, isOutOfDate: true))
    } else {
      if let name { Self.note(question, of: name, in: &newestByAnswer) }
      if let message { Self.note(question, of: message, in: &newestByMessage) }
    }
  }

  private static func note(_ origin: Int64, of name: Int32, in newest: inout [Int32: Int64]) {
    if newest.count < mostNames || newest[name] != nil { newest[name] = origin }
  }

  /// A message has an answer: what came behind it crosses it.
  private mutating func crosses(_ question: Int64) {
    if let place = messages.lastIndex(where: { $0.seq == question }) {
      messages[place].isAnswered = true
    }
    if !behindUser.isEmpty { behindUser.removeAll { $0.newer == question } }
  }

  /// Takes a change of the track; returns whether it follows from an answer that is out of date.
  ///
  /// - Parameter isChange: whether the track shows something else now.
  mutating func move(_ row: EventRow, isChange: Bool) -> LateMove {
    let cause = row.inside != 0 ? row.inside : row.ownCause
    guard cause != 0, let place = messages.lastIndex(where: { $0.seq == cause }) else {
      return LateMove()
    }
    // What an asynchronous call does behind its first change, or behind another message, is an answer
    // to the call itself.
    let isFlow = row.inside == 0 && (messages[place].hasChanged || place < messages.count - 1)
    let question = isFlow ? messages[place].seq : messages[place].origin
    if isFlow {
      crosses(question)
      answer(to: question, named: nil, at: row.seq)
    }
    if isChange { messages[place].hasChanged = true }
    if question == 0 { return LateMove() }
    var late = outOfDate.seq == (isFlow ? row.seq : row.inside) ? outOfDate.late : LateMove()
    if late.question == 0, isChange, let newer = userMessage(since: question) {
      late = LateMove(question: question, newer: newer)
    }
    if late.question == 0 { return late }
    (late.seq, late.visit, late.state) = (row.seq, row.visit, row.state)
    if late.isOutOfDate { return late }
    if behindUser.count == Self.mostBehindUser { behindUser.removeFirst() }
    behindUser.append(late)
    return LateMove()
  }

  /// The last message of the user's that has changed the track since a question.
  private func userMessage(since question: Int64) -> Int64? {
    guard let name = messages.last(where: { $0.seq == question })?.name else { return nil }
    return messages.last {
      $0.seq > question && $0.origin == 0 && $0.hasChanged && !$0.isAnswered && $0.name != name
    }?.seq
  }
}
