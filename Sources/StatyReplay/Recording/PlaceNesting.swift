import Staty
import StatyHistory

/// A call that an event of a recording lies in: an event's number, and which of its calls it is.
struct RecordedPlace: Hashable {
  var seq: Int64 = 0
  var part = EventPlace.Part.handled

  /// No call of any event.
  static let root = RecordedPlace()
}

/// A call of a class, and the calls of classes around it.
final class ClassPlace {
  let place: RecordedPlace
  let controller: Int32
  let outer: ClassPlace?

  init(_ place: RecordedPlace, _ controller: Int32, in outer: ClassPlace?) {
    (self.place, self.controller, self.outer) = (place, controller, outer)
  }
}

/// Goes through a recording and knows which calls are under way on the thread of each event.
///
/// A recording is a tree. Around `handled`, `performed` and `called` of an event lies the place of that
/// event. Around `observed` lies the same, unless the event was made while its own controller was
/// telling observers of another: its observers are told when that is over, and around it lies what lay
/// around that.
///
/// In every recording that a run can make, a place that was left is never entered again; `handled`,
/// `performed` and `called` begin directly after their event; and what observers are told late is told
/// in the order of the numbers. An event that breaks this is misplaced.
struct PlaceNesting {
  /// What is known of an event when it is taken in.
  struct Found {
    /// Whether a call of its own controller is under way.
    var isInHand = false
    /// Whether no run can have made it where it is recorded.
    var isMisplaced = false
    /// The innermost call of a class that it lies in.
    var around: ClassPlace?
  }

  private struct Frame {
    let place: RecordedPlace
    /// Whose place it is; -1 if that is not known.
    let controller: Int32
    let around: ClassPlace?
    /// The last event that lies directly in it.
    var last: Int64 = 0
    /// Whether its controller did something on another thread since.
    var isTouched = false
  }

  private struct Known {
    var seq: Int64 = 0
    var controller: Int32 = 0
    var thread: UInt8 = 0
    /// The parts that were entered, a bit each.
    var entered: UInt8 = 0
    /// Whether observers are told of it later.
    var isLate = false
    var inside = RecordedPlace.root
    /// What lies around `observed`.
    var hearing = RecordedPlace.root
  }

  /// So far back events are remembered; a power of two.
  private static let most = 8_192
  /// More would be too many for a thread's stack.
  private static let deepest = 1_024
  /// From this number on, threads are not told apart.
  static let threads = 63

  /// Of each controller, whether its events say where they happened.
  private let isPlaced: [Bool]
  private let classes: Set<Int32>
  private var known = Array(repeating: Known(), count: most)
  private var stacks: [[Frame]]
  private var highestThread = 0
  private var lastHeardLate: [Int32: Int64] = [:]
  /// Of events up to this number nothing is known any more.
  private var forgotten: Int64 = 0
  /// The classes that two threads were in at once.
  private(set) var crossed: Set<Int32> = []

  /// - Parameters:
  ///   - placed: the controllers whose events say where they happened.
  ///   - classes: those of them that are run again.
  init(placed: Set<Int32>, classes: Set<Int32>) {
    let placed = placed.filter { 0..<(1 << 16) ~= $0 }
    isPlaced = (0..<(placed.max() ?? -1) + 1).map(placed.contains)
    self.classes = classes.intersection(placed)
    stacks = Array(
      repeating: [Frame(place: .root, controller: 0, around: nil)], count: Self.threads)
  }

  /// Takes in the next event of the recording.
  mutating func take(_ row: EventRow) -> Found {
    let place = place(of: row)
    let thread = Int(row.thread)
    guard thread < Self.threads, row.controller >= 0, row.controller < isPlaced.count,
      isPlaced[Int(row.controller)], EventKind(rawValue: row.kind)?.isReplayed ?? false
    else { return Found(around: around(place, thread)) }
    var found = Found()
    // 0 is no thread: a history that was imported may not say.
    found.isMisplaced = !goOn(in: place, row) && thread != 0
    let top = stacks[thread].count - 1
    stacks[thread][top].last = row.seq
    found.around = stacks[thread][top].around
    var event = Known(
      seq: row.seq, controller: row.controller, thread: row.thread, inside: place, hearing: place)
    for depth in stacks[thread].indices.dropFirst().reversed()
    where stacks[thread][depth].controller == row.controller {
      found.isInHand = true
      if stacks[thread][depth].place.part == .observed {
        (event.isLate, event.hearing) = (true, stacks[thread][depth - 1].place)
        break
      }
    }
    known[Int(truncatingIfNeeded: row.seq) & (Self.most - 1)] = event
    if !classes.isEmpty { noteThreads(row) }
    return found
  }

