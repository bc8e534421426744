import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Testing

@testable import StatyReplay

/// Conditions that an app gives are judged wherever its model runs again.
@Suite final class InvariantTests {
  enum Message: RecordedMessage {
    case asked(Int)
    case answered(Int)
    case reset
  }

  /// Counts what was asked and answered, and lets an old answer count after a reset.
  final class Counter {
    enum State: Hashable { case open(Int) }

    let track = StateTrack("counter", State.open(0))
    private(set) var (asked, open) = (0, 0)
    private(set) var state = State.open(0) { didSet { track.moved(to: state) } }
    private let isRight: Bool
    private var round = 0
    var questions: [MessageOrigin?] = []

    init(isRight: Bool = false) { self.isRight = isRight }

    func send(_ message: Message, answering question: MessageOrigin? = nil) {
      track.received(message, answering: question) {
        switch message {
        case .asked:
          questions.append(.current)
          open += 1
        case .answered(let asked): if !isRight || asked == round { open -= 1 }
        case .reset:
          round += 1
          open = 0
        }
        state = .open(open)
      }
    }
  }

  private let path =
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path

  deinit {
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  private func record(_ body: (Counter) -> Void) throws {
    let recorder = try HistoryRecorder(at: path)
    let counter = Counter()
    recorder.attach(to: counter.track, as: "counter")
    body(counter)
    recorder.close()
  }

  private func recordHarmless() throws {
    try record { counter in
      for _ in 0..<2 {
        counter.send(.asked(0))
        counter.send(.answered(0), answering: counter.questions.last!)
      }
      counter.send(.reset)
    }
  }

  private func registry(
    isRight: Bool = false, _ conditions: @escaping (Counter, ReplaySubject) -> ReplaySubject
  ) -> ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register("counter") { context in
      let counter = Counter(isRight: isRight)
      let subject = context.subject(of: counter.track) { (message: Message) in
        counter.send(message)
      }
      return conditions(counter, subject)
    }
    return registry
  }

  private func explore(_ registry: ControllerRegistry) throws -> Exploration {
    let scenario = try Scenario(ofHistoryAt: path, session: 1, registry: registry)
    var options = Explorer.Options()
    options.codes = [.invariant]
    return try Explorer(scenario, registry: registry, options: options).run()
  }

  private static let name = "fewer answers than questions"

  private func never(_ counter: Counter, _ subject: ReplaySubject) -> ReplaySubject {
    subject.always(Self.name) { counter.open >= 0 }
  }

  @Test func `a search stops where a condition does not hold`() throws {
    try recordHarmless()
    let exploration = try explore(registry(never))
    #expect(exploration.verdict == .broken)
    let finding = try #require(exploration.findings.first)
    #expect(finding.code == .invariant)
    let run = try #require(
      try Explorer(exploration.scenario, registry: registry(never)).run(of: exploration))
    #expect(
      finding.detail { run.names[$0] } == "The condition '\(Self.name)' does not hold.")
    #expect(try explore(registry(isRight: true, never)).verdict == .same)
  }

  @Test func `a condition at rest is not judged while an answer is late`() throws {
    try recordHarmless()
    var seen: [Int] = []
    let waits = registry(isRight: true) { counter, subject in
      subject.atRest("nothing is awaited") {
        seen.append(counter.open)
        return counter.open == 0
      }
    }
    #expect(try explore(waits).verdict == .same)
    #expect(!seen.isEmpty && seen.allSatisfy { $0 == 0 })
    let always = registry(isRight: true) {
      $1.always("nothing is awaited") { [c = $0] in c.open == 0 }
    }
    #expect(try explore(always).verdict == .broken)
    let end = registry { counter, subject in subject.atEnd("nothing") { counter.open == 0 } }
    let found = try explore(end)
    #expect(found.verdict == .broken && found.isAtEnd)
  }

  @Test func `a condition that does not hold from the beginning breaks the empty order`() throws {
    try recordHarmless()
    let exploration = try explore(registry { $1.always("never so") { false } })
    #expect(exploration.verdict == .broken)
    #expect(exploration.schedule == [])
  }

  @Test func `a condition that changes its model is a doubt`() throws {
    try recordHarmless()
    let meddling = registry { counter, subject in
      subject.always("meddles") {
        counter.send(.asked(9))
        return true
      }
    }
    let doubt = ReplayDoubt.meddling(controller: 1, condition: "meddles")
    #expect(try explore(meddling).doubts.contains(doubt))
    var count = 0
    let fickle = registry {
      $1.always("fickle") {
        count += 1; return count % 2 == 0
      }
    }
    #expect(
      try explore(fickle).doubts.contains(.meddling(controller: 1, condition: "fickle")))
  }

  @Test
  func `a recording in which a condition does not hold is made smaller, and a replay says it`()
    throws
  {
    try record { counter in
      for _ in 0..<6 {
        counter.send(.asked(0))
        counter.send(.answered(0), answering: counter.questions.last!)
      }
      counter.send(.asked(0))
      counter.send(.reset)
      counter.send(.answered(0), answering: counter.questions.last!)
    }
    let reader = try HistoryReader(path: path)
    let found = try WhatIf(
      reader, session: 1, only: [1], registry: registry(never)
    ).brokenConditions()
    #expect(found.map(\.seq) == [try reader.session(1).lastSeq])
    var options = Minimizer.Options()
    options.codes = [.invariant]
    let minimizer = try Minimizer(
      ofHistoryAt: path, session: 1, registry: registry(never), options: options)
    let minimization = try minimizer.run()
    #expect(minimization.requests.before == 15 && minimization.requests.after == 3)
    #expect(minimization.proof == .init(requests: .everyOrder, order: .shortest))
    #expect(
      try WhatIf(
        reader, session: 1, only: [1], registry: registry(isRight: true, never)
      ).brokenConditions().isEmpty)
  }
}
