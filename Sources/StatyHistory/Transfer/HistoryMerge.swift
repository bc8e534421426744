/// Puts the sessions of several histories into one, in the order in which they began.
///
/// Their events get new numbers; nothing else of them changes. What the rules found is not taken
/// along, since it may name events by their old numbers: hold the new history against the rules.
public struct HistoryMerge {
  /// A history that is merged.
  ///
  /// It is looked at several times and open only meanwhile, so that there may be thousands.
  public struct Source {
    /// How it is called where it matters which one it was.
    public let name: String
    let look: (_ body: (HistoryReader) throws -> Void) throws -> Void

    /// What this reads.
    ///
    /// - Parameter look: calls its argument once, with what reads one state of the history.
    public init(
      _ name: String, look: @escaping (_ body: (HistoryReader) throws -> Void) throws -> Void
    ) {
      (self.name, self.look) = (name, look)
    }

    /// What this reader reads.
    public init(_ name: String, _ reader: HistoryReader) {
      self.init(name) { body in try reader.consistently { try body(reader) } }
    }
  }

  /// What came of a merge.
  public struct Summary: Equatable, Sendable {
    /// A session that was there twice, and from which history it was not taken.
    public struct Double: Equatable, Sendable {
      /// The session's name everywhere.
      public let uuid: String
      /// Where it was taken from.
      public let taken: String
      /// Where it was, too.
      public let left: String
    }

    /// How many sessions the new history has.
    public var sessions = 0
    /// How many events.
    public var events: Int64 = 0
    /// The sessions that were there twice.
    public var doubles: [Double] = []
  }

  /// The same session is in two histories, and does not say the same in both.
  public struct Contradiction: Error, Equatable, Sendable {
    /// The session's name everywhere.
    public let uuid: String
    /// The histories.
    public let histories: [String]
  }

  /// A session changed between two looks at its history.
  public struct Change: Error, Equatable, Sendable {
    /// The session's name everywhere.
    public let uuid: String
    /// The history.
    public let history: String
  }

  private let sources: [Source]

  /// A merge of these.
  public init(_ sources: [Source]) { self.sources = sources }

  /// Writes the sessions into a new history.
  ///
  /// - Parameter verify: looks whether a session is as it was stored, before it is taken.
  /// - Throws: `Contradiction`, `Change`, `HistoryError`, and what looks and `verify` throw.
  public func write(
    into writer: HistoryWriter,
    verifying verify: (Source, HistoryReader, SessionRecord) throws -> Void = { _, _, _ in }
  ) throws -> Summary {
    var importer = LineImporter(writer)
    var summary = Summary()
    var rest = try inOrder(&summary, verify)[...]
    while let source = rest.first?.source {
      // Those that follow each other in one history are taken in one look.
      let run = rest.prefix { $0.source == source }
      rest = rest.dropFirst(run.count)
      try sources[source].look { reader in
        let lines = try HistoryLines(reader)
        for entry in run {
          let record = try entry.record(in: reader, of: sources[source])
          try verify(sources[source], reader, record)
          try importer.asHistory { importer throws in
            let delta = importer.lastSeq &+ 1 &- record.firstSeq
            try lines.forEach(of: record) { line in
              if let moved = line.asMoved(by: delta) { try importer.take(moved) }
            }
          }
        }
      }
    }
    (summary.sessions, summary.events) = (importer.summary.sessions, importer.summary.events)
    return summary
  }
}

extension HistoryMerge {
  /// What is kept of a session between two looks.
  private struct Entry {
    let source: Int
    let id: Int64
    let uuid: String
    let wallTime: Int64
    let lastSeq: Int64?
    let ended: SessionEnd?

    init(_ source: Int, _ record: SessionRecord) {
      self.source = source
      (id, uuid, wallTime) = (record.id, record.uuid, record.wallTime)
      (lastSeq, ended) = (record.lastSeq, record.ended)
    }

    func record(in reader: HistoryReader, of history: Source) throws -> SessionRecord {
      let record = try reader.session(id)
      guard record.uuid == uuid, record.lastSeq == lastSeq, record.ended == ended else {
        throw Change(uuid: uuid, history: history.name)
      }
      return record
    }
  }

  /// The sessions in the order in which they began, each once.
  private func inOrder(
    _ summary: inout Summary, _ verify: (Source, HistoryReader, SessionRecord) throws -> Void
  ) throws -> [Entry] {
    var entries: [Entry] = []
    for (number, source) in sources.enumerated() {
      try source.look { reader in
        entries += try reader.sessions().map { Entry(number, $0) }
      }
    }
    entries.sort { ($0.wallTime, $0.uuid) < ($1.wallTime, $1.uuid) }
    var taken: [String: (entry: Entry, print: [UInt64]?)] = [:]
    return try entries.filter { entry in
      guard let same = taken[entry.uuid] else {
        taken[entry.uuid] = (entry, nil)
        return true
      }
      let names = [same.entry, entry].map { sources[$0.source].name }
      let print = try same.print ?? fingerprint(same.entry, verify)
      taken[entry.uuid]?.print = print
      guard try print == fingerprint(entry, verify) else {
        throw Contradiction(uuid: entry.uuid, histories: names)
      }
      summary.doubles.append(Summary.Double(uuid: entry.uuid, taken: names[0], left: names[1]))
      return false
    }
  }

  /// What is equal for sessions that say the same, whatever their numbers.
  private func fingerprint(
    _ entry: Entry, _ verify: (Source, HistoryReader, SessionRecord) throws -> Void
  ) throws -> [UInt64] {
    var sums: [UInt64] = [1, 2]
    var bytes: [UInt8] = []
    try sources[entry.source].look { reader in
      let record = try entry.record(in: reader, of: sources[entry.source])
      try verify(sources[entry.source], reader, record)
      try HistoryLines(reader).forEach(of: record) { line in
        guard let moved = line.asMoved(by: 1 &- record.firstSeq) else { return }
        bytes.removeAll(keepingCapacity: true)
        JSONLineWriting.write(moved, to: &bytes)
        let hash = bytes.withUnsafeBytes(ContentHash.bytes)
        for place in sums.indices { sums[place] = ContentHash.fold(sums[place], hash) }
      }
    }
    return sums
  }
}

extension TransferLine {
  /// The same line of a session whose events have other numbers; none if it is about what the rules
  /// found.
  fileprivate func asMoved(by delta: Int64) -> TransferLine? {
    if type == .finding || type == .checked { return nil }
    var line = self
    line[.session] = .absent
    line[.checked] = .absent
    for key in Self.numbers {
      if case .integer(let seq) = line[key] { line[key] = .integer(seq &+ delta) }
    }
    return line
  }

  /// The keys that say numbers of events.
  private static let numbers: [TransferKey] = [
    .seq, .cause, .firstSeq, .lastSeq, .since, .entered, .exited,
  ]
}

extension LineImporter {
  /// Takes lines that came from a history: what is wrong with them is wrong with that.
  mutating func asHistory(_ body: (inout LineImporter) throws -> Void) throws {
    do {
      try body(&self)
    } catch let problem as LineProblem {
      throw HistoryError.damaged("\(problem.message); \(problem.advice)")
    }
  }
}
