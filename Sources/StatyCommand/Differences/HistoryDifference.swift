import StatyHistory

/// The first place at which two sessions say different things, and how far each controller agrees.
///
/// Controllers are compared one by one: whether one of them was faster than another is noise. Both
/// sessions are gone through once, side by side; what one side says of a controller before the other
/// does is kept until then. Behind the first gap on either side nothing is compared: what is missing
/// there could be what makes them equal, or what they differ in.
struct HistoryDifference {
  /// What can be said of two controllers, or of all.
  enum Verdict: String {
    case equal
    case different
    /// Up to a gap they say the same.
    case inconclusive
  }

  /// How far two controllers of one name agree.
  struct Course {
    /// How many events they have in common from the beginning on.
    var common = 0
    /// How many events each side has.
    var counts = (one: 0, other: 0)
    /// The first events that differ; none on the side that has no more.
    var difference: (one: HistorySide.Event?, other: HistorySide.Event?)?
    /// What is missing first on each side; none if it is whole as far as it was needed.
    fileprivate(set) var gaps: (one: Gap?, other: Gap?)
    fileprivate var waiting: (one: Ahead, other: Ahead) = (Ahead(), Ahead())

    var verdict: Verdict {
      if difference != nil { return .different }
      return gaps.one == nil && gaps.other == nil ? .equal : .inconclusive
    }
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
  private let isPartial: (one: Bool, other: Bool)

  init(_ one: HistorySide, _ other: HistorySide) throws {
    isPartial = (one.isPartial, other.isPartial)
    let (left, right) = (Set(one.keys.values), Set(other.keys.values))
    onlyInOne = left.subtracting(right).sorted()
    onlyInOther = right.subtracting(left).sorted()
    for key in left.intersection(right) { courses[key] = Course() }
    var (isOneAtEnd, isOtherAtEnd) = (false, false)
    while !isOneAtEnd || !isOtherAtEnd {
      if !isOneAtEnd { isOneAtEnd = try !take(one.next(), isOne: true) }
      if !isOtherAtEnd { isOtherAtEnd = try !take(other.next(), isOne: false) }
    }
    for key in courses.keys {
      courses[key]?.close(with: (one.gapAtEnd(of: key), other.gapAtEnd(of: key)))
    }
  }

  private mutating func take(_ event: HistorySide.Event?, isOne: Bool) -> Bool {
    guard let event else { return false }
    courses[event.key]?.take(event, isOne: isOne)
    return true
  }

  /// Whether both say the same.
  ///
  /// A controller that a history with gaps does not have may be in the gaps.
  var verdict: Verdict {
    let verdicts = Set(courses.values.map(\.verdict))
    if verdicts.contains(.different) { return .different }
    if !onlyInOne.isEmpty, !isPartial.other { return .different }
    if !onlyInOther.isEmpty, !isPartial.one { return .different }
    let isWhole = onlyInOne.isEmpty && onlyInOther.isEmpty && !verdicts.contains(.inconclusive)
    return isWhole ? .equal : .inconclusive
  }

  /// The gaps behind which nothing was compared, by their controllers.
  var gaps: [(key: ControllerKey, one: Gap?, other: Gap?)] {
    courses.filter { $0.value.verdict == .inconclusive }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value.gaps.one, $0.value.gaps.other) }
  }

  /// The controller at which they part first, by the first history's order of events.
  var first: (key: ControllerKey, course: Course)? {
    let parted = courses.filter { $0.value.verdict == .different }
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
    guard difference == nil else { return }
    if isOne {
      if gaps.one == nil { gaps.one = event.gap }
      if gaps.one == nil, !isAtGap(gaps.other, waiting.other) { waiting.one.append(event) }
    } else {
      if gaps.other == nil { gaps.other = event.gap }
      if gaps.other == nil, !isAtGap(gaps.one, waiting.one) { waiting.other.append(event) }
    }
    while let one = waiting.one.first, let other = waiting.other.first {
      guard one.meaning.isSame(as: other.meaning) else { return part(one, other) }
      common += 1
      waiting.one.removeFirst()
      waiting.other.removeFirst()
    }
  }

  /// Whether a side has nothing more that the other could be compared with.
  private func isAtGap(_ gap: Gap?, _ waiting: HistoryDifference.Ahead) -> Bool {
    gap != nil && waiting.first == nil
  }

  /// One side may have come to its end before the other; what is missing at an end may be the rest.
  fileprivate mutating func close(with ends: (one: Gap?, other: Gap?)) {
    guard difference == nil else { return }
    if gaps.one == nil { gaps.one = ends.one }
    if gaps.other == nil { gaps.other = ends.other }
    let (one, other) = (waiting.one.first, waiting.other.first)
    if one != nil, gaps.other == nil { return part(one, nil) }
    if other != nil, gaps.one == nil { return part(nil, other) }
  }

  private mutating func part(_ one: HistorySide.Event?, _ other: HistorySide.Event?) {
    difference = (one, other)
    waiting.one.removeAll()
    waiting.other.removeAll()
  }
}
