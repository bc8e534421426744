import LibC
import StatyHistory

/// Writes each session that is over into a file of its own below a folder, unless it is there.
struct PartitionedExport {
  private let paths: [String]
  private let folder: String
  private let choice: SessionChoice

  /// `nil` if no folder is named.
  init?(_ arguments: ParsedArguments, _ choice: SessionChoice) throws(UsageError) {
    guard let folder = arguments.text("partitioned") else { return nil }
    for option in ["output", "format"] where arguments.text(option) != nil {
      throw arguments.misuse("'--partitioned' and '--\(option)' exclude each other.")
    }
    if folder.isEmpty { throw arguments.misuse("'--partitioned' names no folder.") }
    paths = arguments.arguments
    self.folder = folder
    self.choice = choice
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    var counts: [Outcome: Int] = [:]
    try make(folder)
    let statuses = try run.overFiles(paths) { history in
      try history.doing("Exporting") { reader in
        let export = try FlatExport(reader)
        for session in try choice.sessions(of: history, verifying: false) {
          counts[try write(session, of: history, export), default: 0] += 1
        }
        return .done
      }
    }
    let open = counts[.open] ?? 0
    run.note(
      "Wrote \(Decimal.count(counts[.written] ?? 0, "session")); \(counts[.known] ?? 0) were there"
        + (open == 0 ? "." : ", and \(open) are not over."))
    return .worst(of: statuses + [.done])
  }

  private enum Outcome {
    case written
    /// There was a file of it.
    case known
    /// It is being recorded, and has more to say.
    case open
  }

  private func write(
    _ session: SessionRecord, of history: OpenHistory, _ export: FlatExport
  ) throws -> Outcome {
    guard let ended = session.ended, ended != .open else { return .open }
    let place = FlatExport.place(of: session)
    let path = ([folder] + place).joined(separator: "/")
    if WholeFile.isThere(path) { return .known }
    try history.verify(session)
    for count in 1..<place.count {
      try make(([folder] + place.prefix(count)).joined(separator: "/"))
    }
    do {
      let file = try OutputFile(path, replacing: false, isDraftHidden: true)
      try export.write(session) { try file.write($0) }
      try file.close()
      return .written
    } catch let failure as Failure where WholeFile.isThere(path) {
      // Somebody else has written it meanwhile.
      guard failure.status == .cannotWrite else { throw failure }
      return .known
    }
  }

  private func make(_ path: String) throws(Failure) {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw Failure(
      status: .cannotWrite, message: "Writing '\(path)': \(String(cString: strerror(errno))).",
      advice: "Choose a place that can be written.")
  }
}