  /// Events are missing up to this number: of what was before, nothing is known any more.
  mutating func forget(through seq: Int64) {
    forgotten = seq
    for thread in stacks.indices { stacks[thread].removeSubrange(1...) }
    for place in known.indices { known[place].seq = 0 }
  }

  /// Whether what was recorded last on a thread may still have been in this place.
  func mayGoOn(in place: RecordedPlace, onThread thread: UInt8) -> Bool {
    guard Int(thread) < Self.threads else { return true }
    let stack = stacks[Int(thread)]
    return stack.contains { $0.place == place || $0.last == place.seq }
  }

  /// Where an event lies; of what a class decided an imported line may say the cause alone.
  private func place(of row: EventRow) -> RecordedPlace {
    guard row.inside == 0, row.ownCause != 0, classes.contains(row.controller),
      EventKind(rawValue: row.kind)?.side == .output
    else { return RecordedPlace(seq: row.inside, part: row.part) }
    return RecordedPlace(seq: row.ownCause)
  }

  private func around(_ place: RecordedPlace, _ thread: Int) -> ClassPlace? {
    guard thread < Self.threads, place != .root else { return nil }
    return stacks[thread].last { $0.place == place }?.around
  }
}

// MARK: Going on

extension PlaceNesting {
  /// Goes on in a place.
  ///
  /// - Returns: whether a run can have.
  private mutating func goOn(in place: RecordedPlace, _ row: EventRow) -> Bool {
    let thread = Int(row.thread)
    if let depth = depth(of: place, thread) {
      leave(downTo: depth, thread)
      return true
    }
    guard place.seq < row.seq else { return beginUnknown(place, thread) }
    let slot = Int(truncatingIfNeeded: place.seq) & (Self.most - 1)
    let event = known[slot]
    guard event.seq == place.seq else {
      _ = beginUnknown(place, thread)
      return true
    }
    let isLate = event.isLate && place.part == .observed
    guard event.thread == row.thread,
      let depth = depth(of: isLate ? event.hearing : event.inside, thread),
      event.entered & bit(place.part) == 0,
      isLate || stacks[thread][depth].last == place.seq,
      isLate || place.part != .observed || event.entered == 0,
      !isLate || lastHeardLate[event.controller] ?? 0 < place.seq
    else { return beginUnknown(place, thread) }
    if isLate { lastHeardLate[event.controller] = place.seq }
    known[slot].entered |= bit(place.part)
    leave(downTo: depth, thread)
    push(place, event.controller, thread)
    return true
  }

  private func bit(_ part: EventPlace.Part) -> UInt8 { 1 << part.rawValue }

  private func depth(of place: RecordedPlace, _ thread: Int) -> Int? {
    stacks[thread].lastIndex { $0.place == place }
  }

  private mutating func leave(downTo depth: Int, _ thread: Int) {
    if depth + 1 < stacks[thread].count { stacks[thread].removeSubrange((depth + 1)...) }
  }

  /// - Returns: whether that is to be expected, because more is not known already.
  private mutating func beginUnknown(_ place: RecordedPlace, _ thread: Int) -> Bool {
    let isUncertain = stacks[thread].contains { $0.controller < 0 }
    while stacks[thread].last.map({ $0.controller < 0 }) ?? false { stacks[thread].removeLast() }
    push(place, -1, thread)
    return isUncertain
  }

  private mutating func push(_ place: RecordedPlace, _ controller: Int32, _ thread: Int) {
    if stacks[thread].count == Self.deepest {
      stacks[thread].replaceSubrange(
        1..<(Self.deepest / 2),
        with: [Frame(place: RecordedPlace(seq: -1), controller: -1, around: nil)])
    }
    let outer = stacks[thread].last?.around
    // What lies in an event that is not there lies in nothing that a replay comes to.
    let isClass = controller < 0 ? place.seq > forgotten : classes.contains(controller)
    stacks[thread].append(
      Frame(
        place: place, controller: controller,
        around: isClass ? ClassPlace(place, controller, in: outer) : outer))
  }

  /// A class at which something happens on one thread while a call of it is under way on another.
  private mutating func noteThreads(_ row: EventRow) {
    highestThread = max(highestThread, Int(row.thread))
    if highestThread == 0 { return }
    for thread in 0...highestThread {
      for depth in stacks[thread].indices {
        if thread == Int(row.thread) {
          if stacks[thread][depth].isTouched { crossed.insert(stacks[thread][depth].controller) }
        } else if stacks[thread][depth].controller == row.controller {
          stacks[thread][depth].isTouched = true
        }
      }
    }
  }
}

extension EventKind {
  /// Whether it is told to a controller or compared, or says that its recording begins or ends.
  var isReplayed: Bool {
    switch self {
    case .attached, .detached, .enqueued, .entering, .entered, .exiting, .exited, .discarded,
      .stray, .cancelled, .deadline, .resumed, .calling, .moved,
      .received:
      true
    default: false
    }
  }
}
