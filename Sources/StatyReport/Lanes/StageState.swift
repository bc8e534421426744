import Staty
import StatyHistory

/// Whether a controller lets anybody in.
struct StageState: Sendable {
  /// Whether enters are held back.
  private(set) var isWithholding = false
  /// Whether nothing enters any more.
  private(set) var isTornDown = false

  init(_ snapshot: SnapshotRecord?) {
    (isWithholding, isTornDown) = (snapshot?.isWithholding ?? false, snapshot?.isTornDown ?? false)
  }

  /// Takes in what an event says of it.
  mutating func hear(_ row: EventRow) {
    switch EventKind(rawValue: row.kind) {
    case .resumed, .entering, .entered: isWithholding = false
    case .cancelled where row.reason == EventReason.cancelledTearDown.code: isTornDown = true
    default: break
    }
  }
}

extension SnapshotRecord {
  /// Those who are open where a controller stood, each with how far it was.
  ///
  /// Who has left stands there as the last one, and is not on the stage any more.
  var open: [(request: Request, phase: LanePhase)] {
    let staged = standing.compactMap { request in
      request.phase.flatMap { LanePhase($0) }.map { (request, $0) }
    }
    return (staged + waiting.map { ($0, .pending) }).filter { $0.0.visit != 0 }
  }
}
