/// What a damaged file still says beside its events.
///
/// Where a page is lost, an index may have what stood on it a second time.
struct SalvagedCatalog {
  private(set) var names: [Int32: String] = [:]
  /// Names of which the index says something else than the table: one of the two is damaged.
  private(set) var doubted: [Int32: String] = [:]
  private(set) var sites: [Int32: SiteRecord] = [:]
  private(set) var sessions: [SalvagedSession] = []
  private(set) var controllers: [Int64: [ControllerRecord]] = [:]
  private(set) var losses: [LossRecord] = []
  private(set) var chain: [ChainRun] = []
  /// What the numbers of names and places stand for.
  private var shared = ContentHashes()

  init(_ survey: PageSurvey) {
    readNames(survey)
    readSites(survey)
    hashShared()
    readControllers(survey)
    for row in survey.rows(of: .loss) {
      guard let numbers = row.numbers(1, 2), let reason = row.name(at: 3), numbers[1] > 0,
        numbers[0] >= row.key, numbers[1] <= numbers[0] &- row.key &+ 1
      else { continue }
      losses.append(
        LossRecord(firstSeq: row.key, lastSeq: numbers[0], count: numbers[1], reason: reason))
    }
    for row in survey.rows(of: .chain) {
      guard let numbers = row.numbers(1, 2, 3), numbers[0] >= row.key, numbers[1] >= 0 else {
        continue
      }
      chain.append(
        ChainRun(
          first: row.key, last: numbers[0], count: numbers[1],
          sum: UInt64(bitPattern: numbers[2])))
    }
    sessions = SalvagedSession.all(survey)
  }

  /// Takes the other text of the names of which there are two.
  mutating func swapDoubted() {
    for (number, text) in doubted {
      doubted[number] = names[number]
      names[number] = text
      shared.names.set(number, to: ContentHash.text(text))
    }
  }

  private mutating func hashShared() {
    for number in names.keys.sorted() {
      shared.names.set(number, to: ContentHash.text(names[number]!))
    }
    for (number, site) in sites.sorted(by: { $0.key < $1.key }) {
      shared.sites.set(number, to: ContentHash.site(file: site.file, line: site.line))
    }
  }

  /// What the numbers in the rows of a session stand for.
  func hashes(of session: Int64) -> ContentHashes {
    var hashes = shared
    for (ordinal, controller) in (controllers[session] ?? []).enumerated() {
      hashes.add(controller, ordinal: ordinal)
    }
    return hashes
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

  private mutating func readControllers(_ survey: PageSurvey) {
    for row in survey.rows(of: .controller).sorted(by: { $0.key < $1.key }) {
      guard let number = row.number, let said = row.numbers(1, 2, 3, 4),
        let name = Int32(exactly: said[1]).flatMap({ names[$0] }),
        let policy = Int32(exactly: said[2]).flatMap({ names[$0] }),
        let fidelity = UInt8(exactly: said[3]), let snapshot = row.values[5].text
      else { continue }
      controllers[said[0], default: []].append(
        ControllerRecord(
          id: number, session: said[0], name: name, policy: policy, fidelity: fidelity,
          snapshot: snapshot, cut: row.cut))
    }
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

  fileprivate var cut: ControllerCut? {
    guard values.count == 9, let said = numbers(6, 7, 8),
      let standing = UInt8(exactly: said[0]).flatMap(ControllerCut.Standing.init)
    else { return nil }
    return ControllerCut(standing, since: said[1], time: said[2])
  }
}

extension StoredValue {
  /// The text; none if it is longer than any name.
  var name: String? {
    guard let bytes, bytes.count <= HistoryFile.mostNameBytes else { return nil }
    return text
  }
}
