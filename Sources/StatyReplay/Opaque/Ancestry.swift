import Staty
import StatyHistory

/// Leads from an event to the nearest one of an opaque controller in whose call it happened.
///
/// A cause says in whose handling something was decided. With an opaque controller that is where it
/// was done. Ours performs its decisions one after the other: one that was made further in is
/// performed further out, in the call of whatever set the controller to work, and what happens
/// inside of it lies on the stack there.
struct Ancestry {
  /// An event that another happened in.
  private struct Link {
    var seq: Int64 = 0
    /// Whether that was when observers were told of it.
    var isHeard = false
  }

  private struct Known {
    var seq: Int64 = 0
    /// What it happened in, on the stack.
    var above = Link()
    /// What its observers are told of it in: something else where that is done later.
    var hearing = Link()
    /// The nearest of an opaque controller, from there.
    var (parent, heardIn) = (Link(), Link())
    var controller: Int32 = 0
    var isOpaque = false
    var isInput = false
    /// Whether observers are told something on the stack.
    var isInHearing = false
  }

  /// The event of an opaque controller in whose call another happened.
  struct Parent {
    /// Its number; 0 if there is none.
    let seq: Int64
    /// Whose it is; 0 if that is not known.
    let controller: Int32
    /// Whether that controller was told it.
    let isInput: Bool
    /// Whether the other happened when observers were told of it, and not in its handling.
    let isHeard: Bool
  }

  /// So far back events are remembered; a power of two.
  private static let most = 8_192
  private let opaque: Set<Int32>
  private let performing: Set<Int32>
  private var known = Array(repeating: Known(), count: most)

  /// - Parameters:
  ///   - opaque: the controllers whose events can be parents.
  ///   - performing: those that were recorded from a controller of ours.
  init(opaque: Set<Int32>, performing: Set<Int32>) {
    self.opaque = opaque
    self.performing = performing
  }

  /// Takes in the next event, and gives its parent.
  mutating func parent(of row: EventRow) -> Parent {
    var above = Link(seq: row.cause, isHeard: row.isHeard)
    let kind = EventKind(rawValue: row.kind)
    if performing.contains(row.controller), kind?.side == .output {
      above = Link(seq: whatSetToWork(row.controller, row.cause))
    }
    let parent = opaque(above)
    note(row, kind, kind == .resumed ? Link() : above)
    let told = self[parent.seq]
    return Parent(
      seq: parent.seq, controller: told?.controller ?? 0, isInput: told?.isInput ?? false,
      isHeard: parent.isHeard)
  }

  private mutating func note(_ row: EventRow, _ kind: EventKind?, _ above: Link) {
    let hearing = delivery(of: row.controller, around: above) ?? above
    known[Int(truncatingIfNeeded: row.seq) & (Self.most - 1)] = Known(
      seq: row.seq, above: above, hearing: hearing, parent: opaque(above),
      heardIn: opaque(hearing), controller: row.controller,
      isOpaque: opaque.contains(row.controller), isInput: kind?.side == .input,
      isInHearing: above.isHeard || self[above.seq]?.isInHearing ?? false)
  }

  /// The nearest event of an opaque controller, from here outwards.
  private func opaque(_ link: Link) -> Link {
    guard let one = self[link.seq], !one.isOpaque else { return link }
    return link.isHeard ? one.heardIn : one.parent
  }

  /// Where a controller delivers its events that is doing so on the stack: what it makes meanwhile
  /// reaches observers there.
  private func delivery(of controller: Int32, around innermost: Link) -> Link? {
    var link = innermost
    while let one = self[link.seq], link.isHeard || one.isInHearing {
      if link.isHeard, one.controller == controller { return one.hearing }
      guard let outer = outer(link, one) else { break }
      link = outer
    }
    return nil
  }

  /// What an event, or its delivery, lies in on the stack.
  private func outer(_ link: Link, _ one: Known) -> Link? {
    let outer = link.isHeard ? one.hearing : one.above
    // What something happened in comes before it, whatever a damaged file says.
    return outer.seq < link.seq ? outer : nil
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

  private subscript(seq: Int64) -> Known? {
    let one = known[Int(truncatingIfNeeded: seq) & (Self.most - 1)]
    return seq != 0 && one.seq == seq ? one : nil
  }
}
