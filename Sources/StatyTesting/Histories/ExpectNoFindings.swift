public import Foundation
internal import StatyHistory
internal import StatyRules

/// Expects that no ordering rule is broken in a recorded history.
///
/// - Parameters:
///   - history: a path, or the name of a file, with or without `.sqlite`. The file is searched in
///     the folder `Histories` next to the test, next to the test, and in the bundle. It is only
///     read.
///   - warnings: whether all warnings count; by default only `stale-answer` and `double-push` do, besides
///     the errors.
///   - bundle: the bundle to search if there is no such file next to the test, for example on a
///     device.
public func expectNoFindings(
  in history: String, warnings: Bool = false, bundle: Bundle? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = TestLocation(fileID, filePath, line, column)
  do {
    let kept = try KeptHistory(history, bundle, location)
    let names = try kept.reader.names()
    for result in try HistoryCheck(kept.reader).file() {
      let findings = result.findings.filter { warnings || $0.code.isSought }
      guard let first = findings.first else { continue }
      let sentences = findings.map { finding in
        "\(finding.severity.rawValue)[\(finding.code.rawValue)] at event \(finding.seq): "
          + finding.detail { names[$0] }
      }
      let picture = try kept.timeline(session: result.session, marked: first.seq)
      reportFailure("\(sentences.joined(separator: "\n"))\n\(picture)", at: location)
      try kept.attach(at: location)
    }
  } catch {
    reportFailure("The history '\(history)' could not be checked: \(error)", at: location)
  }
}
