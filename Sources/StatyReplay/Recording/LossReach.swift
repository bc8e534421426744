import Staty
package import StatyHistory

/// Which controllers a loss may affect.
///
/// A loss says which numbers are missing, not which controllers they belong to. So it may affect
/// every controller that was being recorded at any of these numbers. It does not affect a
/// controller that was attached after the last of them or detached before the first. A controller
/// without an `attached` in the file may have existed from the beginning.
package struct LossReach {
  private let losses: [LossRecord]
  /// The place of the first loss that may affect a controller, for each that was attached.
  private var places: [Int32: Int] = [:]

  /// - Parameter losses: those of a session, in order.
  package init(_ losses: [LossRecord]) { self.losses = losses }

  /// Takes the next event of a session.
  ///
  /// - Returns: the first loss before it that may affect its controller; `nil` if there is none.
  package mutating func take(_ row: EventRow) -> LossRecord? {
    if losses.isEmpty { return nil }
    let kind = EventKind(rawValue: row.kind)
    if kind == .attached, places[row.controller] == nil || loss(of: row.controller) == nil {
      places[row.controller] =
        losses.firstIndex { $0.lastSeq >= row.seq } ?? losses.count
    }
    defer { if kind == .detached { places[row.controller] = losses.count } }
    guard let first = loss(of: row.controller), first.firstSeq < row.seq else { return nil }
    return first
  }

  /// The first loss that may affect a controller, after the events taken so far; `nil` if there is
  /// none.
  package func loss(of controller: Int32) -> LossRecord? {
    losses.dropFirst(places[controller] ?? 0).first
  }

  /// Whether a controller was attached by now.
  func hasBegun(_ controller: Int32) -> Bool { places[controller] != nil }
}
