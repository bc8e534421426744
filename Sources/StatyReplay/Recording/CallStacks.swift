import Staty
import StatyHistory

/// Knows of each event in the midst of what it happened, and whether it can have.
///
/// An input says in which call it was made: that is its cause. So does all that an opaque controller
/// does. What one of ours does names what it was decided in; it is done in the controller's work, which
/// is the same in every run.
///
/// Observers are told of an event at once. Of what a controller makes while it tells them of another they
/// are told when all have heard of that.
///
/// Some do not say it. A step that was put off names what put it off. A controller of a kind that nobody
/// has told of may be one of ours or not. They may have happened in anything.
///
/// What is called misplaced is so in every run that could have been recorded. It is taken for granted
/// that only observers and states make anything while a controller of ours is at work: neither what
/// finds its target nor the end of a state object does.
struct CallStacks {
  typealias Link = CallStack.Link

  /// Who recorded the events of a controller, and how.
  enum Maker {
    /// Nobody said in what they happened.
    case silent
    /// A controller of ours.
    case ours
    /// An app's own controller, of a known kind.
    case opaque
    /// A controller of a kind that nobody has told of: it may be either.
    case unknown
  }

  /// What is known of an event when it is taken in.
  struct Place {
    /// What it happened in.
    var above: Link
    /// What its observers are told of it in.
    var hearing: Link
    /// Whether it happened in something of its own controller's; `nil` if that is not known.
    var isInHand: Bool? = false
    /// Whether no run can have made it where it is recorded.
    var isMisplaced = false
  }

  private struct Known {
    var seq: Int64 = 0
    var controller: Int32 = 0
    var thread: UInt8 = 0
    /// Whether it may have happened in anything.
    var isAnywhere = false
    /// Whether observers may be told of it later.
    var isLate = false
    /// What it happened in.
    var above = Link()
  }

  /// So far back events are remembered; a power of two.
  static let most = 8_192
  /// From this number on, threads are not told apart.
  static let threads = 63
  /// Of controllers with higher numbers nothing is said.
  private static let mostControllers: Int32 = 1 << 16
  /// Who made the events of each controller, by its number.
  private let makers: [Maker?]
  private var known = Array(repeating: Known(), count: most)
  private var stacks = Array(repeating: CallStack(), count: threads)

  init(_ makers: [Int32: Maker]) {
    let makers = makers.filter { $0.key >= 0 && $0.key < Self.mostControllers }
    var all = [Maker?](repeating: nil, count: Int(makers.keys.max() ?? -1) + 1)
    for (controller, maker) in makers { all[Int(controller)] = maker }
    self.makers = all
  }

  /// Takes in the next event of the recording.
  @discardableResult
  mutating func take(_ row: EventRow) -> Place {
    let link = tearDown(row) ?? Link(seq: row.cause, isHeard: row.isHeard)
    var place = Place(above: link, hearing: link)
    guard Int(row.thread) < Self.threads, row.controller >= 0, row.controller < makers.count,
      let maker = makers[Int(row.controller)], let kind = EventKind(rawValue: row.kind),
      kind.side != .note
    else { return place }
    var event = Known(seq: row.seq, controller: row.controller, thread: row.thread)
    switch maker {
    case .ours where kind.side == .output: perform(row, kind, &place)
    case .ours: tell(row, &place, &event)
    case .opaque where kind != .resumed, .unknown where kind.side == .input && kind != .resumed:
      make(row, kind, &place, &event)
    case .silent, .opaque, .unknown:
      event.isAnywhere = true
      (place.above, place.hearing) = (Link(), Link())
      if row.cause != 0 {
        place.isInHand = self[row.cause]?.controller == row.controller ? true : nil
      }
      stacks[Int(row.thread)].beginAnywhere(row.seq, of: row.controller)
    }
    event.above = place.above
    known[Int(truncatingIfNeeded: row.seq) & (Self.most - 1)] = event
    return place
  }

