import Staty
import StatyHistory

/// Who is on the stage of each controller: told to come in, and not out.
struct Stages {
  private var standing: [Int32: Set<UInt32>] = [:]

  /// Something happened to a visit.
  mutating func follow(_ kind: EventKind, _ key: VisitKey) {
    switch kind {
    case .entering: standing[key.controller, default: []].insert(key.visit)
    case .exited, .discarded: standing[key.controller]?.remove(key.visit)
    default: break
    }
  }

  /// Who is on the stage beside this visit.
  func others(than key: VisitKey) -> Set<UInt32> {
    guard let visits = standing[key.controller], visits != [key.visit] else { return [] }
    return visits.subtracting([key.visit])
  }
}
