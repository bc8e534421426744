import StatyHistory
import Staty

/// Stores the content of lines, one after the other.
struct LineImporter {
  let writer: HistoryWriter
  private(set) var summary = HistoryImport.Summary()
  private var session: ImportedSession?
  /// Whether a session's first line or one of its controllers was refused: then its other lines cannot be
  /// judged.
  private var isPassing = false
  /// The highest number that is in use.
  private(set) var lastSeq: Int64 = 0
  /// The numbers of sessions in the file.
  private var ids: Set<Int64> = []

  init(_ writer: HistoryWriter) { self.writer = writer }

  /// Takes the next line.
  ///
  /// - Throws: `LineProblem`, after which the next line may be taken, or `HistoryError`.
  mutating func take(_ line: TransferLine) throws {
    guard let type = line.type else {
      throw line.wrong(
        .type, "one of " + TransferType.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))
    }
    try line.checkKeys(of: type)
    switch type {
    case .session: try begin(line)
    case .end where isPassing: isPassing = false
    case .end: try end(line)
    default:
      if isPassing { return }
      guard session != nil else {
        throw LineProblem("no session has begun", "Write a line of type 'session' before.")
      }
      do {
        try session?.take(line, type)
      } catch let problem as LineProblem {
        session?.isDoubtful = true
        if type == .controller {
          _ = letGo()
          isPassing = true
        }
        throw problem
      }
    }
  }

  private mutating func begin(_ line: TransferLine) throws {
    isPassing = true
    try end(nil)
    if let id = try line.integer(.session), ids.contains(id) {
      throw line.wrong(.session, "another number than those of the sessions before")
    }
    session = try ImportedSession(line, after: lastSeq, writer)
    isPassing = false
  }

  /// Leaves the session, whose numbers stay in use even if it is refused.
  private mutating func letGo() -> ImportedSession? {
    guard let left = session.take() else { return nil }
    lastSeq = max(lastSeq, left.highest)
    ids.insert(left.id)
    return left
  }

  /// Ends what was not ended.
  mutating func finish() throws { try end(nil) }

  private mutating func end(_ line: TransferLine?) throws {
    guard var ending = letGo() else {
      if line != nil {
        throw LineProblem("no session has begun", "Write 'end' after what it ends.")
      }
      return
    }
    try ending.end(line)
    summary.sessions += 1
    summary.events += ending.count
  }
}

extension TransferLine {
  /// Refuses keys that have no meaning in a line of this type.
  func checkKeys(of type: TransferType) throws(LineProblem) {
    let allowed = Self.allowed[type] ?? []
    for key in TransferKey.allCases where self[key] != .absent && !allowed[key.rawValue] {
      throw LineProblem(
        "'\(key.word)' says nothing in a line about \(type == .event ? "an event" : type.rawValue)",
        "Leave it out, or check 'type'.")
    }
  }

  private static let allowed: [TransferType: [Bool]] = Dictionary(
    uniqueKeysWithValues: TransferType.allCases.map { type in
      let keys = keys(of: type).union([.type])
      return (type, TransferKey.allCases.map(keys.contains))
    })

  private static func keys(of type: TransferType) -> Set<TransferKey> {
    switch type {
    case .session:
      [.session, .uuid, .run, .app, .appVersion, .os, .pid, .wallUs, .firstSeq]
    case .anchor: [.tUs, .wallUs]
    case .controller:
      [.controller, .key, .policy, .discipline, .fidelity, .snapshot, .snapshotText]
    case .event:
      [
        .seq, .tUs, .kind, .controller, .visit, .state, .reason, .inside, .part,
        .cause, .thread, .origin, .instance, .priority, .equality, .answers, .asked, .step, .ageUs,
        .objection, .refusal, .refusedFrom, .refusedNeeds, .site, .line, .note, .payload,
        .payloadBase64,
      ]
    case .loss: [.firstSeq, .lastSeq, .count, .reason]
    case .finding:
      [.seq, .controller, .visit, .state, .code, .severity, .detail, .final]
    case .end: [.ended, .events, .observed, .payloadsLeftOut]
    }
  }
}
