import StatyHistory
import StatyRules

/// The controller of a history that broke a rule first: the one that a test is written of.
struct GuiltyController {
  let session: SessionRecord
  let controller: ControllerRecord

  /// None if no rule is broken; warnings are no more than that.
  init?(_ sessions: [SessionRecord], _ choice: SessionChoice, _ reader: HistoryReader) throws {
    for session in sessions {
      let controllers = try reader.controllers(session: session.id)
      for finding in try HistoryCheck(reader).session(session.id).findings {
        let controller = controllers.first { $0.id == finding.controller }
        guard finding.severity == .error, let controller, choice.means(controller) else { continue }
        self.session = session
        self.controller = controller
        return
      }
    }
    return nil
  }
}
