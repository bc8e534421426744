import Feed
import Foundation
import StatyRecorder
@testable import StatyTesting
import Synchronization
import Testing

/// An app's feed, recorded while it shows a bug, and what can be done with the recording in a test.
@Suite @MainActor final class FeedTests {
  /// A server that answers when the test says so.
  private final class Server: FeedLoader, @unchecked Sendable {
    // Sendable: only used on the main actor.
    private var waiting: [String: CheckedContinuation<[String], Never>] = [:]

    @MainActor func items(matching text: String) async throws -> [String] {
      await withCheckedContinuation { waiting[text] = $0 }
    }

    /// Answers, and waits until the model shows it.
    @MainActor func answer(_ text: String, _ items: [String], to model: FeedModel) async {
      while waiting[text] == nil { await Task.yield() }
      waiting.removeValue(forKey: text)?.resume(returning: items)
      while model.state != (items.isEmpty ? .empty : .ready(items)) { await Task.yield() }
    }
  }

  private let path =
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path

  deinit {
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  /// The user goes on typing, and the answer to the first search comes last.
  private func recordLateAnswer() async throws {
    let recorder = try HistoryRecorder(at: path)
    let server = Server()
    let model = FeedModel(loader: server)
    recorder.attach(to: model.track, as: "feed")
    model.send(.searched("sw"))
    model.send(.searched("swx"))
    await server.answer("swx", [], to: model)
    await server.answer("sw", ["swan"], to: model)
    await recorder.close()
    guard case .ready(["swan"]) = model.state else {
      Issue.record("It shows \(model.state).")
      return
    }
  }

  @Test func `what was recorded is reproduced`() async throws {
    try await recordLateAnswer()
    #expect(try replay(path, in: .feed) == .reproduced(decisions: 4))
    expectReproduced(path, in: .feed)
  }

  @Test func `with the bug fixed the late answer is passed over`() async throws {
    try await recordLateAnswer()
    guard case .diverged(let divergence) = try replay(path, in: fixed) else {
      Issue.record("It did not diverge.")
      return
    }
    #expect(divergence.controller == "feed")
    #expect(divergence.recorded.hasPrefix("moved #3 ready"))
    #expect(divergence.replayed == "nothing")
    #expect(divergence.matched == 3)
  }

  @Test func `a replay that diverges fails the test with a timeline`() async throws {
    try await recordLateAnswer()
    let message = failure { expectReproduced(path, in: fixed) }
    #expect(message.hasPrefix("Diverged: at event 9 of 'feed', after 3 decisions"))
    #expect(message.contains("the history says 'moved #3 ready, in the handling of event"))
    #expect(message.contains("feed #1 loading"))
    #expect(
      message.contains("Messages: 2 searched, 4 searched, 6 found (answers 4), 8 found (answers 2)")
    )
  }

  @Test func `the history and its page are attached to a failure`() async throws {
    try await recordLateAnswer()
    let kept = try KeptHistory(path, nil, TestLocation(#fileID, #filePath, 1, 1))
    let attachments = try kept.attachments
    let name = URL(filePath: path).deletingPathExtension().lastPathComponent
    #expect(attachments.map(\.name) == [name + ".sqlite", name + ".html"])
    #expect(attachments[0].bytes == Array(try Data(contentsOf: URL(filePath: path))))
    let page = String(decoding: attachments[1].bytes, as: UTF8.self)
    #expect(page.hasPrefix("<!") && page.contains("searched"))
  }

  @Test func `the late answer is found, with a timeline`() async throws {
    try await recordLateAnswer()
    let message = failure { expectNoFindings(in: path) }
    #expect(
      message.hasPrefix(
        "warning[late-answer] at event 9: Visit #3 (ready) took the answer to 'searched'"))
    #expect(message.contains("feed #1 loading"))
  }

  /// The user types, looks at the answer, and types again.
  private func recordPatientUser() async throws {
    let recorder = try HistoryRecorder(at: path)
    let server = Server()
    let model = FeedModel(loader: server)
    recorder.attach(to: model.track, as: "feed")
    for (text, items) in [("sw", ["swan"]), ("swx", [])] {
      model.send(.searched(text))
      await server.answer(text, items, to: model)
    }
    await recorder.close()
  }

  private var fixed: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.registerFeed("feed", isFixed: true)
    return registry
  }

