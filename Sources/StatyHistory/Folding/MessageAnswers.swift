/// An answer that changed a track although a message of the user's had changed it since its question.
package struct LateMove: Sendable {
  /// The event of the change, its visit and its state.
  package let seq: Int64
  package let visit: UInt32
  package let state: Int32
  package let question: Int64
  /// The user's message.
  package let newer: Int64
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
  /// The current or last handled answer, the question that it answers, and a newer one that had been
  /// answered before; zeros if there is none.
  private var outOfDate: (seq: Int64, question: Int64, newer: Int64) = (0, 0, 0)
  /// The answers behind a message of the user's: if that message is a question, the two only cross.
  private(set) var behindUser: [LateMove] = []

  /// How many messages may come between a message and its answer.
  private static let mostMessages = 64
  /// No model has more names; one that makes names without end must not fill the memory.
  private static let mostNames = 256
  private static let mostBehindUser = 8

  /// Notes a received message.
  mutating func take(_ row: EventRow) {
    outOfDate = (0, 0, 0)
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
      outOfDate = (seq, question, newer)
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

  /// Takes a change of the track.
  ///
  /// - Parameter isChange: whether the track shows something else now.
  /// - Returns: the question that it answers and a newer one that had been answered before, if the
  ///   answer is out of date; otherwise zeros.
  mutating func move(_ row: EventRow, isChange: Bool) -> (question: Int64, newer: Int64) {
    let cause = row.inside != 0 ? row.inside : row.ownCause
    guard cause != 0, let place = messages.lastIndex(where: { $0.seq == cause }) else {
      return (0, 0)
    }
    // What an asynchronous call does behind its first change, or behind another message, is an answer
    // to the call itself.
    let isFlow = row.inside == 0 && (messages[place].hasChanged || place < messages.count - 1)
    let question = isFlow ? cause : messages[place].origin
    if isFlow {
      crosses(question)
      answer(to: question, named: nil, at: row.seq)
    }
    if isChange { messages[place].hasChanged = true }
    if question == 0 { return (0, 0) }
    if outOfDate.seq == (isFlow ? row.seq : cause) { return (outOfDate.question, outOfDate.newer) }
    if isChange, let newer = userMessage(since: question) {
      if behindUser.count == Self.mostBehindUser { behindUser.removeFirst() }
      behindUser.append(
        LateMove(
          seq: row.seq, visit: row.visit, state: row.state, question: question, newer: newer))
    }
    return (0, 0)
  }

  /// The last message of the user's that has changed the track since a question.
  private func userMessage(since question: Int64) -> Int64? {
    guard let name = messages.last(where: { $0.seq == question })?.name else { return nil }
    return messages.last {
      $0.seq > question && $0.origin == 0 && $0.hasChanged && !$0.isAnswered && $0.name != name
    }?.seq
  }
}
