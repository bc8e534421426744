import Foundation
import Synchronization
import Testing

/// Runs a body that has to fail, and returns each failure with its line.
///
/// The test fails if the body does not.
func failures(
  _ body: () -> Void, sourceLocation: SourceLocation = #_sourceLocation
) -> [(text: String, line: Int)] {
  let failures = Mutex<[(text: String, line: Int)]>([])
  withKnownIssue(sourceLocation: sourceLocation) {
    body()
  } matching: { issue in
    let text = issue.comments.map(\.rawValue).joined(separator: "\n")
    let line = issue.sourceLocation?.line ?? 0
    failures.withLock { $0.append((text, line)) }
    return true
  }
  return failures.withLock(\.self)
}

/// Compares a text with the file of this name, or writes the file if `STATY_WRITE_GOLDEN` is set.
func expectGolden(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/\(name).txt")
  if ProcessInfo.processInfo.environment["STATY_WRITE_GOLDEN"] == "1" {
    return try Data(text.utf8).write(to: file)
  }
  let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
  #expect(text == golden, "\(name)", sourceLocation: sourceLocation)
}

/// The issues that a body reports.
func issues(_ body: () -> Void) -> [Issue] {
  let found = Mutex<[Issue]>([])
  withKnownIssue(isIntermittent: true) {
    body()
  } matching: { issue in
    found.withLock { $0.append(issue) }
    return true
  }
  return found.withLock(\.self)
}
