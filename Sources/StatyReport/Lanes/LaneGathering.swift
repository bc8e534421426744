/// Selects the lanes to show from very many.
///
/// The cost per lane is constant, because a session can have millions.
struct LaneGathering {
  /// The number of lanes that match the choice.
  private(set) var count = 0
  private let choice: SessionLanes.Choice
  private let broken: [VisitLane.Key: Bool]
  private var errors: [VisitLane.Key: VisitLane] = [:]
  private var others: [VisitLane.Key: VisitLane] = [:]
  private var recent: [VisitLane] = []
  /// The places of the lanes in `recent`, counted from the first that was ever added.
  private var places: [VisitLane.Key: Int] = [:]
  /// The number of lanes that were removed from `recent`.
  private var dropped = 0

  /// - Parameters:
  ///   - choice: which lanes match.
  ///   - broken: the visits with findings, and whether these are errors.
  init(_ choice: SessionLanes.Choice, broken: [VisitLane.Key: Bool]) {
    (self.choice, self.broken) = (choice, broken)
  }

  /// Adds a lane that has ended, or is open at the end of the session.
  ///
  /// - Parameters:
  ///   - lane: the lane.
  ///   - end: the end of recording, if the visit is open.
  ///   - isStuck: whether the visit is stuck.
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

  /// The lanes to show, by controller and number.
  var chosen: [VisitLane] {
    var chosen = errors.values.sorted { $0.key < $1.key }
    chosen += others.values.sorted { $0.key < $1.key }.prefix(most - min(most, chosen.count))
    chosen += recent.suffix(most - min(most, chosen.count))
    return chosen.sorted { $0.key < $1.key }
  }
}

extension LaneGathering {
  private var most: Int { choice.limit }

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

  /// Appends later events of a visit that has already ended; `false` if the visit is not known.
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
