import Staty

/// The last messages that the user sent to any controller, and those that were passed on in their handling.
///
/// A tap on one model's button may reach another model: that one has no older message which it answers.
struct UserMessages: Sendable {
  /// In the order of their numbers.
  private var messages: [EventRow] = []
  private static let most = 64

  /// Takes a received message.
  ///
  /// - Returns: whether another controller passed it on.
  mutating func passesOn(_ row: EventRow) -> Bool {
    let isUsers = row.inside == 0 && row.ownCause == 0
    let isPassedOn = !isUsers && isFromAnother(row)
    if isUsers || isPassedOn {
      if messages.count == 2 * Self.most { messages.removeFirst(Self.most) }
      messages.append(row)
    }
    return isPassedOn
  }

  private func isFromAnother(_ row: EventRow) -> Bool {
    let cause = row.ownCause != 0 ? row.ownCause : row.inside
    guard let source = messages.last(where: { $0.seq <= cause }), source.seq == cause else {
      return false
    }
    // A task that passes it on later has waited for something.
    return source.controller != row.controller
      && (row.ownCause == 0 || row.time &- source.time < MessageAnswers.beginning)
  }
}