  /// What lies around the work in which a controller of ours tears itself down; `nil` of any other event.
  ///
  /// The work has no place of its own here: it begins where the input lies that began it.
  private func tearDown(_ row: EventRow) -> Link? {
    guard row.kind == EventKind.cancelled.rawValue, row.part == .handled,
      let input = self[row.inside], input.controller == row.controller,
      0..<Int32(makers.count) ~= row.controller, makers[Int(row.controller)] == .ours
    else { return nil }
    return input.above
  }

  /// A controller of ours does what it decided.
  private mutating func perform(_ row: EventRow, _ kind: EventKind, _ place: inout Place) {
    let thread = Int(row.thread)
    if !stacks[thread].goOn(inWorkOf: row.controller) {
      // Its work may have begun before anybody observed.
      guard self[row.cause] == nil || stacks[thread].isUncertain else {
        place.isMisplaced = true
        return
      }
    }
    place.above = stacks[thread].innermost
    place.hearing = place.above
    if kind == .entering || kind == .exiting {
      stacks[thread].beginHandling(row.seq, of: row.controller)
    }
    stacks[thread].beginHearing(row.seq, of: row.controller)
  }

  /// A controller of ours is told something, or tears itself down in the place of what it was at.
  private mutating func tell(_ row: EventRow, _ place: inout Place, _ event: inout Known) {
    guard goOn(in: place.above, row, &place) else { return }
    let thread = Int(row.thread)
    let standing = stacks[thread].standing(of: row.controller)
    place.isInHand = standing.isUnderWay
    hear(row, standing, &place, &event)
    if !standing.isAtWork {
      stacks[thread].beginWork(of: row.controller, isSupposed: standing.mayBeAtWork)
    }
    if standing.isDelivering != true {
      stacks[thread].beginHearing(row.seq, of: row.controller)
    }
  }

  /// An opaque controller is told something or does something.
  private mutating func make(
    _ row: EventRow, _ kind: EventKind, _ place: inout Place, _ event: inout Known
  ) {
    guard goOn(in: place.above, row, &place) else { return }
    let thread = Int(row.thread)
    let standing = stacks[thread].standing(of: row.controller)
    place.isInHand = standing.isUnderWay
    hear(row, standing, &place, &event)
    stacks[thread].beginHandling(
      row.seq, of: row.controller, isOpaqueOrder: kind == .entering || kind == .exiting)
    if standing.isDelivering != true {
      stacks[thread].beginHearing(row.seq, of: row.controller)
    }
  }

  private func hear(
    _ row: EventRow, _ standing: CallStack.Standing, _ place: inout Place, _ event: inout Known
  ) {
    event.isLate = standing.isDelivering != false
    if standing.isDelivering == true,
      let delivery = stacks[Int(row.thread)].delivery(of: row.controller)
    {
      place.hearing = delivery
    }
  }

  /// Goes on where something happens now.
  ///
  /// - Returns: whether that can be.
  private mutating func goOn(in link: Link, _ row: EventRow, _ place: inout Place) -> Bool {
    let thread = Int(row.thread)
    if stacks[thread].goOn(in: link) { return true }
    guard let one = self[link.seq], one.thread == row.thread, !stacks[thread].isUncertain else {
      stacks[thread].beginUnknown(link.seq)
      return true
    }
    if one.isAnywhere {
      stacks[thread].beginAnywhere(one.seq, of: one.controller)
      return stacks[thread].goOn(in: link)
    }
    if one.isLate, link.isHeard, stacks[thread].goOn(hearing: one.seq, of: one.controller) {
      return true
    }
    if !link.isHeard, stacks[thread].goOn(withOrder: one.seq, of: one.controller) { return true }
    place.isMisplaced = true
    return false
  }

  private subscript(seq: Int64) -> Known? {
    let one = known[Int(truncatingIfNeeded: seq) & (Self.most - 1)]
    return seq != 0 && one.seq == seq ? one : nil
  }
}
