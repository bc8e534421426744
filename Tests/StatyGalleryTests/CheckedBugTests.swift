import StatyGallery
import StatyReading
import StatyRules
import Testing

/// What `check` says of the reported order of each bug, without any code to run.
@MainActor @Suite struct CheckedBugTests {
  /// What a check finds in the reported order of a version.
  private func check(
    _ bug: KnownBug, _ version: Version
  ) async throws -> (found: [RuleCode], notes: [RuleCode]) {
    let recorded = try await RecordedBug(bug, version, .reported, rest: .seconds(2.1))
    let result = try #require(try HistoryCheck(recorded.reader).file().first)
    return (result.findings.map(\.code), result.notes.map(\.code))
  }

  @Test(arguments: BugVerdict.all)
  func `the reported order is named`(_ known: BugVerdict) async throws {
    let (found, notes) = try await check(known.bug, .reported)
    print("\(known): \(found.map(\.rawValue)), \(notes.map(\.rawValue))")
    #expect(
      found.contains { known.found.contains($0) } || notes.contains { known.noted.contains($0) })
  }

  @Test(arguments: BugVerdict.all)
  func `the same order of the fixed version is not accused`(_ known: BugVerdict) async throws {
    let (found, notes) = try await check(known.bug, .fixed)
    print("\(known), fixed: \(found.map(\.rawValue)), \(notes.map(\.rawValue))")
    #expect(found.isEmpty)
  }
}
