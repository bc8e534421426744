import Foundation
internal import StatyHistory
internal import StatyReading
internal import StatyReport

extension TestScenario {
  /// What has happened so far as text: one line per event, indented below its cause.
  public var history: String {
    var text = HistoryText(controllers: run.controllers, names: run.names)
    for row in run.events { text.take(row) }
    return text.text
  }

  /// Expects that what has happened so far equals the text of a snapshot file.
  ///
  /// The file is `Histories/NAME.txt` in the folder of the test. To write the file instead of
  /// comparing it, set the environment variable `STATY_RECORD` to `1`.
  ///
  /// - Parameter name: the name of the file, without `.txt`.
  public func expectSnapshot(
    _ name: String,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    Snapshot(name, TestLocation(fileID, filePath, line, column)).compare(history)
  }
}

/// Expects that a recorded history equals the text of a snapshot file.
///
/// The text has one line per event, indented below its cause, without times and numbers. The file
/// is `Histories/NAME.txt` in the folder of the test. To write the file instead of comparing it,
/// set the environment variable `STATY_RECORD` to `1`.
///
/// - Parameters:
///   - path: the path of the history. Close or flush the recorder first.
///   - name: the name of the snapshot file, without `.txt`.
public func expectSnapshot(
  ofHistoryAt path: String, _ name: String,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let snapshot = Snapshot(name, TestLocation(fileID, filePath, line, column))
  do {
    snapshot.compare(try Snapshot.text(ofHistoryAt: path))
  } catch {
    snapshot.fail("The history at '\(path)' could not be read: \(error)")
  }
}

/// A snapshot file in the folder of a test.
private struct Snapshot {
  private let name: String
  private let location: TestLocation
  private let file: URL

  init(_ name: String, _ location: TestLocation) {
    self.name = name
    self.location = location
    file = URL(fileURLWithPath: "\(location.filePath)").deletingLastPathComponent()
      .appendingPathComponent("Histories").appendingPathComponent(name + ".txt")
  }

  func fail(_ message: String) { reportFailure(message, at: location) }

  func compare(_ text: String) {
    do {
      if ProcessInfo.processInfo.environment["STATY_RECORD"] == "1" { return try record(text) }
      guard FileManager.default.fileExists(atPath: file.path) else {
        return fail(
          "There is no history called '\(name)' next to this test yet. With STATY_RECORD=1 in the "
            + "environment this one is kept in \(file.path):\n\(text)")
      }
      let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      if kept == text { return }
      let difference = LineDifference.lines(expected: Self.lines(kept), actual: Self.lines(text))
      fail(
        """
        Another history than '\(name)' ('-' is kept, '+' has happened):
        \(difference.map { "  " + $0 }.joined(separator: "\n"))
        If it is right now, keep it with STATY_RECORD=1 in the environment.
        """)
    } catch {
      fail("The history '\(name)' next to this test could not be read or written: \(error)")
    }
  }

  private func record(_ text: String) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file, options: .atomic)
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  static func text(ofHistoryAt path: String) throws -> String {
    let reader = try HistoryReader(path: path)
    let names = try reader.names()
    var texts: [String] = []
    for session in try reader.sessions() {
      var text = HistoryText(
        controllers: try reader.controllers(session: session.id), names: names)
      var events = try SessionEvents(reader, session: session)
      while let row = try events.next() {
        text.take(row, note: events.detail?.note)
      }
      texts.append(text.text)
    }
    return texts.joined(separator: "\n")
  }
}
