import Staty

/// For how much of what is said of a session beside its events a checksum vouches.
///
/// The seal is over all of it while it is there and nothing is missing. The checksum of events is over
/// the session and over the controllers to which they happened, too.
struct SalvageVouching {
  /// How much of a controller is as it was stored.
  enum Controller: Comparable {
    case nothing
    /// What it is called.
    case name
    /// And its policy, its fidelity, and where it stood.
    case whole
  }

  let sealed: SalvagedSession.Sealed
  /// Whether the session itself is: which it was, of which app, and when it began.
  private(set) var isSession: Bool
  private var controllers: [Int32: Controller] = [:]
  /// The controllers of which more than three kinds of events were recorded.
  private var tellsMore: Set<Int32> = []

  init(
    _ session: SalvagedSession, _ catalog: SalvagedCatalog, _ tables: SalvagedTables, mends: Int,
    _ budget: MendBudget
  ) {
    sealed = session.sealed
    isSession = sealed != .nothing
    if sealed == .whole { return }
    var events = SalvagedEvents(tables, catalog, session, mends: mends, budget)
    _ = events.forEach { run, _ in
      guard run.verdict == .verified else { return }
      if run.vouchesForSession { isSession = true }
      for row in run.rows {
        let isAttached = row.kind == EventKind.attached.rawValue
        let level = isAttached ? Controller.whole : .name
        if level > controllers[row.controller] ?? .nothing { controllers[row.controller] = level }
        if !Self.threeKinds.contains(row.kind) { tellsMore.insert(row.controller) }
      }
    }
  }

  private static let threeKinds = Set(
    [EventKind.attached, .detached, .enqueued, .entered, .exited].map(\.rawValue))

  /// The fidelity that says least of those that a controller can have had.
  func leastFidelity(of controller: Int32) -> UInt8 { tellsMore.contains(controller) ? 2 : 3 }

  subscript(controller: Int32) -> Controller {
    sealed == .whole ? .whole : controllers[controller] ?? .nothing
  }
}
