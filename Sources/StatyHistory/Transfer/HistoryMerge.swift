/// Puts the sessions of several histories into one, in the order in which they began.
///
/// Their events get new numbers; nothing else of them changes. What the rules found is not taken
/// along, since it may name events by their old numbers: hold the new history against the rules.
public struct HistoryMerge {
  /// A history that is merged.
  public struct Source {
    /// How it is called where it matters which one it was.
    public let name: String
    /// What reads it.
    public let reader: HistoryReader

    /// What this reader reads, which should have been verified before.
    public init(_ name: String, _ reader: HistoryReader) {
      (self.name, self.reader) = (name, reader)
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

  private let sources: [Source]

  /// A merge of these.
  public init(_ sources: [Source]) { self.sources = sources }

  /// Writes the sessions into a new history.
  ///
  /// - Throws: `Contradiction`, `HistoryError`.
  public func write(into writer: HistoryWriter) throws -> Summary {
    let lines = try sources.map { try HistoryLines($0.reader) }
    var importer = LineImporter(writer)
    var summary = Summary()
    for session in try inOrder(&summary, lines) {
      try importer.asHistory { importer throws in
        let delta = importer.lastSeq &+ 1 &- session.record.firstSeq
        try lines[session.source].forEach(of: session.record) { line in
          if let moved = line.asMoved(by: delta) { try importer.take(moved) }
        }
      }
    }
    (summary.sessions, summary.events) = (importer.summary.sessions, importer.summary.events)
    return summary
  }
}

extension HistoryMerge {
  private struct Entry {
    let source: Int
    let record: SessionRecord
  }

  /// The sessions in the order in which they began, each once.
  private func inOrder(_ summary: inout Summary, _ lines: [HistoryLines]) throws -> [Entry] {
    var entries: [Entry] = []
    for (source, one) in sources.enumerated() {
      entries += try one.reader.sessions().map { Entry(source: source, record: $0) }
    }
    entries.sort { ($0.record.wallTime, $0.record.uuid) < ($1.record.wallTime, $1.record.uuid) }
    var taken: [String: Entry] = [:]
    return try entries.filter { entry in
      guard let same = taken[entry.record.uuid] else {
        taken[entry.record.uuid] = entry
        return true
      }
      let names = [same, entry].map { sources[$0.source].name }
      guard try fingerprint(same, lines) == fingerprint(entry, lines) else {
        throw Contradiction(uuid: entry.record.uuid, histories: names)
      }
      summary.doubles.append(
        Summary.Double(uuid: entry.record.uuid, taken: names[0], left: names[1]))
      return false
    }
  }

  /// What is equal for sessions that say the same, whatever their numbers.
  private func fingerprint(_ entry: Entry, _ lines: [HistoryLines]) throws -> [UInt64] {
    var sums: [UInt64] = [1, 2]
    var bytes: [UInt8] = []
    try lines[entry.source].forEach(of: entry.record) { line in
      guard let moved = line.asMoved(by: 1 &- entry.record.firstSeq) else { return }
      bytes.removeAll(keepingCapacity: true)
      JSONLineWriting.write(moved, to: &bytes)
      let hash = bytes.withUnsafeBytes(ContentHash.bytes)
      for place in sums.indices { sums[place] = ContentHash.fold(sums[place], hash) }
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
