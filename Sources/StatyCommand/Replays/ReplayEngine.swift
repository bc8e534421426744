import StatyHistory
import StatyReplay

/// How controllers are made and driven again: the one place of the tool that knows.
struct ReplayEngine {
  /// The kinds of controller that can be made, by the names that recordings have.
  var names: [String] { BuiltInPolicies.names }

  /// Replays a session once.
  ///
  /// - Parameters:
  ///   - last: the number of the event to end with.
  ///   - kind: the kind of controller to replay with instead of the recorded one.
  ///   - controllers: the numbers of those that the result is to be about.
  func replay(
    _ session: SessionRecord, _ reader: HistoryReader, through last: Int64?, with kind: String?,
    about controllers: Set<Int32>
  ) throws -> ReplayResult {
    var verification = try Verification(reader, session: session.id, through: last, with: kind)
    return try verification.run().about(controllers)
  }
}

extension ReplayResult {
  /// The same result as far as it is about these controllers.
  fileprivate func about(_ controllers: Set<Int32>) -> ReplayResult {
    var result = self
    result.divergences.removeAll { !controllers.contains($0.controller) }
    result.doubts.removeAll { doubt in
      DoubtWords(doubt).controller.map { !controllers.contains($0) } ?? false
    }
    return result
  }
}
