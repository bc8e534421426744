/// Writes what a history says into a new one, and nothing of what its file has besides.
package struct HistoryCopy {
  private let reader: HistoryReader

  /// A copy of what this reader reads, which should have been verified before.
  package init(_ reader: HistoryReader) { self.reader = reader }

  /// Writes the sessions, with their numbers, into a new history.
  package func write(into writer: HistoryWriter) throws {
    let lines = try HistoryLines(reader)
    var importer = LineImporter(writer)
    try importer.asHistory { importer throws in
      for session in try reader.sessions() {
        try lines.forEach(of: session) { try importer.take($0) }
      }
    }
  }
}
