import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatyTesting
import Testing

/// A model that sends itself messages, which are answered later.
@Suite final class NestedMessageTests {
  enum Message: RecordedMessage {
    case typed(String)
    case searched(String)
    case found(String)
  }

  final class Search {
    enum State { case idle, loading, ready }
    let track = StateTrack("search", State.idle)
    private(set) var state = State.idle { didSet { track.moved(to: state) } }
    private(set) var searches = 0
    private(set) var shown = ""
    private let isFixed: Bool
    private var wanted = ""
    var questions: [String: MessageOrigin] = [:]

    init(isFixed: Bool = false) { self.isFixed = isFixed }

    func send(_ message: Message, answering question: MessageOrigin? = nil) {
      track.received(message, answering: question) {
        switch message {
        case .typed(let text): send(.searched(text))
        case .searched(let text):
          questions[text] = .current
          searches += 1
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

  private func record(_ body: (Search) -> Void) throws {
    let recorder = try HistoryRecorder(at: path)
    let search = Search()
    recorder.attach(to: search.track, as: "search")
    body(search)
    recorder.close()
  }

  private func registry(isFixed: Bool = false) -> ControllerRegistry {
    var registry = ControllerRegistry()
    for (name, isFixed) in [("search", isFixed), ("search-fixed", true)] {
      registry.register(name) { context in
        let search = Search(isFixed: isFixed)
        return context.subject(of: search.track) { (message: Message) in search.send(message) }
          .atEnd("each text was searched once") { search.searches <= 2 }
      }
    }
    return registry
  }

  private func recordBug() throws {
    try record { search in
      for text in ["a", "b"] { search.send(.typed(text)) }
      search.find("b")
      search.find("a")
    }
  }

  @Test func `an answer to a nested message is late when it is played again`() throws {
    try recordBug()
    let reader = try HistoryReader(path: path)
    #expect(try HistoryCheck(reader).session(1).findings.map(\.code) == [.lateAnswer])
    let played = try WhatIf(reader, session: 1, registry: registry()).run()
    #expect(played.findings.map(\.code) == [.lateAnswer], "\(played)")
    let fixed = try WhatIf(reader, session: 1, registry: registry(isFixed: true)).run()
    #expect(fixed.findings.isEmpty && fixed.doubts.isEmpty, "\(fixed)")
  }

  @Test func `an answer to a nested message may be late in a search`() throws {
    try record { search in
      for text in ["a", "b"] {
        search.send(.typed(text))
        search.find(text)
      }
    }
    for isFixed in [false, true] {
      let registry = registry(isFixed: isFixed)
      let scenario = try Scenario(ofHistoryAt: path, session: 1, registry: registry)
      #expect(scenario.messages.map(\.name) == ["typed", "found", "typed", "found"])
      #expect(scenario.messages.map(\.origin) == [nil, 1, nil, 3])
      let explored = try Explorer(scenario, registry: registry).run()
      #expect(explored.findings.map(\.code) == (isFixed ? [] : [.lateAnswer]))
      #expect(explored.doubts == [])
    }
  }

  /// The variant sends them itself, too.
  @Test func `in the place of a model, another is not told its own messages twice`() throws {
    try recordBug()
    let reader = try HistoryReader(path: path)
    var options = WhatIf.Options()
    options.replacement = Replacement(all: "search-fixed")
    let played = try WhatIf(reader, session: 1, registry: registry(), options: options).run()
    #expect(played.findings.isEmpty && played.doubts.isEmpty, "\(played)")
  }
}
