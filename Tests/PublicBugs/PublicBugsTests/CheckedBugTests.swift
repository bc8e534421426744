import Foundation
import PublicBugs
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Testing

/// What `check` says of the reported order of each bug, without any code to run.
@MainActor @Suite final class CheckedBugTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// What a check finds in the reported order of a version.
  private func check(
    _ bug: PublicBug, _ version: Version
  ) async throws -> (found: [RuleCode], notes: [RuleCode]) {
    let path = folder.appendingPathComponent("\(version).sqlite").path
    let recorder = try HistoryRecorder(at: path)
    recorder.recordTracks()
    let app = bug.record(version, .reported, recorder)
    // Tracks of other tests must not be recorded meanwhile.
    TrackDoor.open(for: self) { _ in }
    TrackDoor.close(for: ObjectIdentifier(self))
    // The user looks at what is there.
    try await Task.sleep(for: .seconds(2.1))
    await recorder.close()
    withExtendedLifetime(app) {}
    let result = try #require(try HistoryCheck(HistoryReader(path: path)).file().first)
    return (result.findings.map(\.code), result.notes.map(\.code))
  }

  @Test(arguments: PublicBug.all)
  func `the reported order is named`(_ bug: PublicBug) async throws {
    let (found, notes) = try await check(bug, .reported)
    print("\(bug): \(found.map(\.rawValue)), \(notes.map(\.rawValue))")
    #expect(found.contains { bug.found.contains($0) } || notes.contains { bug.noted.contains($0) })
  }

  @Test(arguments: PublicBug.all)
  func `the same order of the mended version is not accused`(_ bug: PublicBug) async throws {
    let (found, notes) = try await check(bug, .mended)
    print("\(bug), mended: \(found.map(\.rawValue)), \(notes.map(\.rawValue))")
    #expect(found.isEmpty)
  }
}
