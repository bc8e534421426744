package import StatyHistory

extension Sequence<Finding> {
  /// Those that hold although not all is known of a session.
  ///
  /// - Parameters:
  ///   - isComplete: whether it is there from its beginning to its end.
  ///   - controllers: its controllers; of some it may not be known how they decide.
  package func certain(
    isComplete: Bool, _ controllers: [ControllerRecord]
  ) -> [Finding] {
    // Whose turn it was nobody can say without knowing whose turn it is when.
    let ofTurns: Set<RuleCode> = [.overlap, .outOfOrder, .neverEntered]
    // And what somebody never did they may have done in another part.
    let ofEnds: Set<RuleCode> = [.neverEntered, .neverArrived, .neverExited]
    let strangers = Set(controllers.filter(\.isStranger).map(\.id))
    return filter {
      (isComplete || !ofEnds.contains($0.code))
        && (!strangers.contains($0.controller) || !ofTurns.contains($0.code))
    }
  }
}
