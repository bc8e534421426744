import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReport
import StatyRules
import Testing

@testable import StatyReplay

/// A condition that holds at rest is not judged while an answer is to come, also where it was left out.
@Suite final class AtRestTests {
  enum Message: RecordedMessage {
    case searched(String)
    case found(String)
  }

  /// Shows what was found last, or what was searched for last.
  final class Search {
    enum State { case idle, loading, ready }
    let track = StateTrack("search", State.idle)
    private var state = State.idle { didSet { track.moved(to: state) } }
    private(set) var (wanted, shown) = ("", "")
    private let isFixed: Bool
    private var questions: [String: MessageOrigin] = [:]

    init(isFixed: Bool) { self.isFixed = isFixed }

    func send(_ message: Message, answering question: MessageOrigin? = nil) {
      track.received(message, answering: question) {
        switch message {
        case .searched(let text):
          questions[text] = .current
          (wanted, state) = (text, .loading)
        case .found(let text):
          if isFixed, text != wanted { return }
          (shown, state) = (text, .ready)
        }
      }
    }

    func find(_ text: String) { send(.found(text), answering: questions[text]) }
  }

  private let path =
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path

  deinit {
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  /// Three searches; the answers of the last two cross.
  private func record() throws {
    let recorder = try HistoryRecorder(at: path)
    let search = Search(isFixed: false)
    recorder.attach(to: search.track, as: "search")
    search.send(.searched("a"))
    search.find("a")
    for text in ["b", "c"] { search.send(.searched(text)) }
    for text in ["c", "b"] { search.find(text) }
    recorder.close()
  }

  private var registry: ControllerRegistry {
    var registry = ControllerRegistry()
    for (name, isFixed) in [("search", false), ("fixed", true)] {
      registry.register(name) { context in
        let search = Search(isFixed: isFixed)
        return context.subject(of: search.track) { (message: Message) in search.send(message) }
          .atRest("the newest search is shown") { search.shown == search.wanted }
      }
    }
    return registry
  }

  @Test func `an answer without which nothing would be at rest is not left out`() throws {
    try record()
    var options = Minimizer.Options()
    options.codes = [.invariant]
    let minimizer = try Minimizer(
      ofHistoryAt: path, session: 1, registry: registry, options: options)
    let minimization = try minimizer.run()
    #expect(
      minimization.scenario.messages.map(\.name) == ["searched", "searched", "found", "found"])
    let right = registry.making("search", like: "fixed")
    let run = try ScheduleRun(minimization.scenario, registry: right)
    var order = ListedOrder(minimization.schedule)
    run.play(&order)
    run.finish()
    #expect(!run.findings.contains { $0.code == .invariant })
  }

  @Test func `a written test does not end at a question, and a right model passes`() throws {
    try record()
    let reader = try HistoryReader(path: path)
    let finding = try #require(
      try WhatIf(reader, session: 1, only: [1], registry: registry).brokenConditions().first)
    let writer = try TestWriter(
      reader, session: 1, about: finding, registry: registry, right: nil,
      TestWriter.Surroundings())
    #expect(try writer.brokenRules(with: "search", registry).contains(.invariant))
    #expect(try writer.brokenRules(with: "fixed", registry) == [])
    #expect(writer.text.components(separatedBy: "receive(").count == 7, "\(writer.text)")
  }
}
