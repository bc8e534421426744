import Basket
import Foundation
import StatyRecorder
import StatyTesting
import Testing

/// A store with middleware, recorded and replayed.
@Suite @MainActor struct ReduxTests {
  enum Action: RecordedMessage {
    case asked
    case answered(Int)
  }

  enum Phase {
    case idle, waiting, ready
  }

  /// A store in the style of Redux: a state, a reducing function, and middleware around it.
  @MainActor final class Store {
    let track = StateTrack("counter")
    private(set) var phase = Phase.idle
    private var count = 0
    private var dispatching: (Action) -> Void = { _ in }

    init() {
      dispatching = recording(
        track, { [unowned self] in phase }, showing: { [unowned self] in count })(reduce)
    }

    func dispatch(_ action: Action) { dispatching(action) }

    private func reduce(_ action: Action) {
      switch action {
      case .asked:
        phase = .waiting
        Task { dispatch(.answered(1)) }
      case .answered(let count):
        phase = .ready
        self.count = count
      }
    }
  }

  @Test func `a store with middleware is recorded and replayed`() async throws {
    let path =
      FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = try HistoryRecorder(at: path)
    let store = Store()
    recorder.attach(to: store.track, as: "counter")
    store.dispatch(.asked)
    while store.phase != .ready { await Task.yield() }
    await recorder.close()
    var registry = ControllerRegistry()
    registry.register("counter") { context in
      let store = Store()
      return context.subject(of: store.track) { (action: Action) in store.dispatch(action) }
    }
    #expect(try replay(path, in: registry) == .reproduced(decisions: 2))
    // The task that the reducer started carries the action that it answers.
    let scenario = try Scenario(ofHistoryAt: path, session: 1, registry: registry)
    #expect(scenario.messages.map(\.origin) == [nil, 1])
  }

  /// The guide shows what is compiled and tried here.
  @Test(arguments: ["Recorded", "Recording", "BasketReplay"])
  func `what the guide shows is what is compiled`(file: String) throws {
    let app = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let source = try String(
      contentsOf: app.appending(path: "Basket/\(file).swift"), encoding: .utf8)
    let guide = try String(
      contentsOf: app.appending(
        path: "../../Sources/Staty/Documentation.docc/RecordingAReducer.md"), encoding: .utf8)
    #expect(guide.contains("```swift\n\(source)```\n"))
  }
}
