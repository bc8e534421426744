import Staty

/// The visits of a controller that are open, found by number, or by state and what was heard of them.
///
/// Its memory follows the visits that are open.
struct OpenPlainVisits {
  /// What was heard of a visit, as far as it matters to who is meant.
  struct Heard: OptionSet, Hashable {
    let rawValue: UInt8

    static let entering = Heard(rawValue: 1)
    static let entered = Heard(rawValue: 2)
    static let exiting = Heard(rawValue: 4)
    static let all: [Heard] = (0...7).map { Heard(rawValue: $0) }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What an event of this kind lets be heard.
    init(_ kind: EventKind) {
      switch kind {
      case .entering: self = .entering
      case .entered: self = .entered
      case .exiting: self = .exiting
      default: self = []
      }
    }
  }

  /// What the visits of a line have in common.
  private struct Group: Hashable {
    let state: Int32
    var heard: Heard
  }

  private struct Open {
    var group: Group
    /// How many were opened before it.
    let order: Int
  }

  private var open: [UInt32: Open] = [:]
  private var lines: [Group: OpeningLine] = [:]
  private var opened = 0

  /// How many there are.
  var count: Int { open.count }

  /// How many places all lines hold, also of those that have left.
  var places: Int { lines.values.reduce(0) { $0 + $1.length } }

  /// The state of an open visit.
  func state(of visit: UInt32) -> Int32? { open[visit]?.group.state }

  /// Takes in a visit that is not open yet.
  mutating func begin(_ visit: UInt32, in state: Int32, hearing heard: Heard) {
    let one = Open(group: Group(state: state, heard: heard), order: opened)
    opened += 1
    open[visit] = one
    join(visit, one)
  }

  /// Takes in that this was heard of an open visit.
  mutating func hear(_ heard: Heard, of visit: UInt32) {
    guard var one = open[visit], !one.group.heard.isSuperset(of: heard) else { return }
    let before = one.group
    one.group.heard.formUnion(heard)
    open[visit] = one
    leave(before)
    join(visit, one)
  }

  /// Takes in that a visit is not open any more.
  mutating func close(_ visit: UInt32) {
    guard let one = open.removeValue(forKey: visit) else { return }
    leave(one.group)
  }

  /// Which visit of a state was opened first, of those of which all of one was heard and nothing of
  /// the other.
  mutating func first(
    of state: Int32, with wanted: Heard = [], without unwanted: Heard = []
  ) -> UInt32? {
    var first: OpeningLine.Place?
    for heard in Heard.all where heard.isSuperset(of: wanted) && heard.isDisjoint(with: unwanted) {
      let group = Group(state: state, heard: heard)
      let place = lines[group]?.first { [open] in Self.stands($0, in: group, open) }
      if let place, place.order < first?.order ?? .max { first = place }
    }
    return first?.visit
  }

  private mutating func join(_ visit: UInt32, _ one: Open) {
    lines[one.group, default: OpeningLine()].append(.init(order: one.order, visit: visit))
  }

  /// Takes in that one has left a line; it is found gone when its turn comes.
  private mutating func leave(_ group: Group) {
    lines[group]?.leave { [open] in Self.stands($0, in: group, open) }
    if lines[group]?.isEmpty ?? false { lines[group] = nil }
  }

  /// Whether a visit has not left its line since it came there.
  private static func stands(
    _ place: OpeningLine.Place, in group: Group, _ open: [UInt32: Open]
  ) -> Bool {
    guard let one = open[place.visit] else { return false }
    return one.order == place.order && one.group == group
  }
}

/// Visits in the order in which they were opened, in whatever order they come.
///
/// Who leaves stays in it until its turn comes, or until more have left than are there.
private struct OpeningLine {
  struct Place {
    /// How many were opened before it.
    let order: Int
    let visit: UInt32
  }

  // A heap: no place comes after those at twice its own.
  private var places: [Place] = []
  private var count = 0

  /// How many places it holds, also of those that have left.
  var length: Int { places.count }

  /// Whether all have left.
  var isEmpty: Bool { count == 0 }

  mutating func append(_ place: Place) {
    count += 1
    places.append(place)
    rise(from: places.count - 1)
  }

  /// Takes in that one has left.
  mutating func leave(_ stands: (Place) -> Bool) {
    count -= 1
    guard places.count > 2 * count + 16 else { return }
    // In order they are a heap, too.
    places = places.filter(stands).sorted { $0.order < $1.order }
  }

  /// The one that was opened first of those that have not left.
  mutating func first(_ stands: (Place) -> Bool) -> Place? {
    while let place = places.first {
      if stands(place) { return place }
      removeFirst()
    }
    return nil
  }

  private mutating func removeFirst() {
    let last = places.removeLast()
    guard !places.isEmpty else { return }
    places[0] = last
    sink()
  }

  private mutating func rise(from place: Int) {
    var place = place
    while place > 0, places[place].order < places[(place - 1) / 2].order {
      places.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink() {
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < places.count {
        if places[child].order < places[least].order { least = child }
      }
      if least == place { return }
      places.swapAt(place, least)
      place = least
    }
  }
}
