import Foundation
import Staty
import StatyHistory
import StatyRecorder
import StatyRules
import Testing

@testable import StatyReplay

/// What cannot be known is said, and never taken for a reproduction.
@Suite struct DoubtTests {
  private let history: RecordedHistory

  init() throws {
    history = try RecordedHistory()
  }

  /// Records three states at a desk, one after the other.
  private func record(
    _ kind: Desk.Type = Desk.self, fidelity: Fidelity = .full,
    before: (Desk) -> Void = { _ in }, during: (Desk) -> Void = { _ in }
  ) throws {
    let recorder = try history.recorder()
    let desk = kind.init(probe: ControllerProbe("desk", fidelity: fidelity))
    before(desk)
    recorder.attach(to: desk, as: "desk")
    let states = ["loading", "content", "alert"].map { DeskState(StateName($0)) }
    for state in states { desk.transit(to: state) }
    during(desk)
    recorder.close()
  }

  @Test func `each doubt has a word that other programs know`() {
    let doubts: [ReplayDoubt] = [
      .gap(controller: 1, seq: 1), .unknownController(controller: 1, kind: ""),
      .unreadableSnapshot(controller: 1),
      .unreadable(seq: 1), .nothingToCompare, .nothingPlayed(controller: nil),
      .unmoved(controller: 1), .halfMirror(controller: 1), .silent(controller: 1),
      .keptOrder(controller: 1), .unplayedQuestion(controller: 1, seq: 1),
      .unanswered(seq: 1, AssumedVisit(controller: 1), .entered), .noEffect(seq: 1),
      .askedOtherwise(seq: 1),
      .lateAttachment(controller: 1), .notMade(controller: 1, reason: ""),
      .overlappingHandling(controller: 1, seq: 1), .runaway(controller: 1, seq: 1),
      .unsettled(controller: 1, seq: 1),
      .untoldMessage(controller: 1, seq: 1, name: "", .unknown),
      .cannotBeTold(controller: 1, seq: 1), .unbracketed(controller: 1, seq: 1, .controller),
      .misplaced(seq: 1, cause: 1), .outgrown(controller: 1, seq: 1),
      .unmet(controller: 1, seq: 1, .overlap), .cannotBePlaced(controller: 1, seq: 1),
      .meddling(controller: 1, condition: ""), .elsewhere(controller: 1),
      .heldWeakly(controller: 1), .unrecordedAnswer(controller: 1), .ownStates(controller: 1),
      .hiddenInput,
    ]
    #expect(
      doubts.map(\.word) == [
        "gap", "unknown-controller", "unreadable-snapshot", "unreadable", "nothing-to-compare",
        "nothing-played",
        "unmoved", "half-mirror", "silent", "kept-order", "unplayed-question", "unanswered",
        "no-effect", "asked-otherwise", "late-attachment", "not-made", "overlapping-handling",
        "runaway", "unsettled", "untold-message",
        "cannot-be-told", "unbracketed", "misplaced", "outgrown", "unmet", "cannot-be-placed",
        "meddling", "elsewhere", "held-weakly", "unrecorded-answer", "own-states", "hidden-input",
      ])
  }

  @Test func `an unknown name is refused, and the error lists the names there are`() throws {
    try record()
    let registry = ControllerRegistry.with(Desk.self)
    let error = #expect(throws: RegistryError.self) {
      try history.verify(registry, with: Replacement(all: "queu"))
    }
    #expect(error == .unknownController("queu", known: registry.names))
    #expect(
      error?.description
        == "There is no controller called 'queu' to replay with. There are: coalesce, desk, "
        + "immediate, latest, priority, queue, reject. Register an app's own controller or "
        + "model.")
  }

  @Test func `a recorded name that is not registered leaves the controller in doubt`() throws {
    try record()
    let result = try history.verify()
    #expect(result.verdict == .inconclusive)
    #expect(result.doubts == [.unknownController(controller: 1, kind: "desk")])
  }

  @Test func `a factory that throws leaves its controller in doubt`() throws {
    struct NoDesk: Error, CustomStringConvertible { let description = "the desk is missing" }
    try record()
    var registry = ControllerRegistry()
    registry.register("desk") { _ in throw NoDesk() }
    let result = try history.verify(registry)
    #expect(result.verdict == .inconclusive)
    #expect(result.doubts == [.notMade(controller: 1, reason: "the desk is missing")])
  }

  @Test func `two runs of a controller with a hidden input differ`() throws {
    final class Moody: Desk {
      // Only this test uses it.
      nonisolated(unsafe) static var calls = 0
      override func nextPlace() -> Int {
        Self.calls += 1
        return Self.calls % 2 * (waiting.count - 1)
      }
    }
    try record(
      Moody.self,
      during: { desk in
        let slow = DeskState("slow")
        slow.onExit = { _ in }
        desk.transit(to: slow)
        for name in ["one", "two", "three"] as [StateName] { desk.transit(to: DeskState(name)) }
        desk.didExit(slow)
      })
    let results = try (0..<2).map { run in
      Moody.calls = run
      return try history.verify(.with(Moody.self))
    }
    #expect(results[0].digest != results[1].digest)
    #expect(results[0].confirmed(by: results[1]).verdict == .inconclusive)
    #expect(results[0].confirmed(by: results[1]).doubts.contains(.hiddenInput))
    #expect(results[0].confirmed(by: results[0]) == results[0])
  }

  @Test func `a recording that began during work is in doubt`() throws {
    try record(before: { desk in
      let busy = DeskState("busy")
      busy.onEnter = { _ in }
      desk.transit(to: busy)
    })
    let result = try history.verify(.with(Desk.self))
    #expect(result.verdict == .inconclusive)
    #expect(result.doubts == [.lateAttachment(controller: 1)])
  }

  @Test func `recording that began late, but at an idle controller, is replayed`() throws {
    try record(before: { desk in
      let early = DeskState("early")
      desk.transit(to: early)
      desk.didExit(early)
    })
    let result = try history.verify(.with(Desk.self))
    #expect(result.verdict == .reproduced, "\(result)")
    #expect(result.matched == 5)
  }

  @Test func `what a class remembers from before its recording leaves it in doubt`() throws {
    final class Remembering: Desk {
      private var seen: Set<StateName> = []
      override func transit(to state: DeskState) {
        if seen.insert(state.name).inserted { return super.transit(to: state) }
        probe.requested(state, named: state.name) { probe.discarded(state, .coalesced) }
      }
    }
    try record(
      Remembering.self,
      before: { desk in
        let early = DeskState("content")
        desk.transit(to: early)
        desk.didExit(early)
      })
    let result = try history.verify(.with(Remembering.self))
    #expect(result.verdict == .inconclusive, "\(result)")
    #expect(result.doubts == [.lateAttachment(controller: 1)])
  }

  /// The app's delegate has said no, and the registry's class has none.
  @Test func `what a class asks for and is not recorded leaves it in doubt`() throws {
    class Asking: Desk {
      var isWanted: (DeskState) -> Bool = { _ in true }
      override func transit(to state: DeskState) {
        probe.requested(state, named: state.name) {
          let isMeant = probe.calling("isWanted") { isWanted(state) }
          guard isMeant else { return probe.discarded(state, .cancelled) }
          waiting.append(state)
          proceed()
        }
      }
    }
    final class Telling: Desk {
      override func transit(to state: DeskState) {
        probe.requested(state, named: state.name) {
          probe.calling("willTransit") {}
          waiting.append(state)
          proceed()
        }
      }
    }
    try record(
      Asking.self, before: { desk in (desk as? Asking)?.isWanted = { $0.name != "content" } })
    let result = try history.verify(.with(Asking.self))
    #expect(result.doubts == [.unrecordedAnswer(controller: 1)], "\(result)")
    // A call that returns nothing hides nothing.
    let told = try RecordedHistory()
    let recorder = try told.recorder()
    let desk = Telling(probe: ControllerProbe("desk"))
    recorder.attach(to: desk, as: "desk")
    desk.transit(to: DeskState("loading"))
    recorder.close()
    final class Silent: Desk {
      override func transit(to state: DeskState) {
        probe.requested(state, named: state.name) { probe.calling("willTransit") {} }
      }
    }
    #expect(try told.verify(.with(Telling.self)).verdict == .reproduced)
    #expect(try told.verify(.with(Silent.self)).verdict == .diverged)
  }

  @Test func `a controller that runs without end by itself is given up`() throws {
    final class Restless: Desk {
      var isReplayed = false
      override func didEnter(_ state: DeskState) {
        probe.completed(.entered, state) {
          isMovingOn()
          if state is ScriptedDeskState { transit(to: state) }
        }
      }
      override func transit(to state: DeskState) {
        guard state is ScriptedDeskState else { return super.transit(to: state) }
        probe.requested(state, named: state.name) { transit(to: state) }
      }
    }
    try record(Restless.self)
    let result = try history.verify(.with(Restless.self))
    #expect(result.verdict != .reproduced)
    #expect(result.doubts.contains { if case .runaway = $0 { true } else { false } })
  }

  @Test func `a controller that defers step after step without an event is given up`()
    throws
  {
    // What it put off it does without a word: any step may lead to what comes next.
    final class Putting: Desk {
      var steps: [() -> Void] = []
      override func proceed() { steps.append { [unowned self] in goOn() } }
    }
    try record(
      Putting.self,
      during: { desk in
        while let putting = desk as? Putting, !putting.steps.isEmpty {
          putting.steps.removeFirst()()
        }
      })
    var registry = ControllerRegistry()
    registry.register("desk") { context in
      func wait() { context.scheduler.async { wait() } }
      return context.subject(makeState: { $0 }) { state, _ in
        context.probe.requested(state, named: state.name) { wait() }
      }
    }
    let result = try history.verify(registry)
    #expect(result.verdict != .reproduced)
    #expect(
      result.doubts.contains {
        if case .runaway(controller: 1, let seq) = $0 { seq > 0 } else { false }
      })
  }

  @Test func `a step that was not deferred cannot be resumed`() throws {
    final class Putting: Desk {
      var steps: [() -> Void] = []
      override func proceed() { steps.append(probe.deferred { [unowned self] in goOn() }) }
    }
    try record(
      Putting.self,
      during: { desk in
        while let putting = desk as? Putting, !putting.steps.isEmpty {
          putting.steps.removeFirst()()
        }
      })
    let result = try history.verify(.with(Desk.self))
    #expect(result.verdict == .diverged)
    #expect(result.divergences.first?.difference.kind == .extra, "\(result)")
  }

  @Test func `a cancellation is in doubt if the adapter cannot cancel`() throws {
    try record(during: { desk in desk.probe.cancelled(.all) })
    let result = try history.verify(.with(Desk.self))
    #expect(result.verdict == .inconclusive)
    guard case .cannotBeTold(controller: 1, _)? = result.doubts.first else {
      Issue.record("\(result)")
      return
    }
  }

  @Test func `a gap ends the replay of opaque controllers, too`() throws {
    try record()
    let seq = try #require(Int(try history.number(of: "exiting", visit: 1)))
    try history.change("DELETE FROM event WHERE seq >= \(seq)")
    try history.change("INSERT INTO loss VALUES (\(seq), \(seq + 3), 4, 'overload')")
    let result = try history.verify(.with(Desk.self))
    #expect(result.verdict == .inconclusive, "\(result)")
    #expect(result.doubts == [.gap(controller: 1, seq: Int64(seq))])
  }

  /// What a desk decides that was killed before the recording says so, with something after it.
  private static let unfinished = """
    {"format":"staty-history","version":1}
    {"type":"controller","controller":"desk","policy":"desk"}
    {"type":"controller","controller":"other","policy":"queue"}
    {"kind":"enqueued","controller":"desk","state":"a","t_ms":1}
    {"kind":"enqueued","controller":"other","state":"a","t_ms":5000}
    {"kind":"entering","controller":"other","state":"a","t_ms":5001}

    """

  private func unfinished(_ changes: String...) throws -> ReplayResult {
    let history = try RecordedHistory(Self.unfinished)
    try history.change("UPDATE controller SET fidelity = 1")
    try history.change("UPDATE session SET ended = 'killed'")
    try history.change("UPDATE event SET inside = 4 WHERE seq = (SELECT max(seq) FROM event)")
    for change in changes { try history.change(change) }
    return try history.verify(.with(Desk.self))
  }

  @Test func `a decision that was never made is one in a killed session, too`() throws {
    let result = try unfinished()
    #expect(result.verdict == .diverged, "\(result)")
    guard let first = result.divergences.first?.difference, first.kind == .extra,
      let output = first.replayed
    else {
      Issue.record("\(result)")
      return
    }
    #expect(output.kind == .entering)
  }

  @Test func `a decision that was about to be made when the session was killed is none`() throws {
    // The other request came on another thread, or within the desk's handling.
    for change in ["what = what | 2 << 8", "inside = 4"] {
      let result = try unfinished("UPDATE event SET \(change) WHERE t = 5000000")
      #expect(result.divergences.isEmpty, "\(change): \(result)")
    }
  }
}
