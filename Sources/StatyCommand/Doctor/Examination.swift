import StatyHistory
import StatyReading
import StatySQLite

/// Everything that reading shows of a history; nothing is changed.
struct Examination {
  /// The content of the file, if all of it could be read.
  struct Content {
    var sessions = 0
    var events: Int64 = 0
    /// The numbered events of earlier sessions, which were deleted or left out.
    var before: Int64 = 0
    var lost: Int64 = 0
    /// The sessions that have not ended.
    var open: [SessionRecord] = []
    /// How many of the events are only in the log.
    var inLog: Int64 = 0
    /// The first problem that SQLite's own check found.
    ///
    /// Only for a file that is being recorded: any other file is checked when it is opened.
    var storageFault: String?
    /// The problems of sessions, by their checksums or else by their findings.
    var damages: [(session: Int64, what: String)] = []
  }

  let path: String
  let header: FileHeader?
  let bytes: Int64
  let neighbours: Neighbours
  /// Where its log cannot be read further, if no process writes to it.
  let logBreak: LogBreak?
  /// None if it could not be read.
  private(set) var content: Content?
  /// Why it could not be read.
  private(set) var failure: Failure?

  /// Reads the file; fails if there is none.
  init(_ path: String) throws(Failure) {
    self.path = path
    let (real, size) = try OpenHistory.resolved(path, doing: "Examining '\(path)'")
    bytes = size
    var header = FileHeader(real)
    neighbours = Neighbours(of: real)
    let isQuiet = neighbours.recorder == nil && neighbours.logBytes > 0
    logBreak = isQuiet ? HistoryFile.logBreak(of: real) : nil
    // Before the whole is opened: closing one of two open files releases the locks of both.
    let alone =
      neighbours.logBytes > 0
      ? Self.events(inFileAlone: real, isLive: neighbours.recorder != nil) ?? [:] : nil
    do {
      let history = try OpenHistory(path)
      content = try history.doing("Examining") { try Self.content($0, history, alone) }
      // Its first page may still be in the log.
      header = .history(schema: history.reader.schemaVersion)
    } catch {
      failure = Failure(error, doing: "Examining '\(path)'")
    }
    self.header = header
  }

  /// Whether it is a history as it was stored, with nothing that may be missing.
  var isWhole: Bool { isSound && logBreak == nil }

  private var isSound: Bool {
    content.map { $0.storageFault == nil && $0.damages.isEmpty } ?? false
  }

  /// The exit code of the tool.
  ///
  /// A log that cannot be read to its end is a doubt, not damage: a power loss leaves such an end,
  /// and then no acknowledged event is missing.
  var status: ExitCode {
    failure?.status ?? (isWhole ? .done : isSound ? .inconclusive : .badData)
  }

  /// How many events wait in rings.
  var waiting: Int { neighbours.rings.reduce(0) { $0 + $1.waiting } }

  /// The number of events of each session without those in the log; none if that is not known.
  private static func events(inFileAlone path: String, isLive: Bool) -> [String: Int64]? {
    // A live file would change during the checks of a received one.
    let opened =
      isLive
      ? try? HistoryReader(path: path, mode: .immutable)
      : try? HistoryReader(receivedAt: path, hasLog: false)
    guard let reader = opened else { return nil }
    let sessions = try? reader.sessions()
    try? reader.close()
    return sessions.map { Dictionary($0.map { ($0.uuid, $0.stored) }) { one, _ in one } }
  }

  private static func content(
    _ reader: HistoryReader, _ history: OpenHistory, _ alone: [String: Int64]?
  ) throws -> Content {
    var content = Content()
    if history.recorder != nil { content.storageFault = try reader.firstStorageFault() }
    for session in try reader.sessions() {
      // A merge leaves the first number free before a session that continues another.
      if content.sessions == 0, session.firstSeq > (session.run == nil ? 1 : 2) {
        content.before = session.firstSeq - 1
      }
      content.sessions += 1
      content.events &+= session.stored
      // By session: the log may also have deleted some.
      if let alone { content.inLog &+= max(0, session.stored &- (alone[session.uuid] ?? 0)) }
      content.lost &+= try reader.losses(session: session.id).reduce(0) { $0 &+ $1.count }
      if session.ended == .open { content.open.append(session) }
      if let damage = try ChainVerifier(reader).firstDamage(session: session.id) {
        content.damages.append((session.id, damage.description))
      } else if let contradiction = try HistoryCheck(reader).session(session.id)
        .contradiction(in: reader)
      {
        content.damages.append((session.id, String(contradiction.dropLast())))
      }
    }
    return content
  }
}
