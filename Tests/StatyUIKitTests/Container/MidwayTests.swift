import Staty
import StatyUIKit
import Testing
import UIKit

/// A container that appears, disappears or is off screen.
@MainActor @Suite struct MidwayTests {
  private func name(_ state: CommentsState?) -> String? { state.map(CommentsContainer.name) }

  @Test func `Off screen, the newest request is pending, and it is shown on appearing`() {
    let scene = ContainerScene(isShown: false)
    #expect(scene.container.pendingState == nil)
    scene.go(.list([]))
    #expect(name(scene.container.pendingState) == "list")
    #expect(!scene.container.hasDeterminedState)
    scene.go(.layered([]))
    #expect(name(scene.container.pendingState) == "layered")
    #expect(scene.events.lines.last == "discarded list replaced")
    scene.push(animated: false)
    #expect(scene.container.pendingState == nil)
    #expect(name(scene.container.currentState) == "layered")
    // The same is true after the container has been on screen.
    scene.navigation.pushViewController(UIViewController(), animated: false)
    scene.go(.list([]))
    #expect(name(scene.container.pendingState) == "list")
    #expect(name(scene.container.currentState) == "layered")
    #expect(!scene.container.isTransitioningBetweenStates)
    scene.navigation.popViewController(animated: false)
    #expect(name(scene.container.currentState) == "list")
    #expect(scene.container.pendingState == nil)
  }

  @Test func `A container can prefer its appearance state to a request made off screen`() {
    final class Loading: StateViewController<CommentsState> {
      var loads = 0
      override var prefersAppearanceState: Bool { true }
      override func loadAppearanceState() -> CommentsState {
        loads += 1
        return .loading
      }
    }
    let (container, events) = (Loading(), EventLines())
    container.events.add(events)
    container.setNeedsStateTransition(to: .list([]), animated: false)
    let window = show(container)
    #expect(name(container.currentState) == "loading")
    #expect(container.loads == 1)
    #expect(events.lines.contains("discarded list replaced"))
    // A second call of UIKit does not replace what waits on screen.
    container.setNeedsStateTransition(to: .list([]), animated: false)
    container.viewWillAppear(false)
    #expect(name(container.currentState) == "list")
    #expect(container.loads == 1)
    #expect(window.rootViewController === container)
  }

  @Test func `A request made during an appearance is pending until the appearance has ended`() {
    let scene = ContainerScene(isShown: false)
    scene.push(animated: true)
    scene.go(.list([]))
    #expect(name(scene.container.pendingState) == "list")
    UIKitDouble.advance(by: 0.1)
    #expect(name(scene.container.currentState) == "loading")
    UIKitDouble.run()
    #expect(name(scene.container.currentState) == "list")
    #expect(scene.container.children == [scene.container.list])
    #expect(
      scene.take() == [
        "will loading animated", "+spinner… joining", "+spinner joining", "did from nothing",
        "will list animated", "-spinner… leaving", "+list… joining", "-spinner leaving",
        "+list joining", "did from loading",
      ])
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `If an appearance is cancelled, those of the children are cancelled too`() {
    let scene = ContainerScene()
    scene.navigation.pushViewController(UIViewController(), animated: false)
    _ = scene.take()
    scene.navigation.beginSwipeBack()
    UIKitDouble.advance(by: 0.1)
    #expect(scene.take() == ["will loading animated", "+spinner…"])
    scene.go(.list([]))
    scene.navigation.endSwipeBack(goes: false)
    #expect(scene.take() == ["did from loading", "-spinner…"])
    #expect(scene.events.lines.suffix(2) == ["discarded list cancelled", "entered loading"])
    UIKitDouble.run()
    #expect(scene.take() == ["-spinner"])
    #expect(UIKitDouble.warnings.isEmpty)
    // The next appearance is a normal one.
    scene.navigation.tapBack()
    UIKitDouble.run()
    #expect(
      scene.take() == ["will loading animated", "+spinner…", "+spinner", "did from loading"])
  }

  @Test func `If an appearance is cancelled while a child enters, the child stays in its place`() {
    let scene = ContainerScene()
    let slow = SlidingChild("slow", scene.container.log)
    scene.navigation.pushViewController(UIViewController(), animated: false)
    scene.go(.layered([slow]))
    _ = scene.take()
    scene.navigation.beginSwipeBack()
    UIKitDouble.advance(by: 0.6)
    #expect(scene.take() == ["will layered animated", "+slow… joining", "slow begins"])
    scene.navigation.endSwipeBack(goes: false)
    #expect(scene.take().filter { $0.hasPrefix("+") } == [])
    UIKitDouble.run()
    #expect(scene.take().last == "-slow")
    #expect(slow.view.transform == .identity)
    #expect(scene.container.spinner.parent == nil)
    #expect(slow.parent === scene.container)
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `If a disappearance is cancelled, the container loads its appearance state again`() {
    let scene = ContainerScene()
    _ = scene.take()
    scene.navigation.beginSwipeBack()
    UIKitDouble.advance(by: 0.1)
    #expect(scene.take() == ["-spinner…"])
    scene.container.appearanceState = .list([])
    scene.navigation.endSwipeBack(goes: false)
    UIKitDouble.run()
    #expect(name(scene.container.currentState) == "list")
    #expect(scene.container.children == [scene.container.list])
    #expect(scene.container.spinner.parent == nil)
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `A full screen presentation makes its children disappear, and appear after it`() {
    let scene = ContainerScene()
    _ = scene.take()
    let cover = UIViewController()
    cover.modalPresentationStyle = .fullScreen
    scene.navigation.present(cover, animated: true)
    UIKitDouble.run()
    #expect(scene.take() == ["-spinner…", "-spinner"])
    scene.go(.list([]))
    #expect(scene.take() == [])
    scene.navigation.dismiss(animated: true)
    UIKitDouble.run()
    #expect(scene.container.children == [scene.container.list])
    #expect(scene.container.list.view.window === scene.window)
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `A container inside another one appears and disappears as a child of that one`() {
    let inner = CommentsContainer()
    inner.appearanceState = .list([])
    let holder = Holder(inner)
    let window = show(holder)
    #expect(
      inner.log.take() == ["will list", "+list… joining", "+list joining", "did from nothing"])
    holder.setNeedsStateTransition(to: false, animated: true)
    #expect(inner.log.take() == ["-list…"])
    UIKitDouble.run()
    #expect(inner.log.take() == ["-list"])
    #expect(inner.parent == nil)
    inner.setNeedsStateTransition(to: .loading, animated: true)
    holder.setNeedsStateTransition(to: true, animated: true)
    UIKitDouble.run()
    #expect(inner.children == [inner.spinner])
    #expect(inner.spinner.view.window === window)
    #expect(UIKitDouble.warnings.isEmpty)
  }
}

/// Shows another container, or nothing.
private final class Holder: StateViewController<Bool> {
  private let inner: UIViewController

  init(_ inner: UIViewController) {
    self.inner = inner
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func loadAppearanceState() -> Bool { true }
  override func children(for state: Bool) -> [UIViewController] { state ? [inner] : [] }
}
