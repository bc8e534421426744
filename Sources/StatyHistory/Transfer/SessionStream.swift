/// Sessions out of lines of text that come as engines hand them out: several sessions mixed, and some
/// of which only a part is there.
///
/// Each session has a keeper of its own, into whose store goes what its lines say. A line says by
/// `uuid` whose it is; one that does not belongs to the session that began last.
package struct SessionStream<Keeper> {
  /// A session that is over.
  package struct Ended {
    /// Its name everywhere, and who recorded it; nothing of what no session's line was.
    package var opening: SessionOpening?
    /// How many events it has.
    package var events: Int64 = 0
    /// Whether it was there from its beginning to its end.
    package var isComplete = false
    /// What was wrong with its lines; nothing after that was looked at.
    package var problem: ImportRefusal.Problem?
    /// Who has kept what its lines say; nobody if nothing could be made of them.
    package var keeper: Keeper?
  }

  private struct Open {
    var session: ImportedSession
    let keeper: Keeper
    /// Its place among all that began.
    let place: Int
    /// Whether each of its lines says whose it is.
    let isFlat: Bool
    var isFragment = false
    var problem: ImportRefusal.Problem?
  }

  /// The bytes that a line may have.
  private static var lineBytes: Int { 32 << 20 }
  /// So many sessions may be open at once; then the one that has been longest is broken off.
  private let mostOpen: Int
  private let makeKeeper: () throws -> Keeper
  private let store: (Keeper) -> any LineStore
  private let end: (Ended) throws -> Void
  private var splitter = LineSplitter()
  private var number = 0
  private var open: [String: Open] = [:]
  /// Those that began, the oldest first; some of them have ended since.
  private var began: ArraySlice<(name: String, place: Int)> = []
  private var count = 0
  /// The session that lines belong to which do not say whose they are.
  private var current: String?

  /// - Parameters:
  ///   - mostOpen: how many sessions may be open at once.
  ///   - makeKeeper: makes the keeper of a session.
  ///   - store: gives the store of a keeper.
  ///   - end: is given each session when it is over.
  package init(
    mostOpen: Int, makeKeeper: @escaping () throws -> Keeper,
    store: @escaping (Keeper) -> any LineStore, end: @escaping (Ended) throws -> Void
  ) {
    self.mostOpen = mostOpen
    self.makeKeeper = makeKeeper
    self.store = store
    self.end = end
  }

  /// Takes the next part of the text.
  package mutating func take(_ part: some Collection<UInt8>) throws {
    for line in splitter.lines(after: part) { try take(line: line) }
    guard splitter.waitingCount > Self.lineBytes else { return }
    // Nobody knows whose it is; what comes after its end can be judged.
    splitter.skip()
    number += 1
    try refuse(LineProblem("it is longer than \(Self.lineBytes) bytes", "End each line."), of: nil)
  }

  /// Says that this was all.
  package mutating func finish() throws {
    if let rest = splitter.rest() { try take(line: rest, isCut: true) }
    while let name = takeOldest() { try endOpen(name) }
  }
}

// MARK: Lines

extension SessionStream {
  /// - Parameter isCut: whether the text ended before the line did.
  private mutating func take(line bytes: ArraySlice<UInt8>, isCut: Bool = false) throws {
    number += 1
    let text = number == 1 ? bytes.withoutMark : bytes
    if text.isBlank { return }
    var line = TransferLine()
    line.number = number
    do {
      try JSONLineReading.read(text, into: &line)
      line.digest = text.withUnsafeBytes(ContentHash.bytes)
      try line.checkVersion()
    } catch {
      let name = (try? line.text(.uuid)) ?? current
      // Where engines cut files, the last line is none; what came before it counts.
      if isCut, !open.isEmpty { return }
      return try refuse(error, of: name, line)
    }
    // The first line of a text, which may be several texts one after the other.
    if line[.format] != .absent { return }
    let name = (try? line.text(.uuid)) ?? current
    do {
      try take(line, of: name)
    } catch let problem as LineProblem {
      try refuse(problem, of: name, line)
    }
  }

  private mutating func take(_ line: TransferLine, of name: String?) throws {
    guard let type = line.type else {
      throw LineProblem("it is of a type that is not known", "See the guide to histories as text.")
    }
    if type != .session, let name, open[name]?.problem != nil {
      if type == .end { try endOpen(name) }
      return
    }
    try line.checkKeys(of: type)
    try line.checkLengths()
    if type == .session { return try begin(line) }
    let name = try name ?? beginFragment(line, as: try line.text(.uuid))
    if open[name] == nil { _ = try beginFragment(line, as: name) }
    if type == .end { return try endOpen(name, line) }
    try open[name]?.session.take(line, type)
  }

