import Staty
import Testing

@Suite struct TearDownTests {
  private final class Page {
    var shown: [StateName] = []
  }

  private final class Instant: ScreenState {
    let name: StateName

    init(_ name: StateName) {
      self.name = name
    }

    func enter(on target: Page, visit: Visit) {
      target.shown.append(name)
      visit.entered()
    }

    func exit(from target: Page, visit: Visit) {
      visit.exited()
    }
  }

  /// Tears a controller down on the first event of a kind.
  private final class Wrecker: TransitionObserver {
    let kind: TransitionEvent.Kind
    let controller: StateController<Page>

    init(on kind: TransitionEvent.Kind, _ controller: StateController<Page>) {
      self.kind = kind
      self.controller = controller
    }

    func observe(_ event: borrowing TransitionEvent) {
      guard event.kind == kind else { return }
      controller.events.remove(self)
      controller.tearDown()
    }
  }

  @Test func `pending commands are not performed after a tear-down`() {
    let page = Page()
    let controller = StateController<Page>()
    let log = EventLog()
    controller.events.add(log)
    controller.bind(to: page)
    controller.transition(to: Instant("first"))
    // After the first has exited, the second could enter. An observer of the exit tears down
    // before.
    controller.events.add(Wrecker(on: .exited, controller))
    controller.transition(to: Instant("second"))
    #expect(page.shown == ["first"])
    #expect(log.words.suffix(3) == ["exited #1", "cancelled", "discarded #2"])
  }
}