  @Test func `the bug is found in a recording that does not show it`() async throws {
    try await recordPatientUser()
    expectNoFindings(in: path, warnings: true)
    let message = failure { explore(history: path, in: .feed) }
    #expect(
      message.hasPrefix("warning[late-answer]: Visit #3 (ready) took the answer to 'searched'"))
    #expect(message.contains("No shorter order does this than these 4 steps"))
    #expect(message.contains("4. found is received, the answer to searched: {\"found\""))
    explore(history: path, in: fixed)
  }

  @Test func `the late answer is reduced to its messages and kept as a test`() async throws {
    try await recordLateAnswer()
    let small = path + "-small.sqlite"
    defer { try? FileManager.default.removeItem(atPath: small) }
    let minimization = try minimize(path, in: .feed, writingTo: small)
    #expect(minimization.requests.after == 4)
    let message = failure { expectNoFindings(replaying: small, in: .feed) }
    #expect(
      message.hasPrefix("warning[late-answer]: Visit #3 (ready) took the answer to 'searched'"))
    #expect(message.contains("What was played of session 1:"))
    // A change to the same value is no new visit.
    #expect(message.contains("#1 loading     [=======]"), "\(message)")
    expectNoFindings(replaying: small, in: fixed)
  }

  @Test func `a test is written before there is a fix, and not with a policy for a fix`()
    async throws
  {
    try await recordLateAnswer()
    let source = try generateTest(from: path, in: .feed, as: ".feed", importing: ["Feed"])
    #expect(source.contains("feed.expectNoFindings(warnings: true)"))
    #expect(!source.contains("expectMoves"))
    #expect(throws: RegistryError.policyForTrack("queue", track: "feed")) {
      try generateTest(from: path, in: .feed, right: "queue", as: ".feed")
    }
  }

  @Test func `a written test fails with the bug and passes without it`() async throws {
    try await recordLateAnswer()
    let source = try generateTest(
      from: path, in: .feed, right: "feed-fixed", as: ".feed", importing: ["Feed"])
    // What follows is that test.
    #expect(source.contains("let searched = feed.receive(\"searched\", "))
    #expect(source.contains("feed.receive(\"found\", "))
    #expect(source.contains("feed.expectMoves(\"loading\", \"loading\", \"empty\")"))
    #expect(source.contains("feed.expectNoFindings(warnings: true)"))
    func run(_ registry: ControllerRegistry) throws {
      let feed = try TestScenario("feed", in: registry)
      let searched = feed.receive("searched", #"{"searched":{"_0":"sw"}}"#)
      let searched2 = feed.receive("searched", #"{"searched":{"_0":"swx"}}"#)
      feed.receive(FeedMessage.found([], for: "swx"), answering: searched2)
      feed.receive(FeedMessage.found(["swan"], for: "sw"), answering: searched)
      feed.expectMoves("loading", "loading", "empty")
      feed.expectNoFindings(warnings: true)
    }
    try run(fixed)
    let message = failure { #expect(throws: Never.self) { try run(.feed) } }
    #expect(message.contains("Other changes than expected"))
    #expect(message.contains("+ ready"))
    #expect(message.contains("warning[late-answer]"))
  }

  /// What fails in the body; it is to fail.
  private func failure(_ body: () -> Void) -> String {
    let messages = Mutex<[String]>([])
    withKnownIssue {
      body()
    } matching: { issue in
      messages.withLock { $0 += issue.comments.map(\.rawValue) }
      return true
    }
    return messages.withLock { $0.joined() }
  }

  @Test func `without the app in the registry nothing can be said`() async throws {
    try await recordLateAnswer()
    guard case .inconclusive(let reasons) = try replay(path, in: ControllerRegistry()) else {
      Issue.record("It is not inconclusive.")
      return
    }
    #expect(reasons.count == 1)
    #expect(reasons[0].hasPrefix("The history is of 'feed', and the registry has only"))
    let said = failure { expectReproduced(path, in: ControllerRegistry()) }
    #expect(said.hasPrefix("Inconclusive: The history is of 'feed', and the registry has only"))
  }

  @Test func `a history that is not there says where it was looked for`() throws {
    let error = #expect(throws: HistoryNotFound.self) { try replay("no-such", in: .feed) }
    #expect("\(try #require(error))".contains("Histories/no-such.sqlite"))
  }
}
