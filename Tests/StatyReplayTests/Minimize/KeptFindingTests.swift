import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyReplay
import StatyRules
import Testing

/// A smaller recording shows the bug that was recorded, and no other one at the same visit.
@Suite final class KeptFindingTests {
  /// Shows hints, each for two seconds or until it is tapped, and does not look at which hint it is that it hides.
  private final class Hints {
    final class Hint {
      let script: ReplayState
      init(_ script: ReplayState) { self.script = script }
    }

    private let context: ReplayContext
    private var current: Hint?
    private var waiting: [Hint] = []

    init(_ context: ReplayContext) { self.context = context }

    func show(_ hint: Hint) {
      hint.script.onCompletion = { [unowned hint] completion in
        completion == .entered ? self.didAppear(hint) : self.didDisappear(hint)
      }
      context.probe.requested(hint, named: hint.script.name) {
        waiting.append(hint)
        showNext()
      }
    }

    func dismiss() {
      context.probe.received("dismiss") { hideCurrent() }
    }

    private func showNext() {
      guard current == nil, !waiting.isEmpty else { return }
      let hint = waiting.removeFirst()
      current = hint
      context.probe.telling(.enter, hint) { hint.script.enter() }
    }

    private func didAppear(_ hint: Hint) {
      context.probe.completed(.entered, hint) {
        _ = context.scheduler.schedule(
          after: .seconds(2), context.probe.deferred { self.hideCurrent() })
      }
    }

    private func hideCurrent() {
      guard let current else { return }
      context.probe.telling(.exit, current) { current.script.exit() }
    }

    private func didDisappear(_ hint: Hint) {
      context.probe.completed(.exited, hint) {
        current = nil
        showNext()
      }
    }
  }

  private let path =
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path

  deinit {
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  private var registry: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register("hints") { context in
      let hints = Hints(context)
      return context.subject(makeState: Hints.Hint.init) { hint, _ in hints.show(hint) }
        .receiving("dismiss") { hints.dismiss() }
    }
    return registry
  }

  private func write(_ events: String) throws {
    let text = """
      {"format":"staty-history","version":1}
      {"type":"session","uuid":"u","first_seq":1,"wall_us":1760000000000000}
      {"type":"controller","controller":"hints","policy":"hints","discipline":"in-order","fidelity":"full"}
      {"seq":1,"t_us":0,"kind":"attached","controller":"hints"}
      {"seq":2,"t_us":1000,"kind":"enqueued","controller":"hints","visit":1,"state":"swipe"}
      {"seq":3,"t_us":1000,"kind":"entering","controller":"hints","visit":1,"state":"swipe","inside":2,"part":"handled"}
      {"seq":4,"t_us":301000,"kind":"entered","controller":"hints","visit":1,"state":"swipe"}
      {"seq":5,"t_us":500000,"kind":"enqueued","controller":"hints","visit":2,"state":"undo"}
      {"seq":6,"t_us":1700000,"kind":"received","controller":"hints","state":"dismiss"}
      {"seq":7,"t_us":1700000,"kind":"exiting","controller":"hints","visit":1,"state":"swipe","inside":6,"part":"handled"}
      {"seq":8,"t_us":2000000,"kind":"exited","controller":"hints","visit":1,"state":"swipe"}
      {"seq":9,"t_us":2000000,"kind":"entering","controller":"hints","visit":2,"state":"undo","inside":8,"part":"handled"}
      \(events)
      {"type":"end","ended":"clean"}

      """
    let writer = try HistoryWriter(path: path)
    var reading = HistoryImport(into: writer)
    try reading.take(text.utf8)
    _ = try reading.finish()
    try writer.close()
  }

  private func minimized() throws -> (states: [StateName], messages: Int, last: Step?) {
    let result = try Minimizer(ofHistoryAt: path, session: 1, registry: registry).run()
    #expect(result.finding.code == .exitBeforeEnter)
    #expect(result.proof.requests == .everyOrder)
    return (
      result.scenario.requests.map(\.state), result.scenario.messages.count, result.schedule.last
    )
  }

  @Test func `what a timer did is not shown by a tap`() throws {
    // The timer of the first hint hides the second one. A tap would do the same without the first.
    try write(
      """
      {"seq":10,"t_us":2301000,"kind":"resumed","controller":"hints","cause":4,"step":1}
      {"seq":11,"t_us":2301000,"kind":"exiting","controller":"hints","visit":2,"state":"undo","inside":10,"part":"handled"}
      """)
    let small = try minimized()
    #expect(small.states == ["swipe", "undo"] && small.messages == 1)
    guard case .deferred = small.last else {
      Issue.record("the timer is not the last step: \(small)")
      return
    }
  }

  @Test func `what a tap did needs no timer`() throws {
    try write(
      """
      {"seq":10,"t_us":2100000,"kind":"received","controller":"hints","state":"dismiss"}
      {"seq":11,"t_us":2100000,"kind":"exiting","controller":"hints","visit":2,"state":"undo","inside":10,"part":"handled"}
      """)
    let small = try minimized()
    #expect(small.states == ["undo"] && small.messages == 1)
  }
}
