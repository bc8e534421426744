import Staty
package import StatyHistory

/// Which controllers a loss may affect.
///
/// A loss says which numbers are missing, not which controllers they belong to. So it may affect
/// every controller that was being recorded at any of these numbers. It does not affect a
/// controller that was attached after the last of them or detached before the first. A controller
/// without an `attached` in the file may have existed from the beginning.
package struct LossReach {
  private enum Span {
    /// Recording goes on; the place is that of the first loss that may affect the controller.
    case open(Int)
    case over
  }

  private let losses: [LossRecord]
  private var spans: [Int32: Span] = [:]

  /// - Parameter losses: those of a session, in order.
  package init(_ losses: [LossRecord]) { self.losses = losses }

  /// The place of the first loss that reaches a number.
  private func place(reaching seq: Int64) -> Int {
    losses.firstIndex { $0.lastSeq >= seq } ?? losses.count
  }

  /// Takes the next event of a session.
  ///
  /// - Returns: the first loss before it that may affect its controller; `nil` if there is none.
  package mutating func take(_ row: EventRow) -> LossRecord? {
    if losses.isEmpty { return nil }
    let kind = EventKind(rawValue: row.kind)
    if kind == .attached {
      spans[row.controller] = .open(place(reaching: row.seq))
    }
    defer { if kind == .detached { spans[row.controller] = .over } }
    guard let first = loss(of: row.controller), first.firstSeq < row.seq else { return nil }
    return first
  }

  /// The first loss among the events taken so far that may affect a controller; `nil` if there is
  /// none.
  package func loss(of controller: Int32) -> LossRecord? {
    switch spans[controller] ?? .open(0) {
    case .open(let place): place < losses.count ? losses[place] : nil
    case .over: nil
    }
  }
}
