public import Foundation
internal import StatyHistory
internal import StatyRules

/// Expects that no ordering rule is broken in a recorded history.
///
/// - Parameters:
///   - history: a path, or the name of a file in `Histories` beside the test, beside the test, or in the
///     bundle, with or without `.sqlite`. It is only read.
///   - warnings: whether warnings count, too.
///   - bundle: where to look if there is no such file beside the test, as on a device.
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
      let findings = result.findings.filter { warnings || $0.severity == .error }
      guard let first = findings.first else { continue }
      let sentences = findings.map { finding in
        "\(finding.severity.rawValue)[\(finding.code.rawValue)] at event \(finding.seq): "
          + finding.detail { names[$0] }
      }
      let picture = try kept.timeline(session: result.session, marked: first.seq)
      reportFailure("\(sentences.joined(separator: "\n"))\n\(picture)", at: location)
    }
  } catch {
    reportFailure("The history '\(history)' could not be checked: \(error)", at: location)
  }
}
