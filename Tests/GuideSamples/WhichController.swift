import Dispatch
import Observation

// Controllers, and the reader's models and views.
@MainActor final class Model {
  func fadeIn() async {}
  func fadeOut() async {}
}
@MainActor var controller = StateController<Model>()
final class Player { func stop(_ done: @escaping @Sendable () -> Void) {} }
@MainActor let isRunning = false

// Routes.
final class RootView {}
struct Item {}
struct Session { let isOpen = true }
@MainActor let (session, root, item) = (Session(), RootView(), Item())
final class PageState: ScreenState {
  init(_ page: some StateKey, _ item: Item?) {}
  func enter(on target: RootView, visit: Visit) { visit.entered() }
  func exit(from target: RootView, visit: Visit) { visit.exited() }
}

// A table and a container.
struct Comment {}
let comments: [Comment] = []
func insertSpinnerRow() {}
func deleteSpinnerRow() {}
func load(_ done: @escaping ([Comment]) -> Void) {}
enum CommentsState { case list([Comment]) }
struct Child: Hashable {}
final class Host: KeyedHost, ContainerHost {
  func beginUpdates() {}
  func adopt(_ state: (any KeyedState)?) {}
  func endUpdates() {}
  func loadAppearanceState() -> CommentsState { .list([]) }
  func children(for state: CommentsState) -> [Child] { [] }
  func add(_ child: Child, at index: Int) {}
  func move(_ child: Child, to index: Int) {}
  func remove(_ child: Child) {}
  func animate(
    appearing: [Child], disappearing: [Child],
    completion: @escaping (_ finished: Bool) -> Void
  ) -> (any ContainerAnimation)? { nil }
}
@MainActor let host = Host()

// A view model.
final class Loading<Target: AnyObject>: ScreenState {
  func enter(on target: Target, visit: Visit) { visit.entered() }
  func exit(from target: Target, visit: Visit) { visit.exited() }
}
