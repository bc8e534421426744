import StatyHistory
/// Everything that a damaged file still holds besides its events.
///
/// If a page is lost, an index may still hold a second copy of its content.
struct SalvagedCatalog {
  private(set) var names: [Int32: String] = [:]
  private(set) var sites: [Int32: SiteRecord] = [:]
  private(set) var sessions: [SalvagedSession] = []
  /// The number of other sessions, which have impossible data.
  private(set) var sessionsLeftOut = 0
  private var chain: [ChainRun] = []
  /// The hashes of names and places.
  private var shared = ContentHashes()

  init(_ survey: PageSurvey) {
    readNames(survey)
    readSites(survey)
    chain = survey.rows(of: .chain).compactMap { row in
      guard let numbers = row.numbers(1, 2, 3) else { return nil }
      return ChainRun(
        first: row.key, last: numbers[0], count: numbers[1], sum: UInt64(bitPattern: numbers[2]))
    }
    (sessions, sessionsLeftOut) = SalvagedSession.all(survey)
    readLosses(survey)
    readControllers(survey)
  }

  /// The hashes for the rows of a session.
  func hashes(of session: SalvagedSession) -> ContentHashes {
    var hashes = shared
    for (ordinal, controller) in session.controllers.enumerated() {
      hashes.add(controller, ordinal: ordinal)
    }
    return hashes
  }

  /// The runs of a session, in order.
  func runs(of session: SalvagedSession) -> ArraySlice<ChainRun> {
    let record = session.record
    let first = chain.partition { $0.first >= record.firstSeq }
    return chain[first...].prefix { $0.first <= record.lastOwnSeq }
  }

  private mutating func readNames(_ survey: PageSurvey) {
    for entry in survey.entries(of: "sqlite_autoindex_name_1") where entry.count == 2 {
      guard let number = entry[1].integer.flatMap(Int32.init(exactly:)), number > 0 else {
        continue
      }
      names[number] = entry[0].name
    }
    for row in survey.rows(of: .name) {
      if let number = row.number, let text = row.name(at: 1) { names[number] = text }
    }
    for (number, text) in names.sorted(by: { $0.key < $1.key }) {
      shared.names.set(number, to: ContentHash.text(text))
    }
  }

  private mutating func readSites(_ survey: PageSurvey) {
    for entry in survey.entries(of: "sqlite_autoindex_site_1") where entry.count == 3 {
      guard let number = entry[2].integer.flatMap(Int32.init(exactly:)), number > 0,
        let file = entry[0].name, let line = entry[1].integer
      else { continue }
      sites[number] = SiteRecord(file: file, line: line)
    }
    for row in survey.rows(of: .site) {
      guard let number = row.number, let file = row.name(at: 1), let line = row.values[2].integer
      else { continue }
      sites[number] = SiteRecord(file: file, line: line)
    }
    for (number, site) in sites.sorted(by: { $0.key < $1.key }) {
      shared.sites.set(number, to: ContentHash.site(file: site.file, line: site.line))
    }
  }

  private mutating func readLosses(_ survey: PageSurvey) {
    for row in survey.rows(of: .loss) {
      guard let numbers = row.numbers(1, 2), let reason = row.name(at: 3), numbers[0] >= row.key,
        numbers[0] <= HistoryFile.mostNumber, numbers[1] <= HistoryFile.mostNumber
      else { continue }
      let index = sessions.partition { $0.record.firstSeq > row.key } - 1
      guard index >= 0 else { continue }
      sessions[index].losses.append(
        LossRecord(firstSeq: row.key, lastSeq: numbers[0], count: numbers[1], reason: reason))
    }
  }

  private mutating func readControllers(_ survey: PageSurvey) {
    let places = Dictionary(uniqueKeysWithValues: sessions.enumerated().map { ($1.record.id, $0) })
    for row in survey.rows(of: .controller) {
      guard let number = row.number, let said = row.numbers(1, 2, 3, 4, 5),
        let place = places[said[0]]
      else { continue }
      // A number that stands for nothing becomes an empty text.
      func text(_ number: Int64) -> String { Int32(exactly: number).flatMap { names[$0] } ?? "" }
      sessions[place].controllers.append(
        ControllerRecord(
          id: number, session: said[0], name: text(said[1]), policy: text(said[2]),
          discipline: UInt8(truncatingIfNeeded: said[3]),
          fidelity: UInt8(truncatingIfNeeded: said[4]), snapshot: row.values[6].text ?? ""))
    }
  }
}
