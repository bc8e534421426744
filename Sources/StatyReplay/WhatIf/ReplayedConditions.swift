import Staty
package import StatyHistory
import StatyReading
package import StatyRules

/// The conditions of an app's own that do not hold when a recording is played as it was recorded.
///
/// The recording itself does not know them.
package enum ReplayedConditions {
  /// - Parameters:
  ///   - session: the number of the session.
  ///   - only: the numbers of the controllers to play.
  package static func broken(
    _ reader: HistoryReader, session: Int64, only: Set<Int32>, registry: ControllerRegistry
  ) throws -> [Finding] {
    try WhatIf(reader, session: session, only: only, registry: registry).run().findings.filter {
      $0.code == .invariant
    }
  }
}
