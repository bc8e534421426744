import Foundation
import Testing

/// Compares what the tool says with what it is to say.
///
/// `STATY_WRITE_GOLDEN=1 swift test --filter StatyCommandTests` writes what it says now.
func expectGolden(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/\(name).txt")
  if ProcessInfo.processInfo.environment["STATY_WRITE_GOLDEN"] == "1" {
    return try Data(text.utf8).write(to: file)
  }
  let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
  let (said, wanted) = (text.split(separator: "\n"), golden.split(separator: "\n"))
  let place = zip(said, wanted).enumerated().first { $0.element.0 != $0.element.1 }
  let line = place.map { "line \($0.offset + 1): \($0.element.0)\nnot: \($0.element.1)" }
  #expect(
    text == golden, "\(name): \(line ?? "one is longer")", sourceLocation: sourceLocation)
}

extension Place {
  /// Runs the tool here, and expects the status and what it says, word for word.
  func expect(
    _ arguments: [String], _ name: String, status: Int32, columns: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try Binary(
      arguments, in: directory, environment: columns.map { ["COLUMNS": "\($0)"] } ?? [:])
    #expect(run.status == status, "\(run.err)", sourceLocation: sourceLocation)
    try expectGolden(run.transcript, name, sourceLocation: sourceLocation)
  }
}
