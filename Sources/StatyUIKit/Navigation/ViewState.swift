#if canImport(UIKit)
  import Staty

  /// The state that shows a view of the application.
  ///
  /// It exits at once when it is told to: the whole transition belongs to the view that enters.
  @MainActor final class ViewState<ViewType: StateKey>: ScreenState {
    let view: ViewType
    let context: Any?

    init(view: ViewType, context: Any?) {
      self.view = view
      self.context = context
    }

    var name: StateName { view.stateName }

    func enter(on stack: ViewStack<ViewType>, visit: Visit) {
      stack.show(view, context, visit)
    }

    func exit(from stack: ViewStack<ViewType>, visit: Visit) {
      stack.exit(visit)
      visit.exited()
    }
  }
#endif
