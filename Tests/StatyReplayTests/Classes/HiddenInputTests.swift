import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Testing

@testable import StatyReplay

/// Classes that depend on something that a replay does not have: nothing is proven about them.
@Suite(.serialized) struct HiddenInputTests {
  private static let names: [StateName] = ["first", "second", "third", "fourth"]

  /// What a class depends on.
  enum Secret: String, CaseIterable, CustomTestStringConvertible {
    /// A method goes on in a task.
    case task
    /// All instances share a counter.
    case shared
    /// What the last instance left behind.
    case left
    /// The requests go through an actor.
    case actor
    /// The registry requests in a task.
    case requestInTask
    /// The registry's closure for requests does nothing.
    case empty

    var testDescription: String { rawValue }
  }

  /// A desk that several threads may use.
  // Proof: everything is done under the lock.
  private class LockedDesk: Desk, @unchecked Sendable {
    private let lock = NSRecursiveLock()

    override func transit(to state: DeskState) { lock.withLock { super.transit(to: state) } }
    override func didEnter(_ state: DeskState) { lock.withLock { super.didEnter(state) } }
    override func didExit(_ state: DeskState) { lock.withLock { super.didExit(state) } }
    override func goOn() { lock.withLock { super.goOn() } }
  }

  private final class HastyLockedDesk: LockedDesk, @unchecked Sendable {
    override func nextPlace() -> Int { waiting.count - 1 }
  }

  /// A desk that goes on in a task.
  private class TaskDesk: LockedDesk, @unchecked Sendable {
    private(set) var tasks: [Task<Void, Never>] = []
    override func proceed() { tasks.append(Task { self.goOn() }) }

    /// Waits until all its tasks have ended.
    func settle() async {
      while !tasks.isEmpty { await tasks.removeFirst().value }
    }
  }

  private final class HastyTaskDesk: TaskDesk, @unchecked Sendable {
    override func nextPlace() -> Int { waiting.count - 1 }
  }

  /// A desk that serves each third request of all desks out of order.
  private final class SharedDesk: Desk {
    // Proof: only one test uses it.
    nonisolated(unsafe) static var count = 0
    override func nextPlace() -> Int {
      Self.count += 1
      return Self.count % 3 == 0 ? waiting.count - 1 : 0
    }
  }

  /// A desk that serves nobody if another was in use before.
  private final class LeftDesk: Desk {
    // Proof: only one test uses it.
    nonisolated(unsafe) static var isInUse = false
    private let isSecond: Bool

    required init(probe: ControllerProbe) {
      isSecond = Self.isInUse
      super.init(probe: probe)
    }

    override func goOn() {
      if isSecond { return }
      Self.isInUse = true
      super.goOn()
    }
  }

  /// An actor that owns a desk.
  private actor DeskOwner {
    let desk: Desk
    init(_ desk: sending Desk) { self.desk = desk }
    func show(_ state: sending DeskState) {
      state.desk = desk
      desk.transit(to: state)
    }
  }

  // Proof: each value is used by one task only, or by one thread at a time.
  private struct Passing<Value>: @unchecked Sendable { let value: Value }

  private func kind(_ secret: Secret, _ isHasty: Bool) -> Desk.Type {
    switch secret {
    case .task: isHasty ? HastyTaskDesk.self : TaskDesk.self
    case .shared: SharedDesk.self
    case .left: LeftDesk.self
    default: isHasty ? HastyLockedDesk.self : LockedDesk.self
    }
  }

  private func record(_ secret: Secret, isHasty: Bool, to history: RecordedHistory) async throws {
    let recorder = try history.recorder()
    SharedDesk.count = 0
    LeftDesk.isInUse = false
    let desk = kind(secret, isHasty).init(probe: ControllerProbe("desk"))
    recorder.attach(to: desk, as: "desk")
    var states: [DeskState] = []
    for name in Self.names {
      let state = DeskState(name)
      state.onEnter = { _ in }
      states.append(state)
      desk.transit(to: state)
    }
    await (desk as? TaskDesk)?.settle()
    for _ in 0..<4 {
      guard let current = desk.current else { break }
      desk.didEnter(current)
      await (desk as? TaskDesk)?.settle()
    }
    await recorder.close()
  }

