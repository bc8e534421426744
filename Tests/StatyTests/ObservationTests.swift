import Observation
import Staty
import Testing

private final class Page {
  var shown: [StateName] = []
}

/// Enters at once and exits when the test says so.
private final class Named: ScreenState {
  let name: StateName
  private(set) var leaving: Visit?

  init(_ name: StateName) {
    self.name = name
  }

  func enter(on target: Page, visit: Visit) {
    target.shown.append(name)
    visit.entered()
  }

  func exit(from target: Page, visit: Visit) {
    leaving = visit
  }
}

@Suite struct ObservationTests {
  @Test func `an observable state follows its controller`() {
    let page = Page()
    let controller = StateController<Page>()
    let observed = ObservableState(controller)
    #expect(observed.current == nil)
    controller.bind(to: page)
    let first = Named("first")
    controller.transition(to: first)
    #expect(observed.current == "first")
    #expect(observed.phase == .entered)
    controller.transition(to: Named("second"))
    #expect(observed.isTransitioning)
    first.leaving?.exited()
    #expect(observed.current == "second")
    #expect(!observed.isTransitioning)
  }

  @Test func `a state that is taken for entered at its deadline is`() {
    let (page, clock) = (Page(), ManualClock())
    let controller = StateController<Page>(
      deadlines: Deadlines(entering: .seconds(1), recovery: .force), timer: clock)
    controller.bind(to: page)
    final class Slow: ScreenState {
      let name: StateName = "slow"
      func enter(on target: Page, visit: Visit) {}
      func exit(from target: Page, visit: Visit) { visit.exited() }
    }
    let observed = ObservableState(controller)
    controller.transition(to: Slow())
    #expect(observed.isTransitioning)
    clock.advance(by: .seconds(1))
    #expect(controller.phase == .entered && !observed.isTransitioning)
  }

  @Test func `of a class that reports little, a state is shown when it has entered`() {
    let probe = ControllerProbe("reports little", fidelity: .threeKind)
    let observed = ObservableState(probe)
    let page = Page()
    probe.requested(page, named: "first")
    probe.completed(.entered, page)
    #expect(observed.current == "first" && observed.phase == .entered)
    probe.completed(.exited, page)
    #expect(observed.current == "first" && observed.phase == .exited)
  }

  @Test func `an observable state that is created later begins with the controller's state`() {
    let page = Page()
    let controller = StateController<Page>()
    controller.bind(to: page)
    controller.transition(to: Named("first"))
    let observed = ObservableState(controller)
    #expect(observed.current == "first")
    #expect(observed.visit == VisitNumber(1))
    #expect(observed.phase == .entered)
  }

  @Test func `an observable state that was released costs nothing after the next event`() {
    let page = Page()
    let controller = StateController<Page>()
    controller.bind(to: page)
    weak var released: ObservableState?
    do {
      let observed = ObservableState(controller)
      released = observed
      #expect(observed.current == nil)
    }
    #expect(released == nil)
    controller.transition(to: Named("first"))
    #expect(!controller.events.isObserved)
  }

  @Test func `code that tracks the current state is notified of changes`() async {
    let page = Page()
    let controller = StateController<Page>()
    controller.bind(to: page)
    let observed = ObservableState(controller)
    await confirmation { changed in
      withObservationTracking {
        _ = observed.current
      } onChange: {
        changed()
      }
      controller.transition(to: Named("first"))
    }
  }

  @Test func `a loop over the events sees them in order and ends with the controller`() async {
    let page = Page()
    var controller: StateController<Page>? = StateController<Page>()
    let stream = controller?.events.stream()
    controller?.bind(to: page)
    controller?.transition(to: Named("first"))
    controller = nil
    var kinds: [TransitionEvent.Kind] = []
    for await event in stream! { kinds.append(event.kind) }
    #expect(
      kinds == [.resumed, .enqueued, .entering, .entered, .cancelled, .discarded])
  }

  @Test func `an ended loop costs nothing after the next event`() async {
    let page = Page()
    let controller = StateController<Page>()
    controller.bind(to: page)
    do {
      let stream = controller.events.stream()
      controller.transition(to: Named("first"))
      for await _ in stream { break }
    }
    controller.transition(to: Named("second"))
    #expect(!controller.events.isObserved)
  }
}

// MARK: The binding of a view and its model

@Observable
private final class PageModel: StatyViewModel {
  typealias Target = PageView
  @ObservationIgnored let stateController = StateController<PageView>()
  var state: (any ScreenState<PageView>)?

  init() {
    observeCurrentState()
  }
}

private final class PageView: StateAwareView {
  let viewModel = PageModel()
  var stateTarget: PageView { self }
  var log: [String] = []
}

private final class Loading: ScreenState {
  func enter(on target: PageView, visit: Visit) {
    target.log.append("show loading")
    visit.entered()
  }

  func exit(from target: PageView, visit: Visit) {
    target.log.append("hide loading")
    visit.exited()
  }
}

private final class Content: ScreenState {
  func enter(on target: PageView, visit: Visit) {
    target.log.append("show content")
    visit.entered()
  }

  func exit(from target: PageView, visit: Visit) {
    visit.exited()
  }
}

@Suite struct StateDrivenViewModelTests {
  @Test func `a model's requests before there is a view enter on binding`() {
    let view = PageView()
    view.viewModel.stateController.transition(to: Loading())
    #expect(view.log.isEmpty)
    #expect(view.viewModel.state == nil)
    view.bindWithState()
    #expect(view.log == ["show loading"])
    #expect(view.viewModel.state is Loading)
  }

  @Test func `the model's state is the one that is shown`() {
    let view = PageView()
    view.bindWithState()
    view.viewModel.stateController.transition(to: Loading())
    view.viewModel.stateController.transition(to: Content())
    #expect(view.log == ["show loading", "hide loading", "show content"])
    #expect(view.viewModel.state is Content)
  }

  @Test func `neither retains the other`() {
    weak var model: PageModel?
    do {
      let view = PageView()
      model = view.viewModel
      view.bindWithState()
      view.viewModel.stateController.transition(to: Loading())
      // The state refers to the view only through the controller.
      #expect(model != nil)
    }
    #expect(model == nil)
  }
}
