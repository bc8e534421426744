import Staty

/// A visit and the number of its state's name; 0 where there is none.
typealias VisitAndState = (visit: UInt32, state: Int32)

/// The controllers of the session that lines are about.
struct ImportedControllers {
  private struct Entry {
    let name: String
    let policy: String
    let discipline: UInt8
    let fidelity: UInt8?
    let snapshot: String
    /// Its number in the file; 0 until it is stored.
    var id: Int32 = 0
    var visits = PlainVisits()
    /// Whether its controller was ever said to tell a state something.
    var hasTelling = false
  }

  private var entries: [Entry] = []
  private var places: [ExactText: Int] = [:]
  private var stored = 0

  /// So many are more than any program has.
  private static let most = 1 << 20

  /// Takes in what a line says of a controller.
  mutating func declare(_ line: TransferLine, isPlain: Bool) throws(LineProblem) {
    let name = try line.neededText(.controller, "the controller's name")
    let fidelity = try line.fidelity()
    if isPlain, fidelity == Fidelity.full.rawValue {
      throw LineProblem(
        "'fidelity' is 'full'",
        "That needs causes, and so a session that says 'first_seq'; else it is 'ordered'.")
    }
    let entry = Entry(
      name: name, policy: try line.text(.policy) ?? Self.unknownPolicy,
      discipline: try line.discipline(), fidelity: fidelity,
      snapshot: try line.snapshot())
    try add(entry, as: try line.text(.key) ?? name)
  }

  /// The policy of a controller of which none is said.
  fileprivate static let unknownPolicy = "unknown"

  private mutating func add(_ entry: Entry, as key: String) throws(LineProblem) {
    // What is refused must not be found again.
    guard places[ExactText(text: key)] == nil else {
      throw LineProblem(
        "there is a controller '\(key)' already", "Give the second one a 'key' of its own.")
    }
    guard entries.count < Self.most else {
      throw LineProblem("there are too many controllers", "Name each by what it is, not by when.")
    }
    places[ExactText(text: key)] = entries.count
    entries.append(entry)
  }

  /// Stores those that were declared since this was done last.
  mutating func store(in session: Int64, _ writer: any LineStore) throws(HistoryError) {
    while stored < entries.count {
      try store(stored, in: session, writer)
      stored += 1
    }
  }

  private mutating func store(
    _ place: Int, in session: Int64, _ writer: any LineStore
  ) throws(HistoryError) {
    let entry = entries[place]
    entries[place].id = try writer.addController(
      session: session, name: entry.name, policy: entry.policy, discipline: entry.discipline,
      fidelity: entry.fidelity ?? Fidelity.ordered.rawValue, snapshot: entry.snapshot)
  }
}

// MARK: Numbered sessions

extension ImportedControllers {
  /// The number of the controller that a line names; 0 if it names none, as only marks may.
  func number(of line: TransferLine, _ kind: EventKind) throws(LineProblem) -> Int32 {
    guard let key = try line.text(.controller) else { return 0 }
    guard let place = places[ExactText(text: key)], entries[place].id != 0 else {
      throw LineProblem(
        "no controller is called '\(key)'",
        "In a session that says 'first_seq', each has a line of type 'controller' before.")
    }
    return entries[place].id
  }

  /// Takes in a controller of which nothing was said before its first event.
  mutating func meet(
    _ line: TransferLine, in session: Int64, _ writer: any LineStore
  ) throws {
    guard let key = try line.text(.controller), places[ExactText(text: key)] == nil else { return }
    try add(
      Entry(
        name: key, policy: try line.text(.policy) ?? Self.unknownPolicy,
        discipline: try line.discipline(),
        fidelity: try line.choice(.fidelity, Fidelity.words)?.rawValue,
        snapshot: Self.unknownSnapshot), as: key)
    try store(in: session, writer)
  }

  /// What says where a controller stood of which that is not known.
  fileprivate static let unknownSnapshot = "?"
}

// MARK: Plain sessions

extension ImportedControllers {
  /// The number of the controller that a line names, and whether this is its first event.
  mutating func begin(
    _ line: TransferLine, in session: Int64, _ writer: any LineStore
  ) throws -> (Int32, isNew: Bool) {
    let key = try line.neededText(.controller, "the controller's name")
    if places[ExactText(text: key)] == nil {
      let entry = Entry(
        name: key, policy: Self.unknownPolicy, discipline: Discipline.inOrder.rawValue,
        fidelity: nil,
        snapshot: SnapshotRecord().text)
      try add(entry, as: key)
    }
    // It was found or added just now.
    let place = places[ExactText(text: key)]!
    if entries[place].id != 0 { return (entries[place].id, false) }
    try store(place, in: session, writer)
    return (entries[place].id, true)
  }

  /// Which visit of its controller an event is about.
  mutating func visit(
    of line: TransferLine, _ kind: EventKind, _ state: Int32
  ) throws(LineProblem) -> VisitAndState {
    guard let key = try line.text(.controller), let place = places[ExactText(text: key)] else {
      return (0, state)
    }
    if kind == .entering || kind == .exiting { entries[place].hasTelling = true }
    return try entries[place].visits.visit(of: line, kind, state)
  }

  /// The numbers of those of which nothing was said but what three kinds say.
  var threeKind: [Int32] {
    entries.filter { $0.id != 0 && $0.fidelity == nil && !$0.hasTelling }.map(\.id)
  }
}

extension TransferLine {
  /// What a key says as a number; none if it says something else.
  fileprivate func number(_ key: TransferKey) -> UInt8? {
    if case .integer(let number) = self[key] { UInt8(clamping: number) } else { nil }
  }

  /// How much is told of a controller; none if that is not said.
  fileprivate func fidelity() throws(LineProblem) -> UInt8? {
    if let number = number(.fidelity) { return number }
    return try choice(.fidelity, Fidelity.words)?.rawValue
  }

  /// The discipline of a controller; without a word it is in order.
  fileprivate func discipline() throws(LineProblem) -> UInt8 {
    if let number = number(.discipline) { return number }
    return try (choice(.discipline, Discipline.words) ?? .inOrder).rawValue
  }
}

extension ControllerRecord {
  /// Whether it came up in a part of a session that says nothing of it: neither where it stood nor
  /// by what discipline it decides.
  package var isStranger: Bool {
    policy == ImportedControllers.unknownPolicy
      && snapshot == ImportedControllers.unknownSnapshot
  }
}
