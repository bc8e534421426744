import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Testing

@testable import StatyReplay

/// A class that requests states by itself, which report when the platform has shown them.
@Suite struct OwnRequestTests {
  /// A desk that shows a lock screen of its own after the first state.
  private class LockingDesk: Desk {
    let lock = DeskState("lock")
    private var isLocked = false

    required init(probe: ControllerProbe) {
      super.init(probe: probe)
      lock.onEnter = { _ in }
      lock.onExit = { _ in }
    }

    override func didEnter(_ state: DeskState) {
      super.didEnter(state)
      guard !isLocked else { return }
      isLocked = true
      transit(to: lock)
    }
  }

  private final class HastyLockingDesk: LockingDesk {
    override func nextPlace() -> Int { waiting.count - 1 }
  }

  private func record(_ desk: LockingDesk, to history: RecordedHistory) throws {
    let recorder = try history.recorder()
    recorder.attach(to: desk, as: "desk")
    let (first, second) = (DeskState("first"), DeskState("second"))
    for state in [first, second] { (state.onEnter, state.onExit) = ({ _ in }, { _ in }) }
    desk.transit(to: first)
    desk.didEnter(first)
    desk.didExit(first)
    desk.didEnter(desk.lock)
    desk.transit(to: second)
    desk.didExit(desk.lock)
    desk.didEnter(second)
    recorder.close()
  }

  @Test(arguments: [true, false])
  func `a class is not blamed for states that it has made itself`(isHasty: Bool) throws {
    let history = try RecordedHistory()
    let kind = isHasty ? HastyLockingDesk.self : LockingDesk.self
    try record(kind.init(probe: ControllerProbe("desk")), to: history)
    let reader = try HistoryReader(path: history.path)
    #expect(try HistoryCheck(reader).session(1).findings == [])
    let registry = ControllerRegistry.with(kind)
    let replay = try Verification(reader, session: 1, registry: registry).run()
    #expect(replay.doubts == [.cannotBeTold(controller: 1, seq: 9)], "\(replay)")
    var described = Scenario("desk")
    for name in ["first", "second"] as [StateName] { described.request(name) }
    for scenario in [try Scenario(reader, session: 1, registry: registry), described] {
      let explored = try Explorer(scenario, registry: registry).run()
      #expect(explored.verdict == .inconclusive, "\(explored.orders.map(\.findings))")
      #expect(explored.doubts.contains(.ownStates(controller: 1)), "\(explored.doubts)")
    }
    let played = try WhatIf(reader, session: 1, registry: registry).run()
    #expect(played.verdict == .inconclusive, "\(played.findings)")
    #expect(played.doubts.contains(.ownStates(controller: 1)), "\(played.doubts)")
  }

  /// A desk whose own screen reports by itself.
  private final class PromptDesk: LockingDesk {
    required init(probe: ControllerProbe) {
      super.init(probe: probe)
      lock.onEnter = { $0.desk?.didEnter($0) }
      lock.onExit = { $0.desk?.didExit($0) }
    }
  }

  @Test func `a state of its own may report by itself`() throws {
    var described = Scenario("desk")
    for name in ["first", "second"] as [StateName] { described.request(name) }
    let explored = try Explorer(described, registry: .with(PromptDesk.self)).run()
    #expect(explored.doubts == [], "\(explored.doubts)")
    #expect(explored.orders.isEmpty, "\(explored.orders.map(\.findings))")
  }

  /// A desk whose own screen is gone when somebody asks for the next state.
  private final class SpinnerDesk: LockingDesk {
    override func transit(to state: DeskState) {
      super.transit(to: state)
      guard state !== lock, current === lock else { return }
      didEnter(lock)
      didExit(lock)
    }
  }

  @Test func `a state of its own may report in the next input`() throws {
    var described = Scenario("desk")
    let first = described.request("first")
    described.request("second") { $0.place = .after(.exited, first) }
    let explored = try Explorer(described, registry: .with(SpinnerDesk.self)).run()
    #expect(explored.doubts == [], "\(explored.doubts)")
    #expect(explored.orders.isEmpty, "\(explored.orders.map(\.findings))")
  }
}
