import Staty
import StatyHistory

/// A visit, named by its number and that of its controller in a file.
struct VisitKey: Hashable {
  let controller: Int32
  let visit: UInt32
}

/// The visits of each controller that were told to enter and have not exited.
struct StageVisits {
  private var visits: [Int32: Set<UInt32>] = [:]

  /// Notes an event of a visit.
  mutating func follow(_ kind: EventKind, _ visit: UInt32, of controller: Int32) {
    switch kind {
    case .entering: visits[controller, default: []].insert(visit)
    case .exited, .discarded: visits[controller]?.remove(visit)
    default: break
    }
  }

  /// Whether no other visit of the controller is on the stage.
  func isFree(for visit: UInt32, of controller: Int32) -> Bool {
    visits[controller]?.subtracting([visit]).isEmpty ?? true
  }
}
