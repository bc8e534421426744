import Foundation
import Staty
import StatyHistory
import StatyRecorder
import Testing

@testable import StatyTesting

/// What `expectNoFindings` says of a recorded history, and where.
@Suite struct NoFindingsTests {
  private let path: String

  init() throws {
    path = NSTemporaryDirectory() + "no-findings-\(UUID().uuidString).sqlite"
  }

  /// A state that enters a second time, and one that takes very long to exit.
  private func write(isBroken: Bool, site: String = "StatyTestingTests/Failures.swift") throws {
    let writer = try HistoryWriter(path: path)
    let (state, line) = (try writer.intern(name: "alert"), try writer.intern(site: site, line: 12))
    let session = try writer.beginSession(
      SessionOpening(uuid: "u", app: "", appVersion: "", os: "", pid: 1, wallTime: 0))
    let controller = try writer.addController(
      session: session, name: "checkout", policy: "queue", discipline: Discipline.inOrder.rawValue,
      fidelity: Fidelity.full.rawValue, snapshot: SnapshotRecord().text)
    let kinds: [EventKind] =
      [.attached, .enqueued, .entering, .entered] + (isBroken ? [.entering] : [])
      + [.exiting, .exited]
    let rows = kinds.enumerated().map { place, kind in
      EventRow(
        seq: Int64(place + 1), time: kind == .exited ? 5_000_000 : Int64(place),
        kind: kind, controller: controller, visit: kind == .attached ? 0 : 1,
        state: kind == .attached ? 0 : state, site: kind == .enqueued ? line : 0)
    }
    _ = try rows.withUnsafeBufferPointer { try writer.append($0, details: [], to: session) }
    try writer.endSession(session, .clean)
    try writer.close()
  }

  @Test func `a finding fails once, at the test's line, and names the line of the request`() throws
  {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try write(isBroken: true)
    let found = issues { expectNoFindings(in: path) }
    let failures = found.filter { $0.severity == .error }
    #expect(failures.count == 1)
    #expect(failures.first?.sourceLocation?.line == #line - 3)
    let text = failures.first?.comments.first?.rawValue ?? ""
    let folder = URL(filePath: #filePath).deletingLastPathComponent().path
    #expect(text.hasPrefix("error[double-enter] at event 5: "), "\(text)")
    #expect(text.contains("\n\(folder)/Failures.swift:12: error: requested here\n"), "\(text)")
    #expect(text.ranges(of: "slow-exit").isEmpty, "what is a warning is not reported twice")
  }

  @Test func `a warning that does not count is a warning, unless warnings count`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try write(isBroken: false)
    let warned = issues { expectNoFindings(in: path) }
    #expect(warned.map(\.severity) == [.warning] && warned.first?.isFailure == false)
    #expect(warned.first?.sourceLocation?.line == #line - 2)
    let text = warned.first?.comments.first?.rawValue ?? ""
    #expect(
      text.hasPrefix("warning[slow-exit] at event 6: ")
        && text.hasSuffix(":12: warning: requested here"), "\(text)")
    let failed = issues { expectNoFindings(in: path, warnings: true) }
    #expect(failed.map(\.severity) == [.error], "\(failed)")
  }

  @Test func `what recorded nothing but its beginning has not passed`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = try HistoryRecorder(at: path)
    let track = StackTrack("path")
    recorder.attach(to: track, as: "path")
    recorder.close()
    let text = issues { expectNoFindings(in: path) }.first?.comments.first?.rawValue ?? ""
    #expect(text.hasPrefix("Inconclusive: nothing that could be judged is recorded"), "\(text)")
  }

  @Test func `a mirror that could not be compared is a warning`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = try HistoryRecorder(at: path)
    let (track, shown) = (StackTrack("path"), StackTrack("shown"))
    track.mirrors(shown)
    recorder.attach(to: track, as: "path")
    recorder.attach(to: shown, as: "shown")
    track.moved(to: ["list"])
    recorder.close()
    let found = issues { expectNoFindings(in: path) }
    #expect(found.map(\.severity) == [.warning])
    let text = found.first?.comments.first?.rawValue ?? ""
    #expect(
      text.hasPrefix("The mirror of 'path' could not be judged. The tracks differed at the end"),
      "\(text)")
  }

  @Test(arguments: [
    ("StatyTestingTests/Failures.swift", "/Tests/StatyTestingTests/Failures.swift:7"),
    ("StatyTesting/RequestLine.swift", "/Sources/StatyTesting/Histories/RequestLine.swift:7"),
    (
      "StatyRecorderTests/PreviousSessionTests.swift",
      "/Tests/StatyRecorderTests/Recorder/PreviousSessionTests.swift:7"
    ),
  ])
  func `the file of a request is found near the test`(file: String, end: String) {
    let line = line(file)
    #expect(line.hasPrefix("/") && line.hasSuffix(end), "\(line)")
  }

  @Test(arguments: [
    "Shop/NoSuchFile.swift", "../Failures.swift", "Failures.swift", "StatyTesting/..",
    "a/b/c.swift", "",
  ])
  func `a file that is not there is called as it was recorded`(file: String) {
    #expect(line(file) == file + ":7")
  }

  @Test func `a hostile file name stays in its line`() {
    #expect(line("a\nb/c\u{202e}.swift") == "a\\u{a}b/c\\u{202e}.swift:7")
  }

  private func line(_ file: String) -> String {
    RequestLine(
      SiteRecord(file: file, line: 7), near: TestLocation(#fileID, #filePath, #line, #column)
    ).text
  }
}
