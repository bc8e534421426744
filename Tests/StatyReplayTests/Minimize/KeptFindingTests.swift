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
    private let isTimerFixed: Bool
    private var current: Hint?
    private var waiting: [Hint] = []

    init(_ context: ReplayContext, isTimerFixed: Bool) {
      (self.context, self.isTimerFixed) = (context, isTimerFixed)
    }

    func show(_ hint: Hint) {
      hint.script.onCompletion = { [unowned hint] completion in
        completion == .entered ? self.didAppear(hint) : self.didDisappear(hint)
      }
      context.probe.requested(hint, named: hint.script.name) {
        waiting.append(hint)
        showNext()
      }
    }

    func dismiss() { context.probe.received("dismiss") { hideCurrent() } }
    func skip() { context.probe.received("skip") { hideCurrent() } }

    private func showNext() {
      guard current == nil, !waiting.isEmpty else { return }
      let hint = waiting.removeFirst()
      current = hint
      context.probe.telling(.enter, hint) { hint.script.enter() }
    }

    private func didAppear(_ hint: Hint) {
      context.probe.completed(.entered, hint) {
        let step = context.probe.deferred { [self] in
          if !isTimerFixed || hint === current { hideCurrent() }
        }
        _ = context.scheduler.schedule(after: .seconds(2), step)
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

  /// Tells each state to exit at once, whether it was let in by its request or by an exit.
  private final class Impatient {
    private let probe: ControllerProbe
    private var current: Hints.Hint?
    private var waiting: [Hints.Hint] = []

    init(_ probe: ControllerProbe) { self.probe = probe }

    func show(_ state: Hints.Hint) {
      state.script.onCompletion = { [unowned state] completion in
        self.probe.completed(completion, state) {
          if completion == .exited { self.current = nil }
          self.showNext()
        }
      }
      probe.requested(state, named: state.script.name) {
        waiting.append(state)
        showNext()
      }
    }

    private func showNext() {
      guard current == nil, !waiting.isEmpty else { return }
      let next = waiting.removeFirst()
      current = next
      probe.telling(.enter, next) { next.script.enter() }
      probe.telling(.exit, next) { next.script.exit() }
    }
  }

  private func registry(isTimerFixed: Bool = false) -> ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register("hints") { context in
      let hints = Hints(context, isTimerFixed: isTimerFixed)
      return context.subject(makeState: Hints.Hint.init) { hint, _ in hints.show(hint) }
        .receiving("dismiss") { hints.dismiss() }
        .receiving("skip") { hints.skip() }
    }
    registry.register("impatient") { context in
      let impatient = Impatient(context.probe)
      return context.subject(makeState: Hints.Hint.init) { state, _ in impatient.show(state) }
    }
    return registry
  }

  private let toUndo = """
    {"seq":2,"t_us":1000,"kind":"enqueued","controller":"hints","visit":1,"state":"swipe"}
    {"seq":3,"t_us":1000,"kind":"entering","controller":"hints","visit":1,"state":"swipe","inside":2,"part":"handled"}
    {"seq":4,"t_us":301000,"kind":"entered","controller":"hints","visit":1,"state":"swipe"}
    {"seq":5,"t_us":500000,"kind":"enqueued","controller":"hints","visit":2,"state":"undo"}
    {"seq":6,"t_us":1700000,"kind":"received","controller":"hints","state":"dismiss"}
    {"seq":7,"t_us":1700000,"kind":"exiting","controller":"hints","visit":1,"state":"swipe","inside":6,"part":"handled"}
    {"seq":8,"t_us":2000000,"kind":"exited","controller":"hints","visit":1,"state":"swipe"}
    {"seq":9,"t_us":2000000,"kind":"entering","controller":"hints","visit":2,"state":"undo","inside":8,"part":"handled"}

    """
  /// What the timer of the first hint does to the second.
  private let tooEarly = """
    {"seq":10,"t_us":2301000,"kind":"resumed","controller":"hints","cause":4,"step":1}
    {"seq":11,"t_us":2301000,"kind":"exiting","controller":"hints","visit":2,"state":"undo","inside":10,"part":"handled"}

    """

  private func minimized(
    _ events: String, of kind: String = "hints", isTimerFixed: Bool = false
  ) throws -> Minimization {
    let text = """
      {"format":"staty-history","version":1}
      {"type":"session","uuid":"u","first_seq":1,"wall_us":1760000000000000}
      {"type":"controller","controller":"hints","policy":"\(kind)","discipline":"in-order","fidelity":"full"}
      {"seq":1,"t_us":0,"kind":"attached","controller":"hints"}

      """
    let writer = try HistoryWriter(path: path)
    var reading = HistoryImport(into: writer)
    try reading.take((text + events + #"{"type":"end","ended":"clean"}"# + "\n").utf8)
    _ = try reading.finish()
    try writer.close()
    let reader = try HistoryReader(path: path)
    let finding = try HistoryCheck(reader).session(1).findings.first {
      $0.code == .exitBeforeEnter && $0.visit == 2
    }
    let result = try Minimizer(
      reader, session: 1, finding: finding,
      registry: registry(isTimerFixed: isTimerFixed)
    ).run()
    #expect(result.finding.code == .exitBeforeEnter)
    #expect(result.proof.requests == .everyOrder)
    return result
  }

  @Test func `what a timer did is not shown by a tap`() throws {
    // A tap would do the same without the first hint.
    let small = try minimized(toUndo + tooEarly)
    #expect(small.scenario.requests.map(\.state) == ["swipe", "undo"])
    #expect(small.scenario.messages.map(\.name) == ["dismiss"])
    guard case .deferred = small.schedule.last else {
      Issue.record("the timer is not the last step: \(small.schedule)")
      return
    }
  }

  @Test func `what one message did is not shown by another`() throws {
    let small = try minimized(
      toUndo + """
        {"seq":10,"t_us":2100000,"kind":"received","controller":"hints","state":"skip"}
        {"seq":11,"t_us":2100000,"kind":"exiting","controller":"hints","visit":2,"state":"undo","inside":10,"part":"handled"}

        """)
    #expect(small.scenario.requests.map(\.state) == ["undo"])
    #expect(small.scenario.messages.map(\.name) == ["skip"])
  }

  @Test func `what an exit did may be shown by a request`() throws {
    let small = try minimized(
      """
      {"seq":2,"t_us":1000,"kind":"enqueued","controller":"hints","visit":1,"state":"swipe"}
      {"seq":3,"t_us":1000,"kind":"entering","controller":"hints","visit":1,"state":"swipe","inside":2,"part":"handled"}
      {"seq":4,"t_us":1000,"kind":"exiting","controller":"hints","visit":1,"state":"swipe","inside":2,"part":"handled"}
      {"seq":5,"t_us":400000,"kind":"enqueued","controller":"hints","visit":2,"state":"undo"}
      {"seq":6,"t_us":500000,"kind":"exited","controller":"hints","visit":1,"state":"swipe"}
      {"seq":7,"t_us":500000,"kind":"entering","controller":"hints","visit":2,"state":"undo","inside":6,"part":"handled"}
      {"seq":8,"t_us":500000,"kind":"exiting","controller":"hints","visit":2,"state":"undo","inside":6,"part":"handled"}

      """, of: "impatient")
    #expect(small.scenario.requests.map(\.state) == ["undo"])
  }

  @Test func `that a fixed class breaks the rule in another way is said`() throws {
    let events =
      toUndo + tooEarly + """
        {"seq":12,"t_us":2302000,"kind":"received","controller":"hints","state":"dismiss"}
        {"seq":13,"t_us":2302000,"kind":"exiting","controller":"hints","visit":2,"state":"undo","inside":12,"part":"handled"}

        """
    #expect(try !minimized(toUndo + tooEarly).isInAnotherWay)
    try FileManager.default.removeItem(atPath: path)
    let small = try minimized(events, isTimerFixed: true)
    #expect(small.isInAnotherWay)
    #expect(small.scenario.requests.map(\.state) == ["undo"])
  }
}
