import StatyHistory

/// The first place at which two sessions say different things, and how far each controller agrees.
///
/// Controllers are compared one by one: whether one of them was faster than another is noise. Both
/// sessions are gone through once, side by side; what one side says of a controller before the other
/// does is kept until then.
struct HistoryDifference {
  /// How far two controllers of one name agree.
  struct Course {
    /// How many events they have in common from the beginning on.
    var common = 0
    /// How many events each side has.
    var counts = (one: 0, other: 0)
    /// The first events that differ; none on the side that has no more.
    var difference: (one: HistorySide.Event?, other: HistorySide.Event?)?
    fileprivate var waiting: (one: Ahead, other: Ahead) = (Ahead(), Ahead())

    var isEqual: Bool { difference == nil }
  }

  /// Events that the other side has not come to yet.
  fileprivate struct Ahead {
    private var events: [HistorySide.Event] = []
    private var start = 0

    var first: HistorySide.Event? { start < events.count ? events[start] : nil }

    mutating func append(_ event: HistorySide.Event) { events.append(event) }

    mutating func removeFirst() {
      start += 1
      // Half of it is gone: give the room back.
      if start > 1_024, start > events.count / 2 {
        events.removeFirst(start)
        start = 0
      }
    }

    mutating func removeAll() {
      events = []
      start = 0
    }
  }

  private(set) var courses: [ControllerKey: Course] = [:]
  /// Controllers that only one side has.
  private(set) var onlyInOne: [ControllerKey] = []
  private(set) var onlyInOther: [ControllerKey] = []

  init(_ one: HistorySide, _ other: HistorySide) throws {
    let (left, right) = (Set(one.keys.values), Set(other.keys.values))
    onlyInOne = left.subtracting(right).sorted()
    onlyInOther = right.subtracting(left).sorted()
    for key in left.intersection(right) { courses[key] = Course() }
    var (isOneAtEnd, isOtherAtEnd) = (false, false)
    while !isOneAtEnd || !isOtherAtEnd {
      if !isOneAtEnd { isOneAtEnd = try !take(one.next(), isOne: true) }
      if !isOtherAtEnd { isOtherAtEnd = try !take(other.next(), isOne: false) }
    }
    for key in courses.keys { courses[key]?.close() }
  }

  private mutating func take(_ event: HistorySide.Event?, isOne: Bool) -> Bool {
    guard let event else { return false }
    courses[event.key]?.take(event, isOne: isOne)
    return true
  }

  /// Whether both say the same.
  var isEqual: Bool {
    onlyInOne.isEmpty && onlyInOther.isEmpty && courses.values.allSatisfy(\.isEqual)
  }

  /// The controller at which they part first, by the first history's order of events.
  var first: (key: ControllerKey, course: Course)? {
    let parted = courses.filter { !$0.value.isEqual }
    let best = parted.min { left, right in
      (Self.place(left.value), left.key) < (Self.place(right.value), right.key)
    }
    return best.map { ($0.key, $0.value) }
  }

  private static func place(_ course: Course) -> Int64 {
    course.difference?.one?.row.seq ?? course.difference?.other?.row.seq ?? .max
  }
}

extension HistoryDifference.Course {
  fileprivate mutating func take(_ event: HistorySide.Event, isOne: Bool) {
    if isOne { counts.one += 1 } else { counts.other += 1 }
    guard isEqual else { return }
    if isOne { waiting.one.append(event) } else { waiting.other.append(event) }
    while let one = waiting.one.first, let other = waiting.other.first {
      guard one.meaning == other.meaning else { return part(one, other) }
      common += 1
      waiting.one.removeFirst()
      waiting.other.removeFirst()
    }
  }

  /// One side may have come to its end before the other.
  fileprivate mutating func close() {
    guard isEqual, waiting.one.first != nil || waiting.other.first != nil else { return }
    part(waiting.one.first, waiting.other.first)
  }

  private mutating func part(_ one: HistorySide.Event?, _ other: HistorySide.Event?) {
    difference = (one, other)
    waiting.one.removeAll()
    waiting.other.removeAll()
  }
}
