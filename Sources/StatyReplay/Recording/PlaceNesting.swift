import Staty
import StatyHistory

/// A call that a recorded event lies in: an event's number, and one of its parts.
struct RecordedPlace: Hashable {
  var seq: Int64 = 0
  var part = EventPlace.Part.handled

  /// The root: no call.
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

/// Knows which calls are under way on the thread of each recorded event.
///
/// A recording is a tree. `handled`, `performed` and `called` of an event lie in the event's place.
/// `observed` lies there, too, unless the event was made while its own controller was delivering
/// another event. Then its observers are told after that delivery, and it lies in what that
/// delivery lies in.
///
/// In every possible recording a place that ended never begins again, `handled`, `performed` and
/// `called` begin directly after their event, and late deliveries begin in the order of their
/// numbers. An event that breaks this is misplaced.
struct PlaceNesting {
  /// What is known of an event when it is taken.
  struct Found {
    /// Whether a call of its own controller is under way.
    var isInHand = false
    /// Whether no run can have made it at its recorded place.
    var isMisplaced = false
    /// Whether it is known that no other thread was in a call of its class.
    var isAlone = false
    /// The innermost call of a class that it lies in.
    var around: ClassPlace?
  }

  private struct Frame {
    let place: RecordedPlace
    /// The controller of the place; -1 if that is not known.
    let controller: Int32
    let around: ClassPlace?
    /// The last event that lies directly in it.
    var last: Int64 = 0
    /// The controller that may be in a call of that event; -1 if none is.
    var lastCaller: Int32 = -1
    /// Whether its controller has done something on another thread since.
    var isTouched = false
  }

  private struct Known {
    var seq: Int64 = 0
    /// Its controller, if its events say in which call they happened; otherwise -1.
    var controller: Int32 = -1
    var thread: UInt8 = 0
    /// Whether it happened in the replay, too.
    var hasHappened = true
    /// The parts that have begun, a bit each.
    var entered: UInt8 = 0
    var inside = RecordedPlace.root
    /// What lies around `observed`.
    var hearing = RecordedPlace.root
    /// Whether its observers are told late.
    var isLate: Bool { hearing != inside }
  }

  private enum Role {
    /// Its events do not say in which call they happened.
    case unplaced
    /// Its events say it.
    case placed
    /// Its events say it, and it is a class that is run again.
    case ofClass
  }

  /// How many events back it remembers; a power of two.
  private static let most = 8_192
  /// The deepest nesting that it follows on a thread.
  private static let deepest = 1_024
  /// From this number on, threads are not distinguished.
  static let threads = 63

  /// What is known of each controller.
  private let roles: [Role]
  private let hasClasses: Bool
  private var known = Array(repeating: Known(), count: most)
  private var stacks: [[Frame]]
  private var highestThread = 0
  private var lastHeardLate: [Int32: Int64] = [:]
  /// Events up to this number are forgotten.
  private var forgotten: Int64 = 0
  /// The number of the last event.
  private(set) var highest: Int64 = 0
  /// The number of the latest input of each thread at the root.
  private var outermost = Array(repeating: Int64(0), count: threads + 1)
  /// The classes that two threads used at once.
  private(set) var crossed: Set<Int32> = []

  /// - Parameters:
  ///   - placed: the controllers with events that say in which call they happened.
  ///   - classes: the controllers among them that are run again.
  init(placed: Set<Int32>, classes: Set<Int32>) {
    let placed = placed.filter { 0..<(1 << 16) ~= $0 }
    roles = (0..<(placed.max() ?? -1) + 1).map {
      placed.contains($0) ? classes.contains($0) ? .ofClass : .placed : .unplaced
    }
    hasClasses = roles.contains(.ofClass)
    stacks = Array(
      repeating: [Frame(place: .root, controller: 0, around: nil)], count: Self.threads)
  }

  /// Takes the next event of the recording.
  mutating func take(_ row: EventRow) -> Found {
    let place = place(of: row)
    let thread = Int(row.thread)
    highest = max(highest, row.seq)
    if row.isOutermost { outermost[min(thread, Self.threads)] = row.seq }
    let slot = Int(truncatingIfNeeded: row.seq) & (Self.most - 1)
    guard role(of: row.controller) != .unplaced, let kind = EventKind(rawValue: row.kind),
      kind.isReplayed
    else {
      known[slot] = Known(seq: row.seq, thread: row.thread)
      return Found(around: around(place, thread))
    }
    var found = Found()
    if thread >= Self.threads {
      known[slot] = Known(
        seq: row.seq, controller: row.controller, thread: row.thread, inside: place, hearing: place)
      // Which calls are under way on threads that share a number is not known.
      if role(of: row.controller) == .ofClass { crossed.insert(row.controller) }
      found.isInHand = place != .root
      return found
    }
    // 0 is no thread: an imported history may not say.
    found.isMisplaced = !goOn(in: place, row) && thread != 0
    let top = stacks[thread].count - 1
    stacks[thread][top].last = row.seq
    stacks[thread][top].lastCaller = kind == .attached || kind == .detached ? -1 : row.controller
    found.around = stacks[thread][top].around
    var event = Known(
      seq: row.seq, controller: row.controller, thread: row.thread, inside: place, hearing: place)
    for depth in stacks[thread].indices.dropFirst().reversed()
    where stacks[thread][depth].controller == row.controller {
      found.isInHand = true
      if stacks[thread][depth].place.part == .observed {
        event.hearing = stacks[thread][depth - 1].place
        break
      }
    }
    known[slot] = event
    found.isAlone = hasClasses && noteThreads(row)
    return found
  }

