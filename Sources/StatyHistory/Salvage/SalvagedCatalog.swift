/// What a damaged file still says beside its events.
///
/// Where a page is lost, an index may have what stood on it a second time.
struct SalvagedCatalog {
  private(set) var names: [Int32: String] = [:]
  /// Names of which the index says something else than the table: one of the two is damaged.
  private(set) var doubted: [Int32: String] = [:]
  private(set) var sites: [Int32: SiteRecord] = [:]
  private(set) var sessions: [SalvagedSession] = []
  /// How many others there are, of which cannot be what is said.
  private(set) var sessionsLeftOut = 0
  private var chain: [ChainRun] = []
  /// What the numbers of names and places stand for.
  private var shared = ContentHashes()
  private let rows: [Int64: [ControllerRow]]

  init(_ survey: PageSurvey) {
    rows = Dictionary(grouping: ControllerRow.all(survey), by: \.session)
    readNames(survey)
    readSites(survey)
    for row in survey.rows(of: .chain) {
      guard let numbers = row.numbers(1, 2, 3), numbers[0] >= row.key, numbers[1] >= 0,
        numbers[0] <= HistoryFile.mostNumber
      else { continue }
      chain.append(
        ChainRun(
          first: row.key, last: numbers[0], count: numbers[1],
          sum: UInt64(bitPattern: numbers[2])))
    }
    let beginnings = Set(chain.map(\.first))
    (sessions, sessionsLeftOut) = SalvagedSession.all(survey, isBeginning: beginnings.contains)
    hashShared()
    readLosses(survey)
    readControllers()
  }

  /// Takes the other text of a name of which there are two.
  mutating func swapDoubted(_ number: Int32) {
    guard let text = doubted[number] else { return }
    doubted[number] = names[number]
    names[number] = text
    shared.names.set(number, to: ContentHash.text(text))
    readControllers()
  }