  private mutating func begin(_ line: TransferLine) throws {
    let isFlat = line[.version] != .absent
    // One that does not say whose its lines are ends where the next begins.
    if !isFlat, let current { try endOpen(current) }
    let name = try line.text(.uuid) ?? "line \(number)"
    if let known = open[name] {
      // It is one session all the same, and has one verdict.
      guard !known.isFragment || !isFlat else {
        throw LineProblem(
          "the session begins after lines of it", "In a session lines are to be in order.")
      }
      try endOpen(name)
    }
    let keeper = try makeKeeper()
    let session = try ImportedSession(line, after: 0, store(keeper))
    try add(session, keeper, name, isFlat: isFlat, isFragment: false)
  }

  /// Begins a session whose own line is not there.
  private mutating func beginFragment(_ line: TransferLine, as uuid: String?) throws -> String {
    var opening = TransferLine(.session)
    for key in [TransferKey.uuid, .app, .appVersion, .os] { opening[key] = line[key] }
    // One whose events are numbered says so by the first. Where another begins is not known; what is
    // missing before its first event is noticed.
    if let seq = try line.integer(.seq) {
      opening[.firstSeq] = .integer(seq)
    } else if line[.version] != .absent || line[.firstSeq] != .absent {
      opening[.firstSeq] = .integer(1)
    }
    if opening[.firstSeq] != .absent, uuid == nil { opening[.uuid] = .text("line \(number)") }
    let keeper = try makeKeeper()
    var session = try ImportedSession(opening, after: 0, store(keeper))
    session.isFragment = true
    let name = uuid ?? "line \(number)"
    try add(session, keeper, name, isFlat: uuid != nil, isFragment: true)
    return name
  }

  private mutating func add(
    _ session: ImportedSession, _ keeper: Keeper, _ name: String, isFlat: Bool, isFragment: Bool
  ) throws {
    count += 1
    open[name] = Open(
      session: session, keeper: keeper, place: count, isFlat: isFlat, isFragment: isFragment)
    began.append((name, count))
    if !isFlat { current = name }
    while open.count > mostOpen, let oldest = takeOldest() { try endOpen(oldest) }
  }

  /// The name of the session that has been open longest.
  private mutating func takeOldest() -> String? {
    while let (name, place) = began.popFirst() {
      if open[name]?.place == place { return name }
    }
    return nil
  }
}

// MARK: Ends

extension SessionStream {
  /// Ends a session, if it is open.
  ///
  /// - Parameter line: the line that says so; none where its lines end without one.
  private mutating func endOpen(_ name: String, _ line: TransferLine? = nil) throws {
    guard var ending = open.removeValue(forKey: name) else { return }
    if current == name { current = nil }
    // A log that a program wrote by hand need not say where it ends.
    var isEnd = line != nil || ending.session.isPlain && !ending.isFlat
    if ending.problem == nil {
      do {
        if let line, try ending.session.lacksEvents(by: line) { isEnd = false }
        if isEnd, !ending.isFragment {
          try ending.session.end(line)
        } else {
          try ending.session.breakOff()
        }
      } catch let problem as LineProblem {
        ending.problem = ImportRefusal.Problem(max(number, 1), problem)
      }
    }
    try end(
      Ended(
        opening: ending.session.opening, events: ending.session.count,
        isComplete: isEnd && !ending.isFragment && ending.problem == nil, problem: ending.problem,
        keeper: ending.keeper))
  }

  /// Nothing that follows of the session can be judged.
  ///
  /// One of which nothing could be read before is begun by this, so that it has one verdict, however
  /// many such lines follow.
  private mutating func refuse(
    _ problem: LineProblem, of name: String?, _ line: TransferLine? = nil
  ) throws {
    let problem = ImportRefusal.Problem(number, problem)
    if let name, open[name] == nil, let line, (try? line.text(.uuid)) == name {
      var first = TransferLine(.session)
      for key in [TransferKey.uuid, .app, .appVersion, .os] {
        if let text = try? line.text(key) { first[key] = .text(text) }
      }
      _ = try beginFragment(first, as: name)
    }
    guard let name, open[name] != nil else { return try end(Ended(problem: problem)) }
    if open[name]?.problem == nil { open[name]?.problem = problem }
  }
}

extension TransferLine {
  /// Refuses what a later version wrote.
  fileprivate func checkVersion() throws(LineProblem) {
    guard let version = try integer(.version, in: 1 ... .max), version > HistoryExport.version
    else { return }
    throw LineProblem(
      "it is of version \(version), and this is known up to \(HistoryExport.version)",
      "Use a newer staty.")
  }
}