  private func role(of controller: Int32) -> Role {
    controller >= 0 && controller < roles.count ? roles[Int(controller)] : .unplaced
  }

  /// Forgets everything up to this number, because events are missing.
  mutating func forget(through seq: Int64) {
    forgotten = seq
    for thread in stacks.indices { stacks[thread].removeSubrange(1...) }
  }

  /// Notes an event that does not happen in the replay.
  mutating func leaveOut(_ seq: Int64) {
    let slot = Int(truncatingIfNeeded: seq) & (Self.most - 1)
    if known[slot].seq == seq { known[slot].hasHappened = false }
  }

  /// Whether inputs inside this event can be told; `true` for events that are too old to know.
  func isReachable(_ seq: Int64) -> Bool {
    if seq <= highest - Int64(Self.most) { return true }
    let event = known[Int(truncatingIfNeeded: seq) & (Self.most - 1)]
    return event.seq == seq && event.hasHappened
  }

  /// Whether the handling of this event had ended by now; `false` for events that are forgotten.
  ///
  /// It had if its thread has made an input at the root since.
  func isOver(_ seq: Int64) -> Bool {
    let event = known[Int(truncatingIfNeeded: seq) & (Self.most - 1)]
    return event.seq == seq && event.thread < Self.threads && outermost[Int(event.thread)] > seq
  }

  /// Whether the last recorded event of a thread may still lie in this place.
  func mayGoOn(in place: RecordedPlace, onThread thread: UInt8) -> Bool {
    guard Int(thread) < Self.threads else { return true }
    let stack = stacks[Int(thread)]
    return stack.contains { $0.place == place || $0.last == place.seq }
  }

  /// The place of an event; an imported line may hold only the cause of a class's decision.
  private func place(of row: EventRow) -> RecordedPlace {
    guard row.inside == 0, row.ownCause != 0, role(of: row.controller) == .ofClass,
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
  /// Continues in a place.
  ///
  /// - Returns: whether a run can have done so.
  private mutating func goOn(in place: RecordedPlace, _ row: EventRow) -> Bool {
    let thread = Int(row.thread)
    if let depth = depth(of: place, thread) {
      leave(downTo: depth, thread)
      return true
    }
    guard place.seq < row.seq else { return beginUnknown(place, thread) }
    let slot = Int(truncatingIfNeeded: place.seq) & (Self.most - 1)
    let event = known[slot]
    guard event.seq == place.seq, event.controller >= 0, event.seq > forgotten else {
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
    // Not by a closure: it takes hold of the stack, and this runs for each event.
    var depth = stacks[thread].count - 1
    while depth >= 0, stacks[thread][depth].place != place { depth -= 1 }
    return depth < 0 ? nil : depth
  }

  private mutating func leave(downTo depth: Int, _ thread: Int) {
    if depth + 1 < stacks[thread].count { stacks[thread].removeSubrange((depth + 1)...) }
  }

  /// - Returns: whether that was possible, because earlier events are unknown already.
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
    // An event inside an unknown event lies in nothing that a replay reaches.
    let isClass = controller < 0 ? place.seq > forgotten : role(of: controller) == .ofClass
    stacks[thread].append(
      Frame(
        place: place, controller: controller,
        around: isClass ? ClassPlace(place, controller, in: outer) : outer))
  }

  /// Notes a class that one thread uses while a call of it is under way on another.
  ///
  /// The recording does not say when a call ends. It has ended if its thread did something else.
  ///
  /// - Returns: whether all calls of the class on other threads are known to have ended.
  private mutating func noteThreads(_ row: EventRow) -> Bool {
    let own = Int(row.thread)
    highestThread = max(highestThread, own)
    for frame in stacks[own] where frame.isTouched { crossed.insert(frame.controller) }
    guard role(of: row.controller) == .ofClass else { return true }
    var isAlone = true
    // Not over a range: the optimizer leaves its iterator as it is, and this runs for each event.
    var thread = 0
    while thread <= highestThread {
      defer { thread += 1 }
      if thread == own { continue }
      for depth in stacks[thread].indices where stacks[thread][depth].controller == row.controller {
        stacks[thread][depth].isTouched = true
        isAlone = false
      }
      if stacks[thread].last?.lastCaller == row.controller { isAlone = false }
    }
    return isAlone
  }
}

extension EventRow {
  /// Whether the event is an input from outside of everything that is recorded.
  fileprivate var isOutermost: Bool {
    guard cause == 0, let kind = EventKind(rawValue: kind) else { return false }
    // A deferred step may run inside of anything.
    return kind.side == .input && kind != .resumed
  }
}

extension EventKind {
  /// Whether it is told to a controller, compared, or the beginning or end of its recording.
  var isReplayed: Bool { side != .note }
}
