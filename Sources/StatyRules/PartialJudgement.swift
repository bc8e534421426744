package import StatyHistory

extension Sequence<Finding> {
  /// The findings that are certain although a session is not completely known.
  ///
  /// - Parameters:
  ///   - isComplete: whether the session is there from its beginning to its end.
  ///   - controllers: the session's controllers. The discipline of some may be unknown.
  package func certain(
    isComplete: Bool, _ controllers: [ControllerRecord]
  ) -> [Finding] {
    // Without the discipline, the right order of visits is unknown.
    let ofTurns: Set<RuleCode> = [.overlap, .outOfOrder, .neverEntered]
    // What never happens in this part may happen in another part.
    let ofEnds: Set<RuleCode> = [.neverEntered, .neverArrived, .neverExited]
    let strangers = Set(controllers.filter(\.isStranger).map(\.id))
    return filter {
      (isComplete || !ofEnds.contains($0.code))
        && (!strangers.contains($0.controller) || !ofTurns.contains($0.code))
    }
  }
}
