import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatyTesting
import Testing

/// A model whose state has values in some cases: it may set the same again, and has not ignored its message.
@Suite final class SameAgainTests {
  enum Message: RecordedMessage {
    case searched(String)
    case found(String)
  }

  final class Search {
    enum State: Hashable {
      case idle, loading
      case ready(String)
    }

    let track = StateTrack("search", State.idle)
    private(set) var state = State.idle { didSet { track.moved(to: state) } }
    private let isFixed: Bool
    private var wanted = ""
    var questions: [String: MessageOrigin] = [:]

    init(isFixed: Bool) { self.isFixed = isFixed }

    func send(_ message: Message, answering question: MessageOrigin? = nil) {
      track.received(message, answering: question) {
        switch message {
        case .searched(let text):
          questions[text] = .current
          (wanted, state) = (text, .loading)
        case .found(let text):
          if !isFixed || text == wanted { state = .ready(text) }
        }
      }
    }
  }

  private let path =
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path

  deinit {
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  @Test(arguments: [false, true])
  func `a question that sets what is shown already is asked`(isFixed: Bool) throws {
    let recorder = try HistoryRecorder(at: path)
    let search = Search(isFixed: false)
    recorder.attach(to: search.track, as: "search")
    for text in ["a", "b"] {
      search.send(.searched(text))
      search.send(.found(text), answering: search.questions[text])
    }
    recorder.close()
    var registry = ControllerRegistry()
    registry.register("search") { context in
      let search = Search(isFixed: isFixed)
      return context.subject(of: search.track) { (message: Message) in search.send(message) }
        .atEnd("nothing is loading") { search.state != .loading }
    }
    let scenario = try Scenario(ofHistoryAt: path, session: 1, registry: registry)
    let explored = try Explorer(scenario, registry: registry).run()
    #expect(explored.findings.map(\.code) == (isFixed ? [] : [.lateAnswer]), "\(explored)")
    #expect(explored.verdict == (isFixed ? .same : .broken))
    #expect(explored.doubts == [])
  }
}
