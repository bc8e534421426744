package import StatyHistory
import StatySQLite

/// Makes a history of what `HistoryExport` wrote as NDJSON.
///
/// The text is given in parts of any size. Memory does not grow with the number of events. Problems
/// are collected, with the numbers of their lines, and thrown at the end; the written file is then
/// of no use.
package struct HistoryImport {
  /// What was imported.
  package struct Summary: Equatable, Sendable {
    /// How many sessions there were.
    package var sessions = 0
    /// The number of events that were stored.
    package var events: Int64 = 0
  }

  private var importer: LineImporter
  private let lineBytes: Int
  private var problems: [ImportRefusal.Problem] = []
  private var splitter = LineSplitter()
  private var number = 0
  private var announced: Int64?
  private var hasHead = false

  /// The number of problems after which it stops.
  private static let mostProblems = 20

  /// An import into a history, which should be a new one.
  ///
  /// - Parameter lineBytes: the most bytes of a line.
  package init(into writer: HistoryWriter, lineBytes: Int = 32 << 20) {
    importer = LineImporter(writer)
    self.lineBytes = lineBytes
  }

  /// Takes the next part of the text.
  package mutating func take(_ part: some Collection<UInt8>) throws {
    for line in splitter.lines(after: part) { try take(line: line) }
    if splitter.waitingCount > lineBytes { throw refusal(adding: tooLong) }
  }

  /// Ends the import.
  ///
  /// - Throws: `ImportRefusal` if something is wrong with the text, `HistoryError` if it could not
  ///   be stored.
  package mutating func finish() throws -> Summary {
    if let rest = splitter.rest() { try take(line: rest) }
    try noting { now in
      guard now.hasHead else { throw LineProblem.noHead }
      try now.importer.finish()
      let found = now.importer.summary.sessions
      if let announced = now.announced, announced != found {
        throw LineProblem(
          "the text ends after \(found) of \(announced) sessions",
          "A part of it is missing; export the history again.")
      }
    }
    if !problems.isEmpty { throw ImportRefusal(problems: problems, isCut: false) }
    return importer.summary
  }
}

extension HistoryImport {
  private var tooLong: LineProblem {
    LineProblem(
      "it is longer than \(lineBytes) bytes", "Write one event a line, and end each line.")
  }

  private mutating func take(line bytes: ArraySlice<UInt8>) throws {
    number += 1
    let text = number == 1 ? bytes.withoutMark : bytes
    if text.isBlank { return }
    try noting { now in
      guard text.count <= now.lineBytes else { throw now.tooLong }
      try now.understand(text)
    }
  }

  private mutating func understand(_ bytes: ArraySlice<UInt8>) throws {
    if !hasHead, bytes.starts(with: DatabaseFile.mark) { throw LineProblem.isDatabase }
    if !hasHead, bytes.first != UInt8(ascii: "{") { throw LineProblem.noHead }
    let line = try JSONLineReading.line(bytes)
    guard hasHead else { return try understand(head: line) }
    try line.checkLengths()
    try importer.take(line)
  }

  private mutating func understand(head line: TransferLine) throws(LineProblem) {
    // Whatever is wrong with it, the problem is not repeated for each later line.
    hasHead = true
    guard try line.text(.format) == HistoryExport.format else { throw .noHead }
    let version = try line.needed(.version, in: 1 ... .max)
    guard version == HistoryExport.version else {
      throw LineProblem(
        "the text is of version \(version), and this is known up to \(HistoryExport.version)",
        "Use a newer staty.")
    }
    announced = try line.integer(.sessions, in: 0 ... .max)
  }

  /// Keeps a problem, until there are enough of them.
  private mutating func noting(_ body: (inout Self) throws -> Void) throws {
    do {
      try body(&self)
    } catch let problem as LineProblem {
      // If the text has another format, nothing that follows can be judged.
      let isOver = problem == .noHead || problem == .isDatabase
      guard !isOver, problems.count + 1 < Self.mostProblems else { throw refusal(adding: problem) }
      problems.append(ImportRefusal.Problem(number, problem))
    }
  }

  private func refusal(adding problem: LineProblem) -> ImportRefusal {
    ImportRefusal(
      problems: problems + [ImportRefusal.Problem(max(number, 1), problem)],
      isCut: problems.count + 1 >= Self.mostProblems)
  }
}

/// Why a text was not imported.
package struct ImportRefusal: Error, Equatable, Sendable {
  /// The problem with one line.
  package struct Problem: Equatable, Sendable {
    /// The line's number, from 1.
    package let line: Int
    /// What is wrong.
    package let message: String
    /// What was expected, or what to do.
    package let advice: String

    init(_ line: Int, _ problem: LineProblem) {
      (self.line, message, advice) = (line, problem.message, problem.advice)
    }
  }

  /// What was found, line by line; at least one.
  package let problems: [Problem]
  /// Whether the import stopped there, so that there may be more.
  package let isCut: Bool
}

extension LineProblem {
  fileprivate static let isDatabase = LineProblem(
    "it is a database, and no text", "'export' makes a text of a history, and 'merge' a copy.")
  fileprivate static let noHead = LineProblem(
    "it does not say what the text is",
    "Expected first is {\"format\":\"\(HistoryExport.format)\",\"version\":\(HistoryExport.version)}."
  )
}
