import Staty
import StatyHistory

/// Leads from an event to the nearest one of an opaque controller in whose call it happened.
struct Ancestry {
  private typealias Link = CallStack.Link

  private struct Known {
    var seq: Int64 = 0
    /// The nearest of an opaque controller, from where it happened and from where it is heard of.
    var (parent, heardIn) = (Link(), Link())
    var controller: Int32 = 0
    var isOpaque = false
    var isInput = false
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

  private let opaque: Set<Int32>
  private var known = Array(repeating: Known(), count: CallStacks.most)

  /// - Parameter opaque: the controllers whose events can be parents.
  init(opaque: Set<Int32>) {
    self.opaque = opaque
  }

  /// Takes in the next event and in what it happened, and gives its parent.
  mutating func parent(of row: EventRow, _ place: CallStacks.Place) -> Parent {
    let kind = EventKind(rawValue: row.kind)
    // What one of ours did an opaque one in its place does in the handling of what decided it.
    let isDecided = opaque.contains(row.controller) && kind?.side == .output
    // What put off a step is all that is known of it.
    let isNamed = isDecided || kind == .resumed
    let parent = opaque(isNamed ? Link(seq: row.cause, isHeard: row.isHeard) : place.above)
    known[Int(truncatingIfNeeded: row.seq) & (CallStacks.most - 1)] = Known(
      seq: row.seq, parent: opaque(place.above), heardIn: opaque(place.hearing),
      controller: row.controller,
      isOpaque: opaque.contains(row.controller), isInput: kind?.side == .input)
    let told = self[parent.seq]
    return Parent(
      seq: parent.seq, controller: told?.controller ?? 0, isInput: told?.isInput ?? false,
      isHeard: parent.isHeard)
  }

  /// The nearest event of an opaque controller, from here outwards.
  private func opaque(_ link: Link) -> Link {
    guard let one = self[link.seq], !one.isOpaque else { return link }
    return link.isHeard ? one.heardIn : one.parent
  }

  private subscript(seq: Int64) -> Known? {
    let one = known[Int(truncatingIfNeeded: seq) & (CallStacks.most - 1)]
    return seq != 0 && one.seq == seq ? one : nil
  }
}
