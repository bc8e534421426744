import StatyHistory

/// The events of a session as columns of small numbers, so that 100,000 events need only a few MB.
struct PageColumns {
  /// The number of the first event.
  ///
  /// `gaps` has the places before which numbers are missing, and how many.
  private(set) var firstSeq: Int64 = 1
  private var lastSeq: Int64 = 0
  private var gaps: [String] = []
  private(set) var count = 0
  /// The time of the first event.
  private(set) var start: Int64 = 0

  // Each is the text of a JSON list; rows are not kept.
  private var time = NumberList()
  private var kind = NumberList()
  /// The meanings of the numbers in `kind`: the visit's phase, the event's kind and its reason.
  private var whats = PlaceTable<Int>()
  private var controller = NumberList()
  private var visit = NumberList()
  private var state = NumberList()
  private var back = NumberList()
  private var site = NumberList()
  private var lastTime: Int64 = 0
  private var lastVisit: Int64 = 0

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - row: the event.
  ///   - place: the place of its controller on the page; -1 if it has none.
  ///   - name: the place of its state's name.
  ///   - asked: the place of its call site.
  ///   - phase: the phase of its visit after it, in three bits.
  mutating func add(
    _ row: EventRow, controller place: Int, state name: Int, site asked: Int, phase: Int
  ) {
    if count == 0 {
      (firstSeq, lastSeq, start) = (row.seq, row.seq - 1, row.time)
    }
    let skipped = row.seq &- lastSeq &- 1
    if skipped != 0 { gaps.append("[\(count),\(skipped)]") }
    time.add(row.time &- lastTime)
    let what = phase | Int(row.kind & 31) << 3 | Int(row.reason & 7) << 8
    kind.add(Int64(whats.place(of: what)))
    controller.add(Int64(place))
    visit.add(Int64(row.visit) - lastVisit)
    state.add(Int64(name))
    back.add(row.cause == 0 ? 0 : row.seq &- row.cause)
    site.add(Int64(asked))
    (lastSeq, lastTime, lastVisit) = (row.seq, row.time, Int64(row.visit))
    count += 1
  }

  /// Writes the columns as members of a JSON object.
  func write(to body: (String) throws -> Void) throws {
    try body("\"seq\":\(firstSeq),\"gaps\":[\(gaps.joined(separator: ","))],\"start\":\(start)")
    let columns: KeyValuePairs = [
      "time": time, "kind": kind, "controller": controller, "visit": visit, "state": state,
      "back": back, "site": site,
    ]
    try body(",\"whats\":\(whats.keys)")
    for (name, column) in columns {
      try body(",\"\(name)\":[")
      try body(column.text)
      try body("]")
    }
  }
}

/// A list of numbers, separated by commas.
private struct NumberList {
  private(set) var text = ""

  mutating func add(_ number: Int64) {
    if !text.isEmpty { text += "," }
    text += String(number)
  }
}

/// Gives each key a place, in the order of first use.
struct PlaceTable<Key: Hashable> {
  private var places: [Key: Int] = [:]
  private(set) var keys: [Key] = []

  mutating func place(of key: Key) -> Int {
    if let known = places[key] { return known }
    places[key] = keys.count
    keys.append(key)
    return keys.count - 1
  }
}
