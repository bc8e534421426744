/// What finds broken rules in a session while its visits are followed.
package protocol SessionJudge: Sendable {
  /// The number of the edition of the rules: findings of another edition are computed anew.
  static var edition: Int { get }

  /// Takes in the next event, and what was known of its visit before, if it is one of a controller.
  mutating func take(_ row: EventRow, _ change: VisitChange?)

  /// What has become certain since this was asked last.
  ///
  /// - Parameter name: finds the text of a name by its number.
  mutating func drain(naming name: @escaping (Int32) -> String?) -> [FindingRecord]

  /// What would have to be reported if the session ended here, beyond what is certain.
  func findings(
    at endings: [VisitEnding], naming name: @escaping (Int32) -> String?
  ) -> [FindingRecord]
}
