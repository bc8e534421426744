import Staty
import StatyHistory

/// Knows of the latest events what they happened in, on the stack.
///
/// A cause says in whose handling something was decided. With an opaque controller that is where it
/// was done. Ours performs its decisions one after the other: one that was made further in is
/// performed further out, in the call of whatever set the controller to work, and what happens
/// inside of it lies on the stack there.
///
/// What a controller makes while it tells observers of something reaches them when that one has
/// reached all of them: further out than it was made. What observers do then lies on the stack there.
struct CallNesting {
  /// An event that another happened in.
  struct Link {
    var seq: Int64 = 0
    /// Whether that was when observers were told of it.
    var isHeard = false
  }

  private struct Known {
    var seq: Int64 = 0
    /// What it happened in, on the stack.
    var above = Link()
    /// What its observers are told of it in: if that is done later, the event that its controller was
    /// telling them of when it was made.
    var hearing = Link()
    var controller: Int32 = 0
    /// Whether observers are told something on the stack.
    var isInHearing = false
    /// Whether its observers are told of it later.
    var isLate = false
    /// Whether it may have happened in anything.
    var isAnywhere = false
  }

  /// So far back events are remembered; a power of two.
  static let most = 8_192
  private let performing: Set<Int32>
  private var known = Array(repeating: Known(), count: most)

  /// - Parameter performing: the controllers that were recorded from one of ours.
  init(performing: Set<Int32>) {
    self.performing = performing
  }

  /// Takes in the next event.
  ///
  /// - Returns: what it happened in, and what its observers are told of it in.
  @discardableResult
  mutating func take(_ row: EventRow) -> (above: Link, hearing: Link) {
    var one = Known(seq: row.seq, controller: row.controller)
    let kind = EventKind(rawValue: row.kind)
    let isOurs = performing.contains(row.controller)
    // A step that was put off names what put it off. That of ours names where it was bound.
    one.isAnywhere = kind == .resumed && !isOurs
    if isOurs, kind?.side == .output {
      one.above = Link(seq: whatSetToWork(row.controller, row.cause))
    } else if !one.isAnywhere {
      one.above = Link(seq: row.cause, isHeard: row.isHeard)
    }
    one.isInHearing = one.above.isHeard || self[one.above.seq]?.isInHearing ?? false
    one.hearing = one.above
    if let delivery = delivery(of: row.controller, around: one.above) {
      (one.hearing, one.isLate) = (delivery, true)
    }
    known[Int(truncatingIfNeeded: row.seq) & (Self.most - 1)] = one
    return (one.above, one.hearing)
  }

  /// Whether a controller is at work, or tells its observers something, around what happens here.
  ///
  /// - Returns: `nil` if that is not known; of what lies too far back to know it is said that it is.
  func isAtWork(_ controller: Int32, around innermost: Link) -> Bool? {
    var link = innermost
    while link.seq != 0 {
      guard let one = self[link.seq] else { return true }
      if one.controller == controller { return true }
      if one.isAnywhere { return nil }
      guard let outer = outer(link, one) else { return true }
      link = outer
    }
    return false
  }

  /// Where a controller tells observers of its events that is doing so on the stack.
  private func delivery(of controller: Int32, around innermost: Link) -> Link? {
    var link = innermost
    while let one = self[link.seq], link.isHeard || one.isInHearing {
      if link.isHeard, one.controller == controller { return one.isLate ? one.hearing : link }
      guard let outer = outer(link, one) else { break }
      link = outer
    }
    return nil
  }

  /// The outermost event of a controller among those that an event happened in.
  private func whatSetToWork(_ controller: Int32, _ cause: Int64) -> Int64 {
    var outermost = cause
    var link = Link(seq: cause)
    while let one = self[link.seq] {
      if one.controller == controller { outermost = link.seq }
      guard let outer = outer(link, one) else { break }
      link = outer
    }
    return outermost
  }

  /// What an event, or the telling of it, lies in on the stack.
  private func outer(_ link: Link, _ one: Known) -> Link? {
    let outer = link.isHeard ? one.hearing : one.above
    // What something happened in comes before it, whatever a damaged file says.
    return outer.seq < link.seq ? outer : nil
  }

  private subscript(seq: Int64) -> Known? {
    let one = known[Int(truncatingIfNeeded: seq) & (Self.most - 1)]
    return seq != 0 && one.seq == seq ? one : nil
  }
}