  /// Puts bits back that were flipped in what is said of sessions, as their seals have it.
  ///
  /// - Parameter mends: how many times that may still be tried.
  mutating func mendSessions(_ mends: inout Int, _ budget: MendBudget) {
    for index in sessions.indices where sessions[index].sealed == .nothing {
      guard mends > 0 else { return }
      mends -= 1
      let rows = Dictionary(
        (rows[sessions[index].record.id] ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
      let (names, hashes) = (names, shared.names)
      sessions[index].mend(budget) { rows[$0.id]?.mended(names, hashes, budget, $1) }
    }
  }
}

// MARK: The chain

extension SalvagedCatalog {
  /// What the numbers in the rows of a session stand for.
  func hashes(of session: SalvagedSession) -> ContentHashes {
    var hashes = shared
    for (ordinal, controller) in session.controllers.enumerated() {
      hashes.add(controller, ordinal: ordinal)
    }
    return hashes
  }

  /// The runs of a session, none over another.
  ///
  /// - Parameter most: so many events may be in one.
  func runs(of session: SalvagedSession, most: Int64) -> [ChainRun] {
    var runs: [ChainRun] = []
    for run in own(session) {
      guard run.count > 0, run.count <= most, run.count <= run.last - run.first + 1,
        run.first >= session.record.firstSeq, run.last <= session.record.lastOwnSeq,
        run.first > runs.last?.last ?? 0
      else { continue }
      runs.append(run)
    }
    return runs
  }

  /// The last run that a session is said to have.
  func lastRun(of session: SalvagedSession) -> ChainRun? { own(session).last }

  private func own(_ session: SalvagedSession) -> ArraySlice<ChainRun> {
    let record = session.record
    let first = chain.partition { $0.first >= record.firstSeq }
    return chain[first...].prefix { $0.first <= record.lastOwnSeq }
  }
}

// MARK: Reading

extension SalvagedCatalog {
  private mutating func hashShared() {
    for number in names.keys.sorted() {
      shared.names.set(number, to: ContentHash.text(names[number]!))
    }
    for (number, site) in sites.sorted(by: { $0.key < $1.key }) {
      shared.sites.set(number, to: ContentHash.site(file: site.file, line: site.line))
    }
  }

  private mutating func readNames(_ survey: PageSurvey) {
    for row in survey.rows(of: .name) {
      if let number = row.number, let text = row.name(at: 1) { names[number] = text }
    }
    for entry in survey.entries(of: "sqlite_autoindex_name_1") where entry.count == 2 {
      guard let number = entry[1].integer.flatMap(Int32.init(exactly:)), number > 0,
        let text = entry[0].name
      else { continue }
      if let known = names[number] {
        if known != text { doubted[number] = text }
      } else {
        names[number] = text
      }
    }
  }

  private mutating func readSites(_ survey: PageSurvey) {
    for entry in survey.entries(of: "sqlite_autoindex_site_1") where entry.count == 3 {
      guard let number = entry[2].integer.flatMap(Int32.init(exactly:)), let file = entry[0].name,
        let line = entry[1].integer
      else { continue }
      sites[number] = SiteRecord(file: file, line: line)
    }
    for row in survey.rows(of: .site) {
      guard let number = row.number, let file = row.name(at: 1), let line = row.values[2].integer
      else { continue }
      sites[number] = SiteRecord(file: file, line: line)
    }
  }

  private mutating func readLosses(_ survey: PageSurvey) {
    for row in survey.rows(of: .loss) {
      guard let numbers = row.numbers(1, 2), let reason = row.name(at: 3),
        numbers[0] <= HistoryFile.mostNumber, numbers[1] <= HistoryFile.mostNumber
      else { continue }
      let index = sessions.partition { $0.record.firstSeq > row.key } - 1
      guard index >= 0 else { continue }
      sessions[index].losses.append(
        LossRecord(firstSeq: row.key, lastSeq: numbers[0], count: numbers[1], reason: reason))
    }
  }

  private mutating func readControllers() {
    for index in sessions.indices {
      let rows = rows[sessions[index].record.id] ?? []
      sessions[index].controllers = rows.map { $0.record(names) }
    }
  }
}

/// A row of the table `controller`, in which texts have numbers.
private struct ControllerRow {
  let id: Int32
  let session: Int64
  let name: Int64
  let policy: Int64
  let discipline: UInt8
  let fidelity: UInt8
  let snapshot: [UInt8]

  static func all(_ survey: PageSurvey) -> [ControllerRow] {
    survey.rows(of: .controller).sorted { $0.key < $1.key }.compactMap(ControllerRow.init)
  }

  private init?(_ row: StoredRow) {
    guard let number = row.number, let said = row.numbers(1, 2, 3, 4, 5),
      let snapshot = row.values[6].bytes
    else { return nil }
    (id, session, name, policy) = (number, said[0], said[1], said[2])
    discipline = UInt8(truncatingIfNeeded: said[3])
    fidelity = UInt8(truncatingIfNeeded: said[4])
    self.snapshot = snapshot
  }

  /// What it says; a number that stands for nothing is an empty text.
  func record(_ names: [Int32: String]) -> ControllerRecord {
    func text(_ number: Int64) -> String { Int32(exactly: number).flatMap { names[$0] } ?? "" }
    return ControllerRecord(
      id: id, session: session, name: text(name), policy: text(policy),
      discipline: discipline, fidelity: fidelity,
      snapshot: String(decoding: snapshot, as: UTF8.self))
  }

  /// What it said before a bit was flipped in it with which its hashes are right; none if there is none.
  ///
  /// - Parameter hashes: those of the names.
  func mended(
    _ names: [Int32: String], _ hashes: NumberedHashes, _ budget: MendBudget,
    _ isRight: (SessionSeal.ControllerHashes) -> Bool
  ) -> ControllerRecord? {
    let record = record(names)
    let said = SessionSeal.ControllerHashes(
      name: ContentHash.text(record.name), policy: ContentHash.text(record.policy),
      discipline: discipline, fidelity: fidelity, snapshot: ContentHash.text(record.snapshot))
    for bit in 0..<31 {
      // Four numbers.
      guard budget.take(128) else { return nil }
      var flipped = said
      if let (number, text) = Self.name(name ^ 1 << bit, names) {
        flipped.name = hashes[number]
        if isRight(flipped) { return record.with { $0.name = text } }
        flipped = said
      }
      if let (number, text) = Self.name(policy ^ 1 << bit, names) {
        flipped.policy = hashes[number]
        if isRight(flipped) { return record.with { $0.policy = text } }
        flipped = said
      }
      guard bit < 8 else { continue }
      flipped.fidelity = fidelity ^ 1 << UInt8(bit)
      if isRight(flipped) { return record.with { $0.fidelity = flipped.fidelity } }
      flipped = said
      flipped.discipline = discipline ^ 1 << UInt8(bit)
      if isRight(flipped) { return record.with { $0.discipline = flipped.discipline } }
    }
    var bytes = snapshot
    let isMended = bytes.flipBit(budget) { hash in
      var flipped = said
      flipped.snapshot = hash
      return isRight(flipped)
    }
    guard isMended, let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return record.with { $0.snapshot = text }
  }

  private static func name(_ number: Int64, _ names: [Int32: String]) -> (Int32, String)? {
    Int32(exactly: number).flatMap { number in names[number].map { (number, $0) } }
  }
}

extension ControllerRecord {
  fileprivate func with(_ change: (inout ControllerRecord) -> Void) -> ControllerRecord {
    var record = self
    change(&record)
    return record
  }
}

extension StoredRow {
  /// Its number, if it is one that events can name.
  fileprivate var number: Int32? { key > 0 ? Int32(exactly: key) : nil }

  /// The numbers in these columns; none if one is something else.
  func numbers(_ columns: Int...) -> [Int64]? {
    let numbers = columns.compactMap { values[$0].integer }
    return numbers.count == columns.count ? numbers : nil
  }

  /// The text in a column; none if it is longer than any name.
  func name(at column: Int) -> String? { values[column].name }
}

extension StoredValue {
  /// The text; none if it is longer than any name.
  var name: String? {
    guard let bytes, bytes.count <= HistoryFile.mostNameBytes else { return nil }
    return text
  }
}
