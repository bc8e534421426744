/// Keeps of very many lanes those that are to be seen.
///
/// Each lane costs the same, however many there are: a session has millions.
struct LaneGathering {
  /// How many there were that were meant.
  private(set) var count = 0
  private let choice: SessionLanes.Choice
  private let broken: [VisitLane.Key: Bool]
  private var errors: [VisitLane.Key: VisitLane] = [:]
  private var others: [VisitLane.Key: VisitLane] = [:]
  private var recent: [VisitLane] = []
  /// Where those in `recent` are, counted from the first that ever was there.
  private var places: [VisitLane.Key: Int] = [:]
  /// How many were there and are not kept.
  private var dropped = 0

  /// - Parameter broken: the visits of which a rule says something, and whether it is an error.
  init(_ choice: SessionLanes.Choice, broken: [VisitLane.Key: Bool]) {
    (self.choice, self.broken) = (choice, broken)
  }

  /// Takes in a lane that is over, or open at the end.
  ///
  /// - Parameter end: until when it lasted, if it is not over.
  mutating func add(_ lane: VisitLane, until end: Int64? = nil, isStuck: Bool = false) {
    if append(lane) { return }
    guard choice.controllers?.contains(lane.key.controller) ?? true,
      choice.states?.contains(lane.state) ?? true,
      lane.firstTime <= choice.times.upperBound,
      max(lane.lastTime, end ?? 0) >= choice.times.lowerBound
    else { return }
    count += 1
    let isError = broken[lane.key]
    if isError == true, errors.count < most {
      errors[lane.key] = lane
    } else if isError != nil || isStuck, others.count < most {
      others[lane.key] = lane
    } else {
      keep(lane)
    }
  }

  /// Those that are to be seen, by controller and number.
  var chosen: [VisitLane] {
    var chosen = errors.values.sorted { $0.key < $1.key }
    chosen += others.values.sorted { $0.key < $1.key }.prefix(most - min(most, chosen.count))
    chosen += recent.suffix(most - min(most, chosen.count))
    return chosen.sorted { $0.key < $1.key }
  }
}

extension LaneGathering {
  private var most: Int { choice.limit ?? .max }

  private mutating func keep(_ lane: VisitLane) {
    places[lane.key] = dropped + recent.count
    recent.append(lane)
    guard most < .max / 2, recent.count >= 2 * most + 2 else { return }
    let old = recent.count - most
    for (place, lane) in recent.prefix(old).enumerated()
    where places[lane.key] == dropped + place {
      places[lane.key] = nil
    }
    recent.removeFirst(old)
    dropped += old
  }

  /// Whether it is what happened to a known visit after it was over.
  private mutating func append(_ lane: VisitLane) -> Bool {
    if errors[lane.key] != nil {
      errors[lane.key]?.append(lane)
    } else if others[lane.key] != nil {
      others[lane.key]?.append(lane)
    } else if let place = places[lane.key] {
      recent[place - dropped].append(lane)
    } else {
      return false
    }
    return true
  }
}
