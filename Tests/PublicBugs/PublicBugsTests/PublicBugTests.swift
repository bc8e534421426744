import Foundation
import PublicBugs
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatyRules
import Testing

/// Bugs of public trackers, each from a harmless recording: the reported version can end in another
/// way or breaks a condition, the mended one does neither.
@MainActor @Suite final class PublicBugTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Records a harmless run of a version of a model, and searches how else it can end.
  private func explore(
    _ bug: PublicBug, _ version: Version, eachRule: Bool = false
  ) throws -> Exploration {
    let path = folder.appendingPathComponent("\(version).sqlite").path
    let recorder = try HistoryRecorder(at: path)
    recorder.recordTracks()
    _ = bug.record(version, .harmless, recorder)
    recorder.close()
    var registry = ControllerRegistry()
    bug.register(&registry, version)
    let reader = try HistoryReader(path: path)
    let models = try reader.controllers(session: 1).filter { !bug.beside.contains($0.name) }
    let scenario = try Scenario(
      reader, session: 1, only: Set(models.map(\.id)), registry: registry)
    var options = Explorer.Options()
    options.isForEachRule = eachRule
    return try Explorer(scenario, registry: registry, options: options).run()
  }

  @Test(arguments: PublicBug.all.filter(\.isByOutcome))
  func `the reported version can end otherwise`(_ bug: PublicBug) throws {
    let exploration = try explore(bug, .reported)
    let outcomes = try #require(exploration.outcomes.first).outcomes
    print("\(bug): \(exploration.outcomes.map { OutcomeWords($0).question })")
    #expect(exploration.doubts.isEmpty)
    #expect(exploration.verdict == (bug.rule == nil ? .differs : .broken))
    // What the user has seen in the recording is what a patient user sees.
    #expect(outcomes.first?.isUsual == true && outcomes.first?.isRecorded == true)
    #expect(outcomes.dropFirst().first?.deviations.count == 1)
  }

  @Test(arguments: PublicBug.all.filter { $0.rule != nil })
  func `the reported version breaks a rule or a condition`(_ bug: PublicBug) throws {
    let exploration = try explore(bug, .reported, eachRule: true)
    #expect(exploration.verdict == .broken, "\(exploration.doubts)")
    #expect(
      exploration.orders.contains { $0.codes.contains(bug.rule!) },
      "\(exploration.orders.map(\.codes))")
    let order = exploration.outcomes.first?.broken.first { $0.codes.contains(bug.rule!) }
    #expect(try #require(order).deviations?.count == (bug.rule == .invariant ? 0 : 1))
  }

  @Test(arguments: PublicBug.all)
  func `the mended version ends the same in every order, and breaks nothing`(
    _ bug: PublicBug
  ) throws {
    let exploration = try explore(bug, .mended)
    #expect(
      exploration.verdict == .same,
      "\(exploration.outcomes.map { OutcomeWords($0).numbered() }) \(exploration.orders) \(exploration.doubts)"
    )
    #expect(
      exploration.outcomes.map(\.isExhaustive) == [true]
        || exploration.outcomes.map(\.complete) == [2])
  }
}

/// What `why` says of a recording that shows the bug.
@MainActor @Suite struct PublicWhyTests {
  @Test func `the late answer is to blame, and had it come earlier the bug had not happened`()
    throws
  {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite")
    defer {
      for end in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path.path + end)
      }
    }
    struct Server: TokenServer {
      let answers: Answers
      func refresh(_ user: String, _ done: @escaping (String) -> Void) {
        answers.wait { done(user) }
      }
    }
    let recorder = try HistoryRecorder(at: path.path)
    recorder.recordTracks()
    let answers = Answers()
    let session = SessionModel(Server(answers: answers), .reported)
    for message in [SessionMessage.signIn("a"), .refresh, .signOut] { session.send(message) }
    answers.come()
    recorder.close()
    var registry = ControllerRegistry()
    PublicBug.signOut.register(&registry, .reported)
    let reader = try HistoryReader(path: path.path)
    let rows = try reader.events(session: 1)
    var last: EventRow?
    while let row = try rows.next() { if row.kind == EventKind.moved.rawValue { last = row } }
    let moved = try #require(last)
    let why = try Why(.event(moved), reader, session: 1, registry: registry)
    let names = try reader.names()
    // What was signed in again: the answer, which goes back to the question.
    #expect(why.chain.compactMap { names[$0.state] } == ["refresh", "refreshed", "in"])
    let nearest = try #require(why.nearest)
    let words = StepWords(nearest.scenario)
    guard case .earlier(let step, let other) = nearest.change else {
      Issue.record("\(nearest.change)")
      return
    }
    #expect(words.noun(step) == "'refreshed' (event 8, the answer to 'refresh')")
    #expect(words.noun(other) == "'signOut' (event 6)")
    #expect(nearest.isClean)
  }
}
