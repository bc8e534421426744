package import StatyHistory
/// Combines the sessions of several histories in one, in the order in which they began.
///
/// Their events get new numbers; nothing else changes. Findings are left out, because they may name
/// events by their old numbers: check the new history with the rules.
package struct HistoryMerge {
  /// A history that is merged.
  ///
  /// It is read several times and open only meanwhile, so that there may be thousands.
  package struct Source {
    /// The name of the history in messages.
    package let name: String
    let look: (_ body: (HistoryReader) throws -> Void) throws -> Void

    /// A source with this way to open it.
    ///
    /// - Parameter look: calls its argument once, with a reader of one state of the history.
    package init(
      _ name: String, look: @escaping (_ body: (HistoryReader) throws -> Void) throws -> Void
    ) {
      (self.name, self.look) = (name, look)
    }
  }

  /// The result of a merge.
  package struct Summary: Equatable, Sendable {
    /// A session that two histories had.
    package struct Double: Equatable, Sendable {
      /// The session's unique name.
      package let uuid: String
      /// The history that it was taken from.
      package let taken: String
      /// The other history.
      package let left: String
    }

    /// How many sessions the new history has.
    package var sessions = 0
    /// The number of events.
    package var events: Int64 = 0
    /// The sessions that two histories had.
    package var doubles: [Double] = []
  }

  /// The same session is in two histories, with different content.
  package struct Contradiction: Error, Equatable, Sendable {
    /// The session's unique name.
    package let uuid: String
    /// The histories.
    package let histories: [String]
  }

  /// A session changed between two reads of its history.
  package struct Change: Error, Equatable, Sendable {
    /// The session's unique name.
    package let uuid: String
    /// The history.
    let history: String
  }

  let sources: [Source]

  /// A merge of these histories.
  package init(_ sources: [Source]) { self.sources = sources }

  /// Writes the sessions into a new history.
  ///
  /// - Parameters:
  ///   - verify: checks whether a session is as it was stored; called for all sessions before any
  ///     is written.
  /// - Throws: `Contradiction`, `Change`, `HistoryError`, and what the parameters throw.
  package func write(
    into writer: HistoryWriter,
    verifying verify: (Source, HistoryReader, SessionRecord) throws -> Void = { _, _, _ in }
  ) throws -> Summary {
    var copier = SessionCopier(writer, NoFilter())
    let (once, doubles) = try onceEach(sessions(verify))
    var rest = once[...]
    var before: (process: String, last: Int64)?
    while let source = rest.first?.source {
      // Adjacent sessions of one history are read in one go.
      let run = rest.prefix { $0.source == source }
      rest = rest.dropFirst(run.count)
      try sources[source].look { reader in
        var history = try CopySource(reader)
        for entry in run {
          let record = try entry.record(in: reader, of: sources[source])
          let process = record.run ?? record.uuid
          let goesOn = before.map { $0 == (process, record.firstSeq &- 1) } ?? false
          // What happened before a session that goes on is the event before its first. Without its session this
          // number stays free: it must not be 0, which is none.
          let free: Int64 = record.run == nil || goesOn ? 0 : 1
          try copier.copy(
            record, of: &history, movedBy: copier.lastSeq &+ 1 &+ free &- record.firstSeq)
          guard copier.lastSeq <= HistoryFile.mostNumber else {
            throw HistoryError.damaged("behind session \(record.id) are no numbers left")
          }
          before = (process, record.lastOwnSeq)
        }
      }
    }
    return Summary(sessions: copier.sessions, events: copier.events, doubles: doubles)
  }
}

// The choice of sessions and their order.
extension HistoryMerge {
  /// When a session began, and how many of its process there are before it.
  ///
  /// A session begins with or after the one that it continues, also if the clock was set back meanwhile.
  typealias Turn = (began: Int64, ordinal: Int)

  /// What is kept of a session between two reads.
  struct Entry {
    let source: Int
    let id: Int64
    let uuid: String
    let process: String
    let lastSeq: Int64?
    let ended: SessionEnd?
    let turn: Turn

    /// - Parameter before: the turn of the session before it of the same process, if there is one.
    init(_ source: Int, _ record: SessionRecord, after before: Turn?) {
      self.source = source
      (id, uuid, process) = (record.id, record.uuid, record.run ?? record.uuid)
      (lastSeq, ended) = (record.lastSeq, record.ended)
      turn = before.map { (max($0.began, record.wallTime), $0.ordinal + 1) } ?? (record.wallTime, 0)
    }

    func record(in reader: HistoryReader, of history: Source) throws -> SessionRecord {
      let record = try reader.session(id)
      guard record.uuid == uuid, record.lastSeq == lastSeq, record.ended == ended else {
        throw Change(uuid: uuid, history: history.name)
      }
      return record
    }
  }

  /// All sessions.
  func sessions(
    _ verify: (Source, HistoryReader, SessionRecord) throws -> Void
  ) throws -> [Entry] {
    var entries: [Entry] = []
    for (number, source) in sources.enumerated() {
      try source.look { reader in
        var turns: [String: Turn] = [:]
        for record in try reader.sessions() {
          try verify(source, reader, record)
          let entry = Entry(number, record, after: turns[record.run ?? record.uuid])
          turns[entry.process] = entry.turn
          entries.append(entry)
        }
      }
    }
    return entries
  }

  /// The sessions in the order in which they began, each once, and those that two histories had.
  func onceEach(_ entries: [Entry]) throws -> ([Entry], [Summary.Double]) {
    var doubles: [Summary.Double] = []
    var taken: [String: (entry: Entry, print: [UInt64]?)] = [:]
    // Of a process, one history may have only the later sessions.
    let turns = Dictionary(entries.map { ($0.uuid, $0.turn) }) { $0 < $1 ? $1 : $0 }
    func key(_ entry: Entry) -> (Int64, String, Int, Int) {
      let turn = turns[entry.uuid] ?? entry.turn
      return (turn.began, entry.process, turn.ordinal, entry.source)
    }
    let sorted = entries.sorted { key($0) < key($1) }
    let once = try sorted.filter { entry in
      guard let same = taken[entry.uuid] else {
        taken[entry.uuid] = (entry, nil)
        return true
      }
      let names = [same.entry, entry].map { sources[$0.source].name }
      let print = try same.print ?? fingerprint(same.entry)
      taken[entry.uuid]?.print = print
      guard try print == fingerprint(entry) else {
        throw Contradiction(uuid: entry.uuid, histories: names)
      }
      doubles.append(Summary.Double(uuid: entry.uuid, taken: names[0], left: names[1]))
      return false
    }
    return (once, doubles)
  }

  /// A value that is equal for sessions with the same content, whatever their numbers.
  private func fingerprint(_ entry: Entry) throws -> [UInt64] {
    var print: [UInt64] = []
    try sources[entry.source].look { reader in
      let record = try entry.record(in: reader, of: sources[entry.source])
      let hashes = try reader.contentHashes(session: record.id)
      var events = try SessionEvents(reader, session: record)
      var sums: [UInt64] = [1, 2]
      while let row = try events.next() {
        guard let hash = events.hash(of: row, hashes, first: record.firstSeq) else {
          throw HistoryError.unknownNumber(seq: row.seq)
        }
        for index in sums.indices { sums[index] = ContentHash.fold(sums[index], hash) }
      }
      print =
        sums + [
          try reader.connection.sealSum(of: record), UInt64(bitPattern: record.observed),
        ]
    }
    return print
  }
}