  private func registry(_ secret: Secret, isHasty: Bool) -> ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register("desk") { context in
      let desk = kind(secret, isHasty).init(probe: context.probe)
      let owner = DeskOwner(Passing(value: desk).value)
      return context.subject(makeState: ScriptedDeskState.init) { state, _ in
        state.desk = desk
        switch secret {
        case .empty: break
        case .actor:
          let state = Passing(value: state)
          Task { await owner.show(state.value) }
        case .requestInTask:
          let all = Passing(value: (desk, state))
          Task { all.value.0.transit(to: all.value.1) }
        default: desk.transit(to: state)
        }
      }
    }
    return registry
  }

  @Test(arguments: Secret.allCases, [true, false])
  func `nothing is proven about a class with a hidden input`(
    _ secret: Secret, isHasty: Bool
  ) async throws {
    let history = try RecordedHistory()
    try await record(secret, isHasty: isHasty, to: history)
    let reader = try HistoryReader(path: history.path)
    let registry = registry(secret, isHasty: isHasty)
    let verification = try Verification(reader, session: 1, registry: registry)
    LeftDesk.isInUse = false
    let replay = try verification.run().confirmed(by: verification.run())
    // A counter may happen to stand as it did when it was recorded.
    #expect(
      replay.verdict == .inconclusive || secret == .shared && replay.verdict == .reproduced,
      "\(replay)")
    LeftDesk.isInUse = false
    let recorded = try Scenario(reader, session: 1, registry: registry)
    var described = Scenario("desk")
    for name in Self.names { described.request(name) }
    for scenario in [recorded, described] {
      LeftDesk.isInUse = false
      let explored = try Explorer(scenario, registry: registry).run()
      #expect(
        explored.verdict == .inconclusive && !explored.doubts.isEmpty,
        "\(explored.orders.map(\.findings)) \(explored.doubts)")
    }
    LeftDesk.isInUse = false
    let whatIf = try WhatIf(reader, session: 1, registry: registry)
    let played = try whatIf.run().confirmed(by: whatIf.run())
    #expect(played.verdict == .inconclusive && !played.doubts.isEmpty, "\(played.doubts)")
    for finding in try HistoryCheck(reader).session(1).findings {
      LeftDesk.isInUse = false
      // It refuses what does not break the rule when it is played.
      let least = try? Minimizer(reader, session: 1, finding: finding, registry: registry).run()
      guard let least else { continue }
      #expect(!least.doubts.isEmpty, "\(least)")
    }
  }

  /// A desk that goes on when the main actor has time for it.
  private final class MainTaskDesk: LockedDesk, @unchecked Sendable {
    override func proceed() {
      MainActor.assumeIsolated { _ = Task { goOn() } }
    }
  }

  @MainActor @Test
  func `a search on the main actor does not blame a class for the tasks that it keeps waiting`()
    throws
  {
    var scenario = Scenario("desk")
    for name in Self.names { scenario.request(name) }
    let explored = try Explorer(scenario, registry: .with(MainTaskDesk.self)).run()
    #expect(explored.verdict == .inconclusive)
    #expect(explored.doubts == [.elsewhere(controller: 1)], "\(explored.doubts)")
    let run = try ScheduleRun(scenario, registry: .with(MainTaskDesk.self))
    run.take(.make(1))
    #expect(run.doubts == [.elsewhere(controller: 1)], "\(run.doubts)")
  }

  /// A desk that begins to listen when it is made.
  private final class ListeningDesk: LockedDesk, @unchecked Sendable {
    private let (news, continuation) = AsyncStream.makeStream(of: Void.self)

    required init(probe: ControllerProbe) {
      super.init(probe: probe)
      Task { for await _ in news { goOn() } }
    }

    override func proceed() { continuation.yield() }
  }

  @Test func `a task that begins with the class is no reason to blame it`() throws {
    var scenario = Scenario("desk")
    for name in Self.names { scenario.request(name) }
    let explored = try Explorer(scenario, registry: .with(ListeningDesk.self)).run()
    #expect(explored.verdict == .inconclusive)
    #expect(explored.doubts.contains(.elsewhere(controller: 1)), "\(explored.doubts)")
  }

  /// A model that asks a server in a task.
  private final class Profile: @unchecked Sendable {
    enum Message: RecordedMessage { case load, loaded, signOut }
    enum State { case out, loading, loaded }
    let track = StateTrack("profile", State.out)
    private var state = State.out { didSet { track.moved(to: state) } }

    func send(_ message: Message) {
      track.received(message) {
        switch message {
        case .load:
          state = .loading
          Task { await Task.yield() }
        case .loaded: state = .loaded
        case .signOut: state = .out
        }
      }
    }

    static func registry() -> ControllerRegistry {
      var registry = ControllerRegistry()
      registry.register("profile") { context in
        let profile = Profile()
        return context.subject(of: profile.track) { (message: Message) in profile.send(message) }
      }
      return registry
    }
  }

  @Test func `what a model's task leads to has to be in the scenario`() throws {
    var scenario = Scenario("profile")
    let load = scenario.receive(Profile.Message.load)
    scenario.receive(Profile.Message.signOut)
    let without = try Explorer(scenario, registry: Profile.registry()).run()
    #expect(without.verdict == .inconclusive)
    #expect(without.doubts.contains(.elsewhere(controller: 1)), "\(without.doubts)")
    scenario.receive(Profile.Message.loaded, answering: load)
    let with = try Explorer(scenario, registry: Profile.registry()).run()
    #expect(with.doubts == [], "\(with.doubts)")
  }

  /// A desk that does not keep what it shows: what nobody holds any more is over.
  private class ForgetfulDesk: Desk {
    private weak var shown: DeskState?
    override func didEnter(_ state: DeskState) { probe.completed(.entered, state) {} }
    override func goOn() {
      guard shown == nil, !waiting.isEmpty else { return }
      let next = waiting.remove(at: nextPlace())
      (shown, next.desk) = (next, self)
      report(.enter, next)
    }
  }

  private final class HastyForgetfulDesk: ForgetfulDesk {
    override func nextPlace() -> Int { waiting.count - 1 }
  }

  @Test(arguments: [true, false])
  func `a class that holds a state weakly is in doubt`(isHasty: Bool) throws {
    let history = try RecordedHistory()
    let kind = isHasty ? HastyForgetfulDesk.self : ForgetfulDesk.self
    let recorder = try history.recorder()
    let desk = kind.init(probe: ControllerProbe("desk"))
    recorder.attach(to: desk, as: "desk")
    for name in Self.names {
      // The app lets go of it, and reports nothing.
      desk.transit(to: DeskState(name))
    }
    recorder.close()
    let reader = try HistoryReader(path: history.path)
    var registry = ControllerRegistry()
    registry.register("desk") { context in
      let desk = kind.init(probe: context.probe)
      return context.subject(makeState: ScriptedDeskState.init, isConfined: true) { state, _ in
        state.desk = desk
        desk.transit(to: state)
      }
    }
    let replay = try Verification(reader, session: 1, registry: registry).run()
    #expect(replay.verdict == .inconclusive, "\(replay)")
    #expect(replay.doubts == [.heldWeakly(controller: 1)])
    let explored = try Explorer(
      Scenario(reader, session: 1, registry: registry), registry: registry
    ).run()
    #expect(explored.verdict == .inconclusive, "\(explored.orders.map(\.findings))")
    #expect(explored.doubts.contains(.heldWeakly(controller: 1)), "\(explored.doubts)")
    let played = try WhatIf(reader, session: 1, registry: registry).run()
    #expect(played.doubts.contains(.heldWeakly(controller: 1)), "\(played.doubts)")
  }
}
