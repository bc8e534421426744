import Staty
package import StatyHistory

/// Which controllers a loss can concern.
///
/// A loss says which numbers are missing, and not whose they were. So it can concern every controller
/// whose recording was going on at any of them: not one that was attached after the last of the
/// numbers, nor one that was detached before the first. One whose `attached` is not in the file may
/// have been there from the beginning.
package struct LossReach {
  private enum Span {
    /// It goes on; the first loss that can concern it has this place.
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

  /// Takes in the next event of a session.
  ///
  /// - Returns: the first loss that can concern its controller and lies before it; `nil` if none does.
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

  /// The first loss that can concern a controller, as far as the session was gone through; `nil` if
  /// none can.
  package func loss(of controller: Int32) -> LossRecord? {
    switch spans[controller] ?? .open(0) {
    case .open(let place): place < losses.count ? losses[place] : nil
    case .over: nil
    }
  }
}
