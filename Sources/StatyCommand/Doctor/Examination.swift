import StatyHistory
import StatyRules
import StatySQLite

/// What can be known of a history by looking at it; nothing is changed.
struct Examination {
  /// What the file holds, when all of it is read.
  struct Content {
    var sessions = 0
    var events: Int64 = 0
    var lost: Int64 = 0
    /// The sessions that have not ended.
    var open: [Int64] = []
    /// How many of the events are in the log alone.
    var inLog: Int64 = 0
    /// What SQLite's own check found first, in a file that is being recorded: another one is opened after it.
    var storageFault: String?
    /// What is wrong with sessions by their checksums, or else by what the rules find.
    var damages: [(session: Int64, what: String)] = []
  }

  let path: String
  let header: FileHeader?
  let bytes: Int64
  let neighbours: Neighbours
  /// Where its log breaks off, if nobody writes to it.
  let logBreak: LogBreak?
  /// None if it could not be read.
  private(set) var content: Content?
  /// Why it could not be read.
  private(set) var failure: Failure?

  /// Looks at the file; fails if there is none.
  init(_ path: String) throws(Failure) {
    self.path = path
    let (real, size) = try OpenHistory.resolved(path, doing: "Examining '\(path)'")
    bytes = size
    var header = FileHeader(real)
    neighbours = Neighbours(of: real)
    let isQuiet = neighbours.recorder == nil && neighbours.logBytes > 0
    logBreak = isQuiet ? HistoryFile.logBreak(of: real) : nil
    // Before the whole is opened: closing one of two gives up the other's locks.
    let alone =
      neighbours.logBytes > 0
      ? Self.events(inFileAlone: real, isLive: neighbours.recorder != nil) ?? 0 : nil
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

  /// Whether it is a history, and as it was stored, with nothing that may be missing.
  var isWhole: Bool { isSound && logBreak == nil }

  private var isSound: Bool {
    content.map { $0.storageFault == nil && $0.damages.isEmpty } ?? false
  }

  /// The status with which the tool ends.
  ///
  /// A log that breaks off is a doubt and no damage: where the power went while it was written it has such
  /// an end, and all that anybody was told of is there.
  var status: ExitCode {
    failure?.status ?? (isWhole ? .done : isSound ? .inconclusive : .badData)
  }

  /// How many events wait in rings.
  var waiting: Int { neighbours.rings.reduce(0) { $0 + $1.waiting } }

  /// How many events there are for whoever takes no notice of the log; none if that cannot be said.
  private static func events(inFileAlone path: String, isLive: Bool) -> Int64? {
    // One's own changes under the eyes of who looks at all of its pages.
    let opened =
      isLive
      ? try? HistoryReader(path: path, mode: .immutable)
      : try? HistoryReader(receivedAt: path, hasLog: false)
    guard let reader = opened else { return nil }
    let events = (try? reader.sessions())?.reduce(0) { $0 &+ $1.stored }
    try? reader.close()
    return events
  }

  private static func content(
    _ reader: HistoryReader, _ history: OpenHistory, _ alone: Int64?
  ) throws -> Content {
    var content = Content()
    if history.recorder != nil { content.storageFault = try reader.firstStorageFault() }
    for session in try reader.sessions() {
      content.sessions += 1
      content.events &+= session.stored
      content.lost &+= try reader.losses(session: session.id).reduce(0) { $0 &+ $1.count }
      if session.ended == .open { content.open.append(session.id) }
      if let damage = try ChainVerifier(reader).firstDamage(session: session.id) {
        content.damages.append((session.id, damage.description))
      } else if let contradiction = try HistoryCheck(reader).session(session.id)
        .contradiction(in: reader)
      {
        content.damages.append((session.id, String(contradiction.dropLast())))
      }
    }
    content.inLog = alone.map { max(0, content.events &- $0) } ?? 0
    return content
  }
}
