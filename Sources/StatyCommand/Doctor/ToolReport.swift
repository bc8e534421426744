import StatyHistory

/// The parts that the tool is built from, for bug reports.
struct ToolReport {
  private let version: String
  private let options: [String]
  private let kinds: [String]

  /// - Parameter kinds: the kinds of controllers that it can make.
  init(kinds: [String]) throws {
    (version, options) = try SQLiteLibrary.described()
    self.kinds = kinds
  }

  /// The compile options that change what a history is or how it is read.
  private var telling: [String] {
    let words = [
      "COMPILER", "THREADSAFE", "SYNCHRONOUS", "SECURE_DELETE", "MEMSTATUS", "DQS", "TEMP_STORE",
    ]
    return options.filter { option in words.contains { option.contains($0) } }
  }

  func text(width: Int, tool: String, style: Style) -> String {
    style.bold("\(tool) \(StatyTool.version)") + "\n"
      + ExaminationReport.lines(
        [
          ("histories", "Schemas 1 to \(HistoryFile.schemaVersion)."),
          ("SQLite", "\(version): \(telling.joined(separator: ", "))."),
          ("replays", "\(kinds.joined(separator: ", "))."),
        ], width: width)
  }

  var json: JSONValue {
    .object([
      "version": .text(StatyTool.version), "known_schema": .whole(HistoryFile.schemaVersion),
      "sqlite": .text(version), "sqlite_options": .list(options.map { .text($0) }),
      "controllers": .list(kinds.map { .text($0) }),
    ])
  }
}
