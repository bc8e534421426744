import Staty
import Testing

/// References to parts of a released controller or probe are harmless.
@Suite struct OutlivingTests {
  private final class Page {}

  @Test func `a controller's events can be retained longer than the controller`() {
    var controller: StateController<Page>? = StateController<Page>(policy: .latest)
    let events = controller!.events
    controller = nil
    #expect(events.snapshot.policy == "latest")
    #expect(events.snapshot.standing.standing.isEmpty)
    #expect(events.payload(of: VisitNumber(1)) == nil)
  }

  @Test func `a probe's events can be retained longer than the probe`() {
    var probe: ControllerProbe? = ControllerProbe("hand-made", fidelity: .ordered)
    let events = probe!.events
    probe = nil
    #expect(events.snapshot.policy == "hand-made")
    #expect(events.snapshot.fidelity == .ordered)
    #expect(events.payload(of: VisitNumber(1)) == nil)
  }

  // A loop that did not end would wait forever. Tests that block their thread keep a task waiting for
  // minutes, so the limit is longer than all tests take.
  @Test(.timeLimit(.minutes(20)))
  func `a loop over a controller's events ends with it, even if they are retained`() async {
    var controller: StateController<Page>? = StateController<Page>()
    let events = controller!.events
    let stream = events.stream()
    controller = nil
    for await _ in stream {}
    #expect(!events.isObserved)
  }

  @Test(.timeLimit(.minutes(20)))
  func `a loop over a probe's events ends with it, even if they are retained`() async {
    var probe: ControllerProbe? = ControllerProbe("hand-made", fidelity: .ordered)
    let events = probe!.events
    let stream = events.stream()
    probe = nil
    for await _ in stream {}
    #expect(!events.isObserved)
  }

  @Test(.timeLimit(.minutes(20)))
  func `a loop that begins after the controller was released ends at once`() async {
    var controller: StateController<Page>? = StateController<Page>()
    let events = controller!.events
    controller = nil
    for await _ in events.stream() {}
    #expect(!events.isObserved)
  }

  @Test func `observers are released with the controller, even if the events are retained`() {
    var controller: StateController<Page>? = StateController<Page>()
    let events = controller!.events
    weak var observer: EventLog?
    do {
      let log = EventLog()
      observer = log
      events.add(log)
    }
    #expect(observer != nil)
    controller = nil
    #expect(observer == nil)
    #expect(!events.isObserved)
  }
}
