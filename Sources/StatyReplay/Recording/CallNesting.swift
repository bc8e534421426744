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
    /// Whether it is an output and nothing has happened in its handling so far.
    var isToBeDone = false
    /// Whether it may have happened in anything.
    var isAnywhere = false
    /// Whether it happened in such a one, or is one: whether observers are told of it later is unknown.
    var isSomewhere = false
    /// Whether it is known to have set its controller to work, wherever it happened.
    var startsWork = false
    /// Whether it is a tear-down amid work, and what it happened in was under way then.
    var isAmidWork = false
  }

  /// What is known of an event when it is taken in.
  struct Place {
    /// What it happened in.
    let above: Link
    /// What its observers are told of it in.
    let hearing: Link
    /// Whether no run can have made it where it is recorded: what it happened in had been left.
    let isMisplaced: Bool
  }

  /// So far back events are remembered; a power of two.
  static let most = 8_192
  private let performing: Set<Int32>
  private var known = Array(repeating: Known(), count: most)
  /// What is under way on each thread, if it is exactly known what everything happened in.
  private var stacks: [CallStack]

  /// - Parameters:
  ///   - performing: the controllers that were recorded from one of ours.
  ///   - isExact: whether all others are opaque, and whatever happens says in what.
  init(performing: Set<Int32>, isExact: Bool) {
    self.performing = performing
    stacks = isExact ? Array(repeating: CallStack(), count: CallStack.threads) : []
  }

  /// Takes in the next event.
  @discardableResult
  mutating func take(_ row: EventRow) -> Place {
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
    one.isToBeDone = kind?.side == .output
    one.isSomewhere = one.isAnywhere || self[one.above.seq]?.isSomewhere ?? false
    one.isInHearing = one.above.isHeard || self[one.above.seq]?.isInHearing ?? false
    one.hearing = one.above
    if let delivery = delivery(of: row.controller, around: one.above) {
      (one.hearing, one.isLate) = (delivery, true)
    }
    known[Int(truncatingIfNeeded: row.seq) & (Self.most - 1)] = one
    return Place(above: one.above, hearing: one.hearing, isMisplaced: isMisplaced(row, kind, one))
  }

  /// Goes on with what is under way on the event's thread.
  private mutating func isMisplaced(_ row: EventRow, _ kind: EventKind?, _ one: Known) -> Bool {
    let thread = Int(row.thread)
    guard thread < stacks.count, let kind, kind.side != .note else { return false }
    let isOurs = performing.contains(row.controller)
    if isOurs, one.isSomewhere, kind.side == .input, !isOnStack(row.controller, thread) {
      known[Int(truncatingIfNeeded: row.seq) & (Self.most - 1)].startsWork = true
    }
    // A controller whose target has gone may be torn down by its own work, which is not recorded; then it
    // is that work that does what comes of it, between what it does anyway. What set one of ours to work
    // may lie around a step that was put off.
    if isOurs, kind == .cancelled, isOnStack(row.controller, thread) {
      let place = Int(truncatingIfNeeded: row.seq) & (Self.most - 1)
      known[place].isSomewhere = true
      known[place].isAmidWork = isOpen(one.above, thread)
    }
    let isWorkUnknown =
      isOurs && kind.side == .output
      && self[one.above.seq].map { $0.isSomewhere && !$0.startsWork } ?? true
    if isWorkUnknown {
      stacks[thread].begin(row.seq, inWorkSince: one.above.seq)
      return isPast(tearDown: one.above.seq, of: row.controller, thread)
    }
    if one.isAnywhere || kind == .cancelled {
      stacks[thread].begin(row.seq)
      return false
    }
    guard let isOpen = goOn(in: one.above, onThread: thread) else {
      // Too far back to know.
      stacks[thread].begin(row.seq)
      return false
    }
    if isOpen { stacks[thread].begin(row.seq) }
    return !isOpen
  }

  /// Whether what comes of a tear-down comes too late, whichever work it is done in.
  ///
  /// A controller that tears itself down was set to work in what the tear-down says it happened in. Told
  /// to while it is at rest, it does there what comes of it, too. Only what comes of one that was told to
  /// amid work further out may come later.
  private func isPast(tearDown seq: Int64, of controller: Int32, _ thread: Int) -> Bool {
    guard let one = self[seq], one.isAmidWork, self[one.above.seq]?.isSomewhere != true,
      isAtWork(controller, around: one.above) == false
    else { return false }
    return !isOpen(one.above, thread)
  }

  private func isOpen(_ link: Link, _ thread: Int) -> Bool {
    stacks[thread].isOpen(link, isLate: isLate(link))
  }

  /// Whether anything of a controller may be under way.
  private func isOnStack(_ controller: Int32, _ thread: Int) -> Bool {
    stacks[thread].contains { self[$0]?.controller ?? controller == controller }
  }

  /// Leaves what is under way down to where something happens now.
  ///
  /// - Returns: whether that was under way; `nil` if it is not known.
  private mutating func goOn(in link: Link, onThread thread: Int) -> Bool? {
    if let left = stacks[thread].goOn(in: link, isLate: isLate(link)) {
      for seq in left { noteLeft(seq, thread) }
      noteDoing(link)
      return true
    }
    guard let one = self[link.seq], !(link.isHeard && one.isSomewhere) else { return nil }
    // Before it is done, observers may be told that it is about to be, and act further out.
    if !link.isHeard, one.isToBeDone, one.above.seq < link.seq {
      guard let isOpen = goOn(in: one.above, onThread: thread), isOpen else { return nil }
      stacks[thread].begin(link.seq)
      noteDoing(link)
      return stacks[thread].goOn(in: link, isLate: false) != nil
    }
    // What is heard later is heard in what the controller was telling observers of.
    guard isLate(link), one.hearing.seq < link.seq,
      let isOpen = goOn(in: one.hearing, onThread: thread), isOpen
    else { return isLate(link) ? nil : false }
    stacks[thread].beginHearing(link.seq)
    return true
  }

  /// An output is left of which it was not known in which work it was.
  ///
  /// If the step that was put off is under way still in which its controller was told something, it was
  /// in that: work further out would have waited for the step.
  private mutating func noteLeft(_ seq: Int64, _ thread: Int) {
    guard let start = self[seq]?.above.seq else { return }
    var link = Link(seq: start)
    while let one = self[link.seq], !one.isAnywhere {
      guard let outer = outer(link, one) else { return }
      link = outer
    }
    if self[start] != nil, stacks[thread].contains(where: { $0 == link.seq }) {
      known[Int(truncatingIfNeeded: start) & (Self.most - 1)].startsWork = true
    }
  }

  /// Something happens in the handling of an event.
  private mutating func noteDoing(_ link: Link) {
    if !link.isHeard, self[link.seq] != nil {
      known[Int(truncatingIfNeeded: link.seq) & (Self.most - 1)].isToBeDone = false
    }
  }

  private func isLate(_ link: Link) -> Bool { link.isHeard && self[link.seq]?.isLate ?? false }

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
      // Where observers were told of it is not known.
      if link.isHeard, one.isSomewhere { break }
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
