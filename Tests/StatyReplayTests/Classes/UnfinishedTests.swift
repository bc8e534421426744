import Staty
import StatyHistory
import StatyReading
import StatyReport
import StatyRecorder
import StatyRules
import Testing

@testable import StatyReplay

/// A completion that says whether it was done to the end, such as that of an animation.
@Suite struct UnfinishedTests {
  /// One toast at a time.
  ///
  /// The faulty one forgets a toast only when its animation was done to the end.
  private final class Toaster: Recordable {
    let probe: ControllerProbe
    var events: EventSource { probe.events }
    private let isRight: Bool
    private var waiting: [Toast] = []
    private(set) var current: Toast?

    init(_ probe: ControllerProbe, isRight: Bool) {
      (self.probe, self.isRight) = (probe, isRight)
    }

    func show(_ toast: Toast) {
      probe.requested(toast, named: "toast") {
        waiting.append(toast)
        toast.hasArrived = { [unowned self] in hasArrived($0) }
        toast.hasGone = { [unowned self] in hasGone($0, finished: $1) }
        showNext()
      }
    }

    private func hasArrived(_ toast: Toast) {
      probe.completed(.entered, toast) { probe.telling(.exit, toast) { toast.fadeOut() } }
    }

    private func hasGone(_ toast: Toast, finished: Bool) {
      probe.completed(.exited, toast, finished: finished) {
        guard finished || isRight else { return }
        if current === toast { current = nil }
        showNext()
      }
    }

    private func showNext() {
      guard current == nil, !waiting.isEmpty else { return }
      let toast = waiting.removeFirst()
      current = toast
      probe.telling(.enter, toast) { toast.fadeIn() }
    }
  }

  private class Toast {
    var hasArrived: (Toast) -> Void = { _ in }
    var hasGone: (Toast, Bool) -> Void = { _, _ in }
    func fadeIn() {}
    func fadeOut() {}
  }

  private final class ScriptedToast: Toast {
    private let script: ReplayState
    init(_ script: ReplayState) {
      self.script = script
      super.init()
      script.onCompletion = { [unowned self] completion in
        completion == .entered ? hasArrived(self) : hasGone(self, script.hasFinished)
      }
    }
    override func fadeIn() { script.enter() }
    override func fadeOut() { script.exit() }
  }

  private let history: RecordedHistory

  init() throws { history = try RecordedHistory() }

  private static func registry(isRight: Bool) -> ControllerRegistry {
    var registry = ControllerRegistry()
    for (kind, isRight) in [("toaster", isRight), ("right toaster", true)] {
      registry.register(kind) { context in
        let toaster = Toaster(context.probe, isRight: isRight)
        return context.subject(makeState: ScriptedToast.init) { toast, _ in toaster.show(toast) }
      }
    }
    return registry
  }

  /// Two toasts; how the animation of the first one ends.
  private func record(
    isRight: Bool, first: Bool, again: Bool? = nil
  ) throws -> HistoryReader {
    let recorder = try history.recorder()
    let toaster = Toaster(ControllerProbe("toaster"), isRight: isRight)
    recorder.attach(to: toaster, as: "toaster")
    let toasts = [Toast(), Toast()]
    toaster.show(toasts[0])
    toasts[0].hasArrived(toasts[0])
    toasts[0].hasGone(toasts[0], first)
    if let again { toasts[0].hasGone(toasts[0], again) }
    toaster.show(toasts[1])
    if toaster.current === toasts[1] {
      toasts[1].hasArrived(toasts[1])
      toasts[1].hasGone(toasts[1], true)
    }
    recorder.close()
    return try HistoryReader(path: history.path)
  }

  @Test(arguments: [true, false], [true, false])
  func `it is recorded, told to the class again, and compared`(isRight: Bool, first: Bool) throws {
    let reader = try record(isRight: isRight, first: first)
    #expect(
      try history.rows("SELECT reason FROM history WHERE kind = 'exited' AND visit = 1")
        == [first ? "finished" : "unfinished"])
    #expect(try history.verify(Self.registry(isRight: isRight)).verdict == .reproduced)
    // The other class goes another way only where the animation was not done to the end.
    let other = try history.verify(Self.registry(isRight: !isRight))
    #expect(other.verdict == (first ? .reproduced : .diverged))
    var options = CheckOptions()
    options.patience = .zero
    let codes = try HistoryCheck(reader, options: options).session(1).findings.map(\.code)
    #expect(codes == (first || isRight ? [] : [.neverEntered]))
  }

  @Test(arguments: [nil, true, false] as [Bool?])
  func `an unexpected one is told as it was recorded`(again: Bool?) throws {
    _ = try record(isRight: true, first: false, again: again)
    let result = try history.verify(Self.registry(isRight: true))
    #expect(result.verdict == .reproduced, "\(result)")
    #expect(
      try history.rows("SELECT reason FROM history WHERE kind = 'stray'")
        == (again.map { [$0 ? "exited" : "exited-unfinished"] } ?? []))
  }

  @Test func `a search asks what happens if it is not done to the end`() throws {
    let reader = try record(isRight: false, first: true)
    let registry = Self.registry(isRight: false)
    let scenario = try Scenario(reader, session: 1, registry: registry)
    #expect(scenario.requests.map(\.mayBeUnfinished) == [[.exited], [.exited]])
    let explored = try Explorer(scenario, registry: registry).run()
    #expect(explored.verdict == .broken, "\(explored)")
    #expect(explored.orders.map(\.codes) == [[.neverEntered]])
    let outcomes = try #require(explored.outcomes.first)
    let broken = try #require(outcomes.broken.first?.deviations)
    #expect(OutcomeWords(outcomes).condition(broken) == "'toast' exits with 'finished: false'")

    let right = Self.registry(isRight: true)
    let sound = try Explorer(Scenario(reader, session: 1, registry: right), registry: right).run()
    #expect(sound.verdict == .same, "\(sound)")
  }

  @Test func `a recording of it is minimized, and its written test is red and green`() throws {
    let reader = try record(isRight: false, first: false)
    let registry = Self.registry(isRight: false)
    var options = CheckOptions()
    options.patience = .zero
    let finding = try #require(try HistoryCheck(reader, options: options).session(1).findings.first)
    let least = try Minimizer(reader, session: 1, finding: finding, registry: registry).run()
    #expect(least.requests.after == 2)
    #expect(
      least.schedule.contains {
        if case .complete(_, _, finished: false) = $0 { true } else { false }
      })
    var surroundings = TestWriter.Surroundings()
    surroundings.registry = ".toasts"
    let writer = try TestWriter(
      reader, session: 1, about: finding, registry: registry, right: nil, surroundings)
    #expect(writer.text.contains(".complete(toast, .exited, finished: false"), "\(writer.text)")
    #expect(try writer.brokenRules(with: "toaster", registry) == [.neverEntered])
    #expect(try writer.brokenRules(with: "right toaster", registry) == [])
  }
}
