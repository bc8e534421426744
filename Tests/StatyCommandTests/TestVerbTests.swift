import Foundation
import Staty
import StatyHistory
import StatyReplay
import Testing

@testable import StatyCommand

/// What `test` writes, word for word.
///
/// That it compiles, is red and gets green, `.ci/generated-test` tries.
@Suite struct TestVerbTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expect(
    _ arguments: [String], _ name: String, status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try place.expect(arguments, name, status: status, sourceLocation: sourceLocation)
  }

  private func demo() throws {
    let run = try Binary(["demo", "-o", "demo"], in: place.directory)
    try #require(run.status == 0)
  }

  @Test(arguments: ["second-exit", "closed-alert", "dropped-presentation", "unknown-key"])
  func `the steps of a fault are told in the words of its states`(_ fault: String) throws {
    try demo()
    try expect(["test", "demo/\(fault).sqlite", "--with=queue"], "test-\(fault)")
  }

  @Test func `without a right controller any order is right that breaks no rule`() throws {
    try demo()
    try expect(["test", "demo/second-exit.sqlite"], "test-any-order")
  }

  @Test func `a fault is written down with another controller's order`() throws {
    try demo()
    try expect(["test", "demo/second-exit.sqlite", "--with=latest"], "test-with")
    let run = try Binary(
      [
        "test", "demo/second-exit.sqlite", "--registry", ".shop", "--import", "Shop", "-o",
        "ScreenTests.swift",
      ], in: place.directory)
    #expect(run.status == 0 && run.out == "" && run.err.hasPrefix("A test of 'screen'"))
    let text = try String(contentsOfFile: place.path("ScreenTests.swift"), encoding: .utf8)
    #expect(text.contains("import Shop\nimport StatyTesting\nimport Testing\n"))
    // Of the same state and rule there may be another in the same module.
    #expect(text.contains(" (ScreenTests)`() throws {"))
    #expect(text.contains(#"TestScenario("staty-2019", in: .shop)"#))
  }

  @Test func `a right order is judged by the discipline of the recorded controller`() throws {
    try demo()
    // A controller that lets every state enter at once is no fix for one that shows one state after
    // the other.
    try expect(
      ["test", "demo/second-exit.sqlite", "--with=immediate"], "test-error-immediate", status: 2)
    var story = Story("faulty")
    for visit in 1...3 as ClosedRange<UInt32> {
      story.add(.enqueued, visit, priority: Int32(visit))
    }
    try place.write(story)
    var registry = ControllerRegistry()
    registry.register(policy: "faulty") { Insistent() }
    let urgent = Capture(
      ["test", place.path(), "--registry", ".mine", "--with=priority"], registry: registry)
    #expect(urgent.status == .inconclusive, "\(urgent.transcript)")
  }

  @Test func `which of several broken rules a test is of can be said`() throws {
    try demo()
    let small = try Binary(
      ["minimize", "demo/second-exit.sqlite", "--rule=overlap", "-o", "small.sqlite"],
      in: place.directory)
    try #require(small.status == 0)
    for words in [["--rule=overlap"], ["--rule=overlap", "--finding=16"]] {
      let run = try Binary(["test", "demo/second-exit.sqlite"] + words, in: place.directory)
      if words.count == 1 { #expect(run.out.contains("// error[overlap]"), "\(run.transcript)") }
      #expect([0, 64].contains(run.status), "\(run.transcript)")
    }
    try expect(
      ["test", "demo/second-exit.sqlite", "--rule=out-of-order"], "test-error-rule", status: 2)
    try expect(
      ["test", "demo/second-exit.sqlite", "--rule=slow-exit"], "test-error-warning", status: 64)
    try expect(
      ["test", "demo/second-exit.sqlite", "--finding=1"], "test-error-finding", status: 64)
  }

  @Test(arguments: [
    ["--registry", ""], ["--registry", " "], ["--registry", ".shop(\n)"],
    ["--registry", ".shop(//)"], ["--registry", ".shop /*"], ["--import", ""],
    ["--import", "a\u{2028}b"],
  ])
  func `what would end a line of the test or hide the rest of it is refused`(
    _ words: [String]
  ) throws {
    let run = try Binary(["test", "history.sqlite"] + words, in: place.directory)
    #expect(run.status == 64, "\(words): \(run.transcript)")
    #expect(run.err.contains("is invalid for '\(words[0]) <"), "\(run.err)")
  }

  @Test(arguments: [
    ".shop", "Shop.registry", ".default", "makeRegistry()", "Shop.registry(for: \"a) b\")",
    ".with { $0 }", "Größe.alle",
  ])
  func `a registry is any value that Swift can name`(_ text: String) throws {
    try demo()
    let run = try Binary(
      ["test", "demo/second-exit.sqlite", "--registry", text], in: place.directory)
    #expect(run.status == 0, "\(text): \(run.transcript)")
    #expect(run.out.contains("in: \(text))"))
  }

  @Test func `names that mean something in Swift end nothing and hide nothing`() throws {
    try demo()
    let plain = try Binary(["export", "demo/second-last.sqlite"], in: place.directory).out
    let hostile = #"\"\\(fatalError())\n\u202e`*/ \u65e5\u672c\u8a9e"#
    let text = plain.replacing(#""loading""#, with: #""default""#)
      .replacing(#""content""#, with: "\"\(hostile)\"").replacing(#""alert""#, with: #""9""#)
    try Data(text.utf8).write(to: URL(fileURLWithPath: place.path("log.ndjson")))
    _ = try Binary(["import", "log.ndjson", "-o", "history.sqlite"], in: place.directory)
    try expect(["test", "history.sqlite", "--with=queue"], "test-hostile")
  }

  @Test func `routes, a target that comes late, and what was cancelled are told, too`() throws {
    var story = Story("faulty")
    story.snapshot.isWithholding = true
    var route = SnapshotRecord.Route(to: "loading")
    route.isAnywhere = true
    story.snapshot.routes = [route]
    story.add(.enqueued, 1)
    let bound = story.add(.resumed)
    story.add(.entering, 1, cause: bound)
    story.add(.entered, 1)
    let cancelled = story.add(.cancelled, 1, .cancelledVisit)
    story.add(.exiting, 1, cause: cancelled)
    story.add(.exiting, 1, cause: cancelled)
    try place.write(story)
    var registry = ControllerRegistry()
    registry.register(policy: "faulty") { Insistent() }
    let run = Capture(
      ["test", place.path(), "--registry", ".mine", "--with=queue"], registry: registry)
    try expectGolden(run.transcript, "test-routes")
  }

  @Test func `no test is written that would not fail, or that cannot be written in Swift`() throws {
    try place.write(.clean)
    try expect(["test", "history.sqlite"], "test-error-clean", status: 2)
    try expect(["test", "history.sqlite", "--with=quue"], "test-error-kind", status: 64)
    try place.write(.overlapping("shop-2024"), to: "own.sqlite")
    try expect(["test", "own.sqlite"], "test-error-unknown", status: 2)
    try place.write(.overlapping("queue"), to: "other.sqlite")
    try expect(["test", "other.sqlite"], "test-error-other", status: 2)
    var lossy = Story.overlapping("queue")
    lossy.lose(1)
    lossy.add(.enqueued, 5)
    try place.write(lossy, to: "lossy.sqlite")
    try expect(["test", "lossy.sqlite"], "test-error-gaps", status: 2)
    var little = Story("queue", fidelity: .ordered)
    for row in Story.overlapping("queue").rows.dropFirst() {
      little.add(EventKind(rawValue: row.kind)!, row.visit)
    }
    try place.write(little, to: "little.sqlite")
    try expect(["test", "little.sqlite"], "test-error-little", status: 2)
    try demo()
    try expect(["test", "demo/interrupted-animation.sqlite"], "test-error-silent", status: 2)
    try expect(
      ["test", "demo/second-exit.sqlite", "--with=staty-2019"], "test-error-right", status: 2)
  }
}

/// A policy with a fault: a cancelled visit is told twice to leave.
private struct Insistent: TransitionPolicy {
  private var base = QueuePolicy()

  static var name: StateName { "faulty" }
  var current: Request? { base.current }
  var phase: Phase { base.phase }
  var snapshot: PolicySnapshot { base.snapshot }

  init() {}
  init(restoring snapshot: PolicySnapshot) { base = QueuePolicy(restoring: snapshot) }

  func predecessor(of request: Request) -> Request? { base.predecessor(of: request) }

  mutating func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit {
    let fit = base.receive(signal, &commands)
    if case .cancelled = signal, let current { commands.append(.exit(current.visit)) }
    return fit
  }
}
