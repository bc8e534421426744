import Staty
import StatyHistory

/// Leads from an event to the nearest one of an opaque controller in whose call it happened.
///
/// A cause says in whose handling something was decided. With an opaque controller that is where it
/// was done. Ours performs its decisions one after the other: one that was made further in is
/// performed further out, in the call of whatever set the controller to work, and what happens
/// inside of it lies on the stack there.
struct Ancestry {
  private struct Known {
    var seq: Int64 = 0
    /// What it happened in, on the stack.
    var above: Int64 = 0
    var parent: Int64 = 0
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
    var above = row.cause
    let kind = EventKind(rawValue: row.kind)
    if performing.contains(row.controller), kind?.side == .output {
      above = whatSetToWork(row.controller, row.cause)
    }
    let one = self[above]
    let parent = one.map { $0.isOpaque ? above : $0.parent } ?? above
    known[Int(truncatingIfNeeded: row.seq) & (Self.most - 1)] = Known(
      seq: row.seq, above: kind == .resumed ? 0 : above, parent: kind == .resumed ? 0 : parent,
      controller: row.controller, isOpaque: opaque.contains(row.controller),
      isInput: kind?.side == .input)
    let told = self[parent]
    return Parent(
      seq: parent, controller: told?.controller ?? 0, isInput: told?.isInput ?? false)
  }

  /// The outermost event of a controller among those that an event happened in.
  private func whatSetToWork(_ controller: Int32, _ cause: Int64) -> Int64 {
    var outermost = cause
    var seq = cause
    while let event = self[seq] {
      if event.controller == controller { outermost = seq }
      // What something happened in comes before it, whatever a damaged file says.
      guard event.above < seq else { break }
      seq = event.above
    }
    return outermost
  }

  private subscript(seq: Int64) -> Known? {
    let one = known[Int(truncatingIfNeeded: seq) & (Self.most - 1)]
    return seq != 0 && one.seq == seq ? one : nil
  }
}
