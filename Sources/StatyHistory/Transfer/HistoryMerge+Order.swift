// Which sessions are taken, and in what order.
extension HistoryMerge {
  /// What is kept of a session between two looks.
  struct Entry {
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

  /// All sessions.
  func sessions(
    _ verify: (Source, HistoryReader, SessionRecord) throws -> Void
  ) throws -> [Entry] {
    var entries: [Entry] = []
    for (number, source) in sources.enumerated() {
      try source.look { reader in
        for record in try reader.sessions() {
          try verify(source, reader, record)
          entries.append(Entry(number, record))
        }
      }
    }
    return entries
  }

  /// The sessions in the order in which they began, each once, and those that were there twice.
  func onceEach(_ entries: [Entry]) throws -> ([Entry], [Summary.Double]) {
    var doubles: [Summary.Double] = []
    var taken: [String: (entry: Entry, print: [UInt64]?)] = [:]
    let sorted = entries.sorted { ($0.wallTime, $0.uuid) < ($1.wallTime, $1.uuid) }
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

  /// What is equal for sessions that say the same, whatever their numbers.
  private func fingerprint(_ entry: Entry) throws -> [UInt64] {
    var sums: [UInt64] = [1, 2]
    var bytes: [UInt8] = []
    try sources[entry.source].look { reader in
      let record = try entry.record(in: reader, of: sources[entry.source])
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
