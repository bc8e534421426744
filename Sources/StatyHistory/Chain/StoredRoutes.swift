package import StatySQLite

extension Connection {
  /// Whether the rows of declared transitions are those of the snapshots, which checksums cover.
  package func holdsRoutes(of session: Int64) throws -> Bool {
    for controller in try controllers(session: session) {
      let declared = controller.routes
      let rows = try prepare("SELECT is_routed FROM controller WHERE id = ?1", Int64(controller.id))
      guard try rows.step(), rows.int64(at: 0) == (declared == nil ? 0 : 1) else { return false }
      let hashes = (declared ?? []).map { route in
        ContentHash.fold(
          ContentHash.text(route.to),
          route.isAnywhere == true ? .max : route.from.map(ContentHash.text) ?? 0)
      }
      if try Set(hashes) != storedRoutes(of: controller.id) { return false }
    }
    return true
  }

  private func storedRoutes(of controller: Int32) throws -> Set<UInt64>? {
    let rows = try prepare(
      """
      SELECT t.text, r."from", f.text FROM route r
      LEFT JOIN name t ON t.id = r."to" LEFT JOIN name f ON f.id = r."from"
      WHERE r.controller = ?1
      """, Int64(controller))
    var hashes: Set<UInt64> = []
    while try rows.step() {
      guard let to = try rows.string(at: 0) else { return nil }
      let from: UInt64
      switch rows.int64(at: 1) {
      case -1: from = .max
      case 0: from = 0
      default:
        guard let name = try rows.string(at: 2) else { return nil }
        from = ContentHash.text(name)
      }
      let isNew = hashes.insert(ContentHash.fold(ContentHash.text(to), from)).inserted
      if !isNew { return nil }
    }
    return hashes
  }
}
