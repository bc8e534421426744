import Foundation
import Staty
import Testing

@Suite struct ControllerProbeTests {
  private final class Screen {}
  private let probe = ControllerProbe("hand-made")
  private let log = EventLog()

  init() {
    probe.events.add(log)
  }

  @Test func `a whole visit is told in the order in which it is reported`() {
    let screen = Screen()
    probe.requested(screen) {
      probe.telling(.enter, screen) { probe.completed(.entered, screen) }
    }
    probe.telling(.exit, screen) {}
    probe.completed(.exited, screen)
    #expect(
      log.words == ["enqueued #1", "entering #1", "entered #1", "exiting #1", "exited #1"])
  }

  @Test func `an event inside a bracket has the bracketed event as its cause`() throws {
    let screen = Screen()
    probe.requested(screen) {
      probe.telling(.enter, screen) { probe.completed(.entered, screen) }
    }
    let enqueued = try #require(log.first(.enqueued))
    let entering = try #require(log.first(.entering))
    let entered = try #require(log.first(.entered))
    #expect(enqueued.cause == 0)
    #expect(entering.cause == enqueued.number)
    #expect(entered.cause == entering.number)
  }

  @Test func `policies define their discipline, and a probe gets that of its class`() {
    func discipline(_ policy: some TransitionPolicy) -> Discipline {
      StateController<Screen>(policy: policy).events.snapshot.discipline
    }
    #expect(discipline(.queue) == .inOrder && discipline(.latest) == .inOrder)
    #expect(discipline(.priority) == .byUrgency && discipline(.immediate) == .atOnce)
    let routed = StateController<Screen>(
      policy: .priority, routes: Routes<String>(states: ["a"]) { Start { To("a") } })
    #expect(routed.events.snapshot.discipline == .byUrgency)
    #expect(probe.events.snapshot.discipline == .inOrder)
    #expect(ControllerProbe("pages", discipline: .stack).events.snapshot.discipline == .stack)
  }

  @Test func `a request passes the number of its visit to its body`() {
    var numbers: [VisitNumber] = []
    let made = [Screen(), Screen()].map { screen in
      probe.requested(screen) { visit in numbers.append(visit) }
    }
    #expect(numbers == made && numbers.count == 2)
  }

  @Test func `the visit of a state is cancelled by naming the state`() throws {
    let screens = [Screen(), Screen()]
    for screen in screens { probe.requested(screen) }
    probe.cancelled(screens[1]) { probe.discarded(screens[1], .cancelled) }
    #expect(log.words.suffix(2) == ["cancelled #2", "discarded #2"])
    #expect(try #require(log.first(.cancelled)).detail == .cancellation(.visit(VisitNumber(2))))
    var isDone = false
    probe.cancelled(Screen()) { isDone = true }
    #expect(isDone && log.words.count == 4)
  }

  @Test func `a deadline is reported with its recovery`() throws {
    let screen = Screen()
    probe.requested(screen) { probe.telling(.enter, screen) {} }
    probe.missed(.entered, screen, recovery: .skip) {
      probe.telling(.exit, screen) {}
      probe.discarded(screen, .timedOut)
    }
    #expect(log.words.suffix(3) == ["deadline #1", "exiting #1", "discarded #1"])
    let deadline = try #require(log.first(.deadline))
    #expect(deadline.detail == .deadline(.entered, .skip))
    #expect(try #require(log.first(.exiting)).cause == deadline.number)
  }

  @Test func `a discarded state that is told to enter has the same visit`() {
    let screen = Screen()
    probe.requested(screen)
    probe.discarded(screen, .cancelled)
    probe.telling(.enter, screen) { probe.completed(.entered, screen) }
    probe.telling(.exit, screen) { probe.completed(.exited, screen) }
    #expect(
      log.words == [
        "enqueued #1", "discarded #1", "entering #1", "entered #1", "exiting #1", "exited #1",
      ])
  }

  @Test func `after the highest number, the same number is used again`() {
    probe.goOn(after: .max)
    let screens = [Screen(), Screen()]
    for screen in screens { probe.requested(screen) }
    #expect(log.words == ["enqueued #4294967295", "enqueued #4294967295"])
  }

  @Test func `a state that is told to exit before it has entered is reported like that`() {
    let screen = Screen()
    probe.requested(screen)
    probe.telling(.exit, screen) {}
    #expect(log.words == ["enqueued #1", "exiting #1"])
    #expect(probe.events.snapshot.standing.standing.first?.phase == .exiting)
  }

  @Test func `a state from before the probe has a known phase after its first event`() {
    let screen = Screen()
    probe.telling(.exit, screen) {}
    probe.completed(.exited, screen)
    #expect(log.words == ["exiting #1", "exited #1"])
    #expect(probe.events.snapshot.standing == PolicySnapshot())
    probe.requested(screen) { probe.telling(.enter, screen) { probe.completed(.entered, screen) } }
    #expect(log.words.suffix(3) == ["enqueued #2", "entering #2", "entered #2"])
    #expect(probe.events.snapshot.standing.standing.map(\.phase) == [.entered])
  }

  @Test(arguments: [Completion.entered, .exited])
  func `a completion of an unknown state is stray, and its phase is known afterwards`(
    _ completion: Completion
  ) {
    let screen = Screen()
    probe.completed(completion, screen)
    #expect(log.events.map(\.kind) == [.stray])
    #expect(
      probe.events.snapshot.standing.standing.map(\.phase)
        == (completion == .entered ? [.entered] : []))
    probe.requested(screen)
    probe.telling(.enter, screen) {}
    #expect(log.words.last == "entering #2")
  }

  /// Reports in its `deinit` that it has exited.
  private final class Leaving: NSObject {
    private let probe: ControllerProbe
    init(_ probe: ControllerProbe) { self.probe = probe }
    deinit { probe.completed(.exited, self) }
  }

  @Test func `an unknown state that has exited is not kept, as it may be in its deinit`() {
    do { _ = Leaving(probe) }
    #expect(log.words == ["stray #1"])
    let screen = Screen()
    probe.completed(.exited, screen)
    probe.requested(screen)
    #expect(log.words == ["stray #1", "stray #2", "enqueued #3"])
    #expect(log.events.map(\.instance) == [VisitNumber(1), VisitNumber(2), VisitNumber(3)])
  }

  @Test func `a second exit is stray and names the visit that has ended`() throws {
    let screen = Screen()
    probe.requested(screen)
    probe.telling(.enter, screen) {}
    probe.completed(.entered, screen)
    probe.completed(.exited, screen)
    probe.completed(.exited, screen)
    let stray = try #require(log.events.last)
    #expect(stray.kind == .stray)
    #expect(stray.visit == VisitNumber(1))
    #expect(stray.detail == .completion(.exited))
  }

  @Test func `an object that is requested twice has two visits with one instance`() {
    let screen = Screen()
    probe.requested(screen)
    probe.requested(screen)
    #expect(log.events.map(\.visit) == [VisitNumber(1), VisitNumber(2)])
    #expect(log.events.map(\.instance) == [VisitNumber(1), VisitNumber(1)])
  }

  @Test func `a request while a state is told something has that state as its origin`() {
    let first = Screen()
    let second = Screen()
    probe.requested(first)
    probe.telling(.enter, first) { probe.requested(second) }
    guard case .request(let detail)? = log.events.last?.detail else {
      Issue.record("the last event is no request")
      return
    }
    #expect(detail.origin == VisitNumber(1))
  }

  @Test func `a deferred step is resumed with the deferring event as its cause`()
    throws
  {
    let screen = Screen()
    var later: (() -> Void)?
    probe.requested(screen) {
      later = probe.deferred { probe.telling(.enter, screen) {} }
    }
    #expect(log.words == ["enqueued #1"])
    later?()
    #expect(log.words == ["enqueued #1", "resumed", "entering #1"])
    let enqueued = try #require(log.first(.enqueued))
    let resumed = try #require(log.first(.resumed))
    #expect(resumed.cause == enqueued.number)
    #expect(log.first(.entering)?.cause == resumed.number)
  }

  @Test func `in a three-kind probe, a completion needs no order before it`() {
    let probe = ControllerProbe("reports little", fidelity: .threeKind)
    probe.events.add(log)
    let screen = Screen()
    probe.requested(screen)
    probe.completed(.entered, screen)
    probe.completed(.exited, screen)
    probe.completed(.exited, screen)
    #expect(log.words == ["enqueued #1", "entered #1", "exited #1", "stray #1"])
    #expect(probe.events.snapshot.fidelity == .threeKind)
  }

  @Test func `at the end of all numbers a snapshot is still taken`() {
    probe.goOn(after: .max)
    let screens = [Screen(), Screen()]
    for screen in screens { probe.requested(screen) }
    #expect(probe.events.snapshot.standing.waiting.count == 2)
  }

  @Test func `discarding ends the newest pending visit of an object`() {
    let screen = Screen()
    probe.requested(screen)
    probe.telling(.enter, screen) {}
    probe.requested(screen)
    probe.discarded(screen, .replaced)
    #expect(log.words.last == "discarded #2")
  }

  @Test func `a snapshot contains the shown and the pending visits`() {
    let first = Screen()
    let second = Screen()
    probe.requested(first)
    probe.telling(.enter, first) {}
    probe.completed(.entered, first)
    probe.requested(second)
    let snapshot = probe.events.snapshot
    #expect(snapshot.policy == "hand-made")
    #expect(snapshot.standing.standing.map(\.request.visit) == [VisitNumber(1)])
    #expect(snapshot.standing.standing.map(\.phase) == [.entered])
    #expect(snapshot.standing.waiting.map(\.visit) == [VisitNumber(2)])
    #expect(snapshot.lastVisit == 2)
  }

  @Test func `released objects do not accumulate, and their numbers are not reused`() {
    for _ in 0..<5_000 {
      let screen = Screen()
      probe.requested(screen)
      probe.telling(.enter, screen) {}
      probe.completed(.entered, screen)
      probe.completed(.exited, screen)
    }
    let enqueued = log.events.filter { $0.kind == .enqueued }
    #expect(enqueued.allSatisfy { $0.instance == $0.visit })
    #expect(probe.events.snapshot.standing.standing.isEmpty)
  }
}
