import Staty
import StatyHistory
import StatyRules

extension FindingKey {
  /// The message at which a track moved last in a run.
  static func message(ofMoveAt track: Int32, in run: ScheduleRun) -> Int? {
    let move = run.log.rows.last {
      $0.controller == track && $0.kind == EventKind.moved.rawValue
    }
    return move.flatMap { message(ofMove: $0.seq, in: run) }
  }

  /// The message at which a track made a move of a run.
  static func message(ofMove seq: Int64, in run: ScheduleRun) -> Int? {
    message(ofMove: seq) {
      run.log.row($0)
    } told: {
      run.messages.id(at: $0)
    }
  }

  /// What was found in a run.
  init(_ finding: Finding, in run: ScheduleRun) {
    self.init(finding, message: Self.message(ofMove: finding.seq, in: run)) {
      run.request(of: $0, controller: finding.controller)
    } name: {
      run.names[$0]
    }
  }

  /// Whether a finding of a run has this key.
  func matches(_ finding: Finding, in run: ScheduleRun) -> Bool {
    // Most findings are of another rule or controller.
    finding.code == code && finding.controller == controller
      && FindingKey(finding, in: run) == self
  }
}
