/// What finds broken rules in a session while its visits are followed.
package protocol SessionJudge: Sendable {
  /// The number of the edition of the rules: findings of another edition are computed anew.
  static var edition: Int { get }

  /// Takes in the next event with what was known before.
  mutating func take(_ change: borrowing VisitChange)

  /// Takes in the next event, which is of no controller.
  mutating func pass(_ row: EventRow)

  /// What has become certain since this was asked last.
  ///
  /// - Parameter name: finds the text of a name by its number.
  mutating func drain(naming name: @escaping (Int32) -> String?) -> [FindingRecord]

  /// What would have to be reported if the session ended here, beyond what is certain.
  func findings(
    at endings: [VisitEnding], naming name: @escaping (Int32) -> String?
  ) -> [FindingRecord]
}
