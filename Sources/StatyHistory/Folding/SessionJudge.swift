/// Finds broken rules in a session while its visits are followed.
package protocol SessionJudge: Sendable {
  /// The edition of the rules: findings of another edition are computed anew.
  static var edition: Int { get }

  /// Takes the next event, with what was known before it.
  mutating func take(_ change: borrowing VisitChange)

  /// Takes the next event, which belongs to no controller.
  mutating func pass(_ row: EventRow)

  /// The findings that have become certain since the last call.
  ///
  /// - Parameter name: finds the text of a name by its number.
  mutating func drain(naming name: @escaping (Int32) -> String?) -> [FindingRecord]

  /// The further findings if the session ended here.
  func findings(
    at ending: SessionEnding, naming name: @escaping (Int32) -> String?
  ) -> [FindingRecord]
}
