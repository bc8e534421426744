import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import Testing

/// Controllers that report less are held against what they report.
@Suite struct FidelityTests {
  private let history: RecordedHistory

  init() throws {
    history = try RecordedHistory()
  }

  private func record(_ kind: Desk.Type, _ fidelity: Fidelity) throws {
    let recorder = try history.recorder()
    let desk = kind.init(probe: ControllerProbe("desk", fidelity: fidelity))
    recorder.attach(to: desk, as: "desk")
    let slow = DeskState("slow")
    slow.onEnter = { _ in }
    slow.onExit = { _ in }
    desk.transit(to: slow)
    let states = ["loading", "content", "alert"].map { DeskState(StateName($0)) }
    for state in states { desk.transit(to: state) }
    desk.didEnter(slow)
    desk.didExit(slow)
    desk.transit(to: DeskState("empty"))
    recorder.close()
  }

  /// Reports what happens in order, without saying what happened in what.
  class Ordered: Desk {
    override func transit(to state: DeskState) {
      probe.requested(state, named: state.name)
      waiting.append(state)
      proceed()
    }
    override func didEnter(_ state: DeskState) {
      probe.completed(.entered, state)
      isMovingOn()
      proceed()
    }
    override func didExit(_ state: DeskState) {
      probe.completed(.exited, state)
      forget(state)
      proceed()
    }
    override func report(_ order: ControllerProbe.Order, _ state: DeskState) {
      probe.telling(order, state) {}
      if order == .enter { state.enter() } else { state.exit() }
    }
  }

  /// Reports requests and completions alone.
  class ThreeKind: Ordered {
    override func report(_ order: ControllerProbe.Order, _ state: DeskState) {
      if order == .enter { state.enter() } else { state.exit() }
    }
  }

  final class OrderedLastFirst: Ordered {
    override func nextPlace() -> Int { waiting.count - 1 }
  }

  final class ThreeKindLastFirst: ThreeKind {
    override func nextPlace() -> Int { waiting.count - 1 }
  }

  @Test func `an ordered recording is reproduced, and another order is not`() throws {
    try record(Ordered.self, .ordered)
    let result = try history.verify(.with(Ordered.self))
    #expect(result.verdict == .reproduced, "\(result)")
    #expect(result.matched == 9)
    #expect(try history.verify(.with(OrderedLastFirst.self)).verdict == .diverged)
  }

  @Test func `a three-kind recording is reproduced, and another order is not`() throws {
    try record(ThreeKind.self, .threeKind)
    let result = try history.verify(.with(ThreeKind.self))
    #expect(result.verdict == .reproduced, "\(result)")
    #expect(result.matched == 5)
    #expect(try history.verify(.with(ThreeKindLastFirst.self)).verdict == .diverged)
  }

  @Test(arguments: [Fidelity.ordered, .threeKind])
  func `an output that is taken out of it is missed`(_ fidelity: Fidelity) throws {
    let kind: Desk.Type = fidelity == .ordered ? Ordered.self : ThreeKind.self
    try record(kind, fidelity)
    let decided = fidelity == .ordered ? "entering" : "entered"
    let seq = try history.number(of: decided, visit: 2)
    try history.change("DELETE FROM event WHERE seq = \(seq)")
    let result = try history.verify(.with(kind))
    #expect(result.verdict == .diverged, "\(result)")
  }
}
