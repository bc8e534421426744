import StatyHistory

/// The first place at which two sessions differ, and how far each controller agrees.
///
/// Controllers are compared one by one, because their relative speed does not matter. Both sessions
/// are read once, side by side; events that one side has before the other are kept until then.
/// Behind the first gap on either side nothing is compared: the missing events could make the
/// sessions equal or different.
struct HistoryDifference {
  /// The result for two controllers, or for all.
  enum Verdict: String {
    case equal
    case different
    /// They are equal up to a gap.
    case inconclusive
  }

  /// How far two controllers of one name agree.
  ///
  /// Lists have the value of the first side, then that of the second.
  struct Course {
    /// The number of equal events from the beginning.
    var common = 0
    /// How many events each side has.
    var counts = [0, 0]
    /// The first events that differ; none on the side that has no more.
    var difference: [HistorySide.Event?]?
    /// The first gap on each side; none if all events that were needed are there.
    fileprivate(set) var gaps: [Gap?] = [nil, nil]
    /// Events that the other side has not reached yet.
    fileprivate var ahead: [ArraySlice<HistorySide.Event>] = [[], []]

    var verdict: Verdict {
      if difference != nil { return .different }
      return gaps.allSatisfy { $0 == nil } ? .equal : .inconclusive
    }
  }

  private(set) var courses: [ControllerKey: Course] = [:]
  /// The controllers that only one side has.
  let only: [[ControllerKey]]
  private let isPartial: [Bool]

  init(_ sides: [HistorySide]) throws {
    isPartial = sides.map(\.isPartial)
    let keys = sides.map { Set($0.keys.values) }
    only = [keys[0].subtracting(keys[1]).sorted(), keys[1].subtracting(keys[0]).sorted()]
    for key in keys[0].intersection(keys[1]) { courses[key] = Course() }
    var isAtEnd = [false, false]
    while isAtEnd != [true, true] {
      for place in 0...1 where !isAtEnd[place] {
        guard let event = try sides[place].next() else {
          isAtEnd[place] = true
          continue
        }
        courses[event.key]?.take(event, on: place)
      }
    }
    for key in courses.keys { courses[key]?.close(with: sides.map { $0.gapAtEnd(of: key) }) }
  }

  /// Whether both sessions are equal.
  ///
  /// A controller that is missing in a history with gaps may be in the gaps.
  var verdict: Verdict {
    let verdicts = Set(courses.values.map(\.verdict))
    let isMore = (0...1).contains { !only[$0].isEmpty && !isPartial[1 - $0] }
    if verdicts.contains(.different) || isMore { return .different }
    let isWhole = only.allSatisfy(\.isEmpty) && !verdicts.contains(.inconclusive)
    return isWhole ? .equal : .inconclusive
  }

  /// The gaps behind which nothing was compared, each with its side.
  var gaps: [(key: ControllerKey, gap: Gap, place: Int)] {
    courses.filter { $0.value.verdict == .inconclusive }.sorted { $0.key < $1.key }.flatMap {
      key, course in
      course.gaps.enumerated().compactMap { place, gap in gap.map { (key, $0, place) } }
    }
  }

  /// The controller with the first difference, in the first history's order of events.
  var first: (key: ControllerKey, course: Course)? {
    func place(_ course: Course) -> Int64 {
      course.difference?.lazy.compactMap(\.self).first?.row.seq ?? .max
    }
    let parted = courses.filter { $0.value.verdict == .different }
    return parted.min { (place($0.value), $0.key) < (place($1.value), $1.key) }.map {
      ($0.key, $0.value)
    }
  }
}

extension HistoryDifference.Course {
  fileprivate mutating func take(_ event: HistorySide.Event, on place: Int) {
    counts[place] += 1
    guard difference == nil else { return }
    gaps[place] = gaps[place] ?? event.gap
    // Behind its gap the other side has nothing more to compare with.
    let isUseless = gaps[1 - place] != nil && ahead[1 - place].isEmpty
    if gaps[place] == nil, !isUseless { ahead[place].append(event) }
    while let one = ahead[0].first, let other = ahead[1].first {
      guard one.isSame(as: other) else { return part([one, other]) }
      common += 1
      for place in 0...1 { ahead[place].removeFirst() }
    }
  }

  /// One side may have ended before the other; what is missing at its end may be the rest.
  fileprivate mutating func close(with ends: [Gap?]) {
    guard difference == nil else { return }
    for place in 0...1 { gaps[place] = gaps[place] ?? ends[place] }
    let isMore = (0...1).contains { !ahead[$0].isEmpty && gaps[1 - $0] == nil }
    if isMore { part(ahead.map(\.first)) }
  }

  private mutating func part(_ events: [HistorySide.Event?]) {
    difference = events
    ahead = [[], []]
  }
}
