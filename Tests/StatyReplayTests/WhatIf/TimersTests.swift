import Foundation
import Staty
import StatyHistory
import StatyReading
import Testing

@testable import StatyReplay

/// Two timers that a class sets in one handling, the later one first.
@Suite final class TimersTests {
  /// Shows a state, hides it after three seconds, and looks for more after a third of one.
  final class Toast {
    final class State {
      let script: ReplayState
      init(_ script: ReplayState) { self.script = script }
    }

    private let context: ReplayContext
    private let log: (String) -> Void

    init(_ context: ReplayContext, _ log: @escaping (String) -> Void) {
      (self.context, self.log) = (context, log)
    }

    func show(_ state: State) {
      state.script.onCompletion = { [unowned state] _ in self.didEnter(state) }
      context.probe.requested(state, named: state.script.name) {
        context.probe.telling(.enter, state) { state.script.enter() }
      }
    }

    private func didEnter(_ state: State) {
      context.probe.completed(.entered, state) {
        later(.seconds(3), "hide")
        later(.milliseconds(300), "search")
      }
    }

    private func later(_ delay: Duration, _ what: String) {
      let step = context.probe.deferred { [log] in log(what) }
      _ = context.scheduler.schedule(after: delay, step)
    }
  }

  private var ran: [String] = []
  private let path =
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path

  deinit {
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  private var registry: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register("toast") { context in
      let toast = Toast(context) { self.ran.append($0) }
      return context.subject(makeState: Toast.State.init) { state, _ in toast.show(state) }
    }
    return registry
  }

  private func write() throws {
    let text = """
      {"format":"staty-history","version":1}
      {"type":"session","uuid":"u","first_seq":1,"wall_us":1760000000000000}
      {"type":"controller","controller":"toast","policy":"toast","discipline":"in-order","fidelity":"full"}
      {"seq":1,"t_us":0,"kind":"attached","controller":"toast"}
      {"seq":2,"t_us":1000,"kind":"enqueued","controller":"toast","visit":1,"state":"hint"}
      {"seq":3,"t_us":1000,"kind":"entering","controller":"toast","visit":1,"state":"hint","inside":2,"part":"handled"}
      {"seq":4,"t_us":11000,"kind":"entered","controller":"toast","visit":1,"state":"hint"}
      {"seq":5,"t_us":311000,"kind":"resumed","controller":"toast","cause":4,"step":2}
      {"seq":6,"t_us":3011000,"kind":"resumed","controller":"toast","cause":4,"step":1}
      {"type":"end","ended":"clean"}

      """
    let writer = try HistoryWriter(path: path)
    var reading = HistoryImport(into: writer)
    try reading.take(text.utf8)
    _ = try reading.finish()
    try writer.close()
  }

  @Test func `each runs when it ran, whichever was set first`() throws {
    try write()
    let reader = try HistoryReader(path: path)
    let result = try WhatIf(reader, session: 1, registry: registry).run()
    // A class is made twice, to see whether it does the same again.
    #expect(ran == ["search", "hide", "search", "hide"])
    let resumed = result.events.filter { $0.kind == EventKind.resumed.rawValue }
    #expect(resumed.map(\.time) == [311_000, 3_011_000])
  }

  @Test func `the shorter one runs first in every order`() throws {
    try write()
    let scenario = try Scenario(ofHistoryAt: path, session: 1, registry: registry)
    for plan in [DeviationPlan(), DeviationPlan().and(1, at: 0)] {
      ran = []
      let run = try ScheduleRun(scenario, registry: registry)
      var order = PatientOrder(scenario, plan)
      run.play(&order)
      #expect(ran == ["search", "hide"])
    }
    let run = try ScheduleRun(scenario, registry: registry)
    var order = ListedOrder(scenario.recordedOrder)
    run.play(&order)
    #expect(run.schedule == scenario.recordedOrder)
  }
}
