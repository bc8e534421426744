import Staty
import StatyUIKit
import Testing
import UIKit

@MainActor @Suite struct StateViewControllerTests {
  @Test func `On appearing it loads the appearance state and shows it, in UIKit's order`() {
    let scene = ContainerScene(isShown: false)
    #expect(!scene.container.hasDeterminedState)
    scene.push(animated: false)
    #expect(
      scene.take() == [
        "will loading", "+spinner… joining", "+spinner joining", "did from nothing",
      ])
    #expect(scene.container.children == [scene.container.spinner])
    #expect(scene.container.spinner.isMovingToParent == false)
    #expect(scene.container.loads == 1)
    #expect(scene.container.hasDeterminedState)
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `In an animated appearance, the first state fades in and enters at the end`() {
    let scene = ContainerScene(isShown: false)
    scene.push(animated: true)
    #expect(scene.take() == ["will loading animated", "+spinner… joining"])
    #expect(scene.container.isTransitioningBetweenStates)
    UIKitDouble.run()
    #expect(scene.take() == ["+spinner joining", "did from nothing"])
    #expect(scene.container.spinner.view.alpha == 1)
    #expect(!scene.container.isTransitioningBetweenStates)
  }

  @Test func `A transition fades for 0.35 seconds and replaces only the children that differ`() {
    let scene = ContainerScene()
    let back = Child("back", scene.container.log)
    scene.go(.layered([back, scene.container.spinner]), animated: false)
    _ = scene.take()
    scene.go(.layered([back, scene.container.list]))
    #expect(
      scene.take() == ["will layered animated", "-spinner… leaving", "+list… joining"])
    #expect(scene.container.list.view.superview === scene.container.childContainerView)
    UIKitDouble.advance(by: 0.3)
    #expect(scene.container.isTransitioningBetweenStates)
    UIKitDouble.advance(by: 0.05)
    #expect(
      scene.take() == ["-spinner leaving", "+list joining", "did from layered"])
    #expect(scene.container.children == [back, scene.container.list])
    #expect(scene.container.spinner.parent == nil)
    #expect(scene.container.spinner.view.superview == nil)
    #expect(scene.container.views == [back.view, scene.container.list.view])
  }

  @Test func `A transition without animation has ended when the call returns`() {
    let scene = ContainerScene()
    scene.go(.list(["Well"]), animated: false)
    #expect(scene.container.children == [scene.container.list])
    #expect(scene.container.shown == ["Well"])
    #expect(UIKitDouble.isIdle)
  }

  @Test func `Only the newest request is pending, and the replaced one has an event`() {
    let scene = ContainerScene()
    scene.go(.list([]))
    scene.go(.loading)
    scene.go(.layered([]))
    #expect(scene.container.pendingState.map(CommentsContainer.name) == "layered")
    UIKitDouble.run()
    #expect(CommentsContainer.name(scene.container.currentState) == "layered")
    #expect(scene.events.lines.contains("discarded loading replaced"))
  }

  @Test func `didTransition gets the state before, and the current state is the new one`() {
    let scene = ContainerScene()
    var seen: [String] = []
    scene.container.onDid = { [container = scene.container] in
      seen.append(CommentsContainer.name(container.currentState))
    }
    scene.go(.list([]), animated: false)
    #expect(scene.take().last == "did from loading")
    #expect(seen == ["list"])
  }

  @Test func `An interrupted animation ends its transition, with the views in final places`() {
    let scene = ContainerScene()
    let sliding = SlidingChild("sliding", scene.container.log)
    scene.go(.layered([sliding]))
    UIKitDouble.advance(by: 0.4)
    UIKitDouble.interruptAnimations()
    #expect(!scene.container.isTransitioningBetweenStates)
    #expect(sliding.view.transform == .identity)
    #expect(scene.events.lines.last == "entered layered")
    scene.go(.loading)
    UIKitDouble.run()
    #expect(scene.container.children == [scene.container.spinner])
  }

  @Test func `A child can set the duration, the delay and the changes of its animation`() {
    let scene = ContainerScene()
    let sliding = SlidingChild("sliding", scene.container.log)
    _ = scene.take()
    scene.go(.layered([sliding]))
    #expect(scene.take().last == "sliding begins")
    #expect(sliding.view.alpha == 1)
    UIKitDouble.advance(by: 1.4)
    #expect(scene.container.isTransitioningBetweenStates)
    UIKitDouble.advance(by: 0.1)
    #expect(scene.take().first == "sliding ends")
    #expect(!scene.container.isTransitioningBetweenStates)
    scene.go(.loading)
    UIKitDouble.run()
    #expect(sliding.parent == nil)
  }

  @Test func `Disappearing ends an animation that is still in its delay`() {
    let scene = ContainerScene()
    let sliding = SlidingChild("sliding", scene.container.log)
    scene.go(.layered([sliding]))
    UIKitDouble.advance(by: 0.1)
    scene.navigation.tapBack()
    #expect(!scene.container.isTransitioningBetweenStates)
    #expect(sliding.view.transform == .identity)
    UIKitDouble.run()
    #expect(scene.container.log.lines.filter { $0 == "sliding ends" }.count == 1)
    #expect(sliding.view.transform == .identity)
    #expect(scene.container.spinner.parent == nil)
    #expect(scene.container.spinner.view.alpha == 1)
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test
  func `Disappearing during a transition ends it and discards the pending request`() {
    let scene = ContainerScene()
    _ = scene.take()
    scene.go(.list([]))
    scene.go(.layered([]))
    scene.navigation.tapBack()
    #expect(
      scene.take() == [
        "will list animated", "-spinner… leaving", "+list… joining",
        "-spinner leaving", "+list joining", "did from loading", "-list…",
      ])
    #expect(scene.events.lines.contains("discarded layered cancelled"))
    UIKitDouble.run()
    #expect(scene.take() == ["-list"])
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `A request made off screen is shown on appearing, not the appearance state`() {
    let scene = ContainerScene()
    scene.navigation.pushViewController(UIViewController(), animated: false)
    _ = scene.take()
    scene.go(.list([]))
    #expect(scene.take() == [])
    scene.navigation.popViewController(animated: false)
    #expect(scene.container.children == [scene.container.list])
    #expect(scene.container.loads == 1)
  }

  @Test func `A cancelled swipe back leaves the children unchanged`() {
    let scene = ContainerScene()
    _ = scene.take()
    scene.navigation.swipeBackAndLetGo()
    #expect(
      scene.take() == [
        "-spinner…", "will loading animated", "+spinner…", "+spinner", "did from loading",
      ])
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `Children are laid out edge to edge, even if the device rotates`() {
    let scene = ContainerScene()
    scene.go(.list([]))
    UIKitDouble.advance(by: 0.1)
    scene.window.rotate()
    UIKitDouble.run()
    #expect(scene.container.list.view.frame == CGRect(x: 0, y: 0, width: 480, height: 320))
    #expect(scene.container.list.view.frame == scene.container.childContainerView.bounds)
  }

  @Test func `The last child that stays decides about the status bar and gestures`() {
    let scene = ContainerScene()
    let (container, log) = (scene.container, scene.container.log)
    let (low, high) = (Child("low", log), Child("high", log))
    scene.go(.layered([low, high]), animated: false)
    #expect(container.childForStatusBarStyle === high)
    scene.go(.layered([low]))
    #expect(container.children == [low, high])
    #expect(container.childForStatusBarHidden === low)
    #expect(container.childForHomeIndicatorAutoHidden === low)
    #expect(container.childForScreenEdgesDeferringSystemGestures === low)
    UIKitDouble.run()
    #expect(container.children == [low])
  }

  @Test func `The container for the children's views can be another view`() {
    final class Framed: StateViewController<CommentsState> {
      let frame = UIView(frame: CGRect(x: 10, y: 10, width: 300, height: 400))
      let child = UIViewController()
      override func loadChildContainerView() -> UIView { frame }
      override func loadAppearanceState() -> CommentsState { .loading }
      override func children(for state: CommentsState) -> [UIViewController] { [child] }
    }
    let framed = Framed()
    let window = show(framed)
    #expect(framed.child.view.superview === framed.frame)
    #expect(framed.child.view.frame.size == framed.frame.bounds.size)
    #expect(framed.frame.superview === framed.view)
    #expect(window.rootViewController === framed)
  }

  @Test func `The container for the children's views can be used before the view is loaded`() {
    let container = CommentsContainer()
    let asked = container.childContainerView
    let window = show(container)
    #expect(container.view.subviews == [asked])
    #expect(container.spinner.view.superview === asked)
    #expect(window.rootViewController === container)
  }

  @Test func `A child that has faded out stays invisible until the transition ends`() {
    let scene = ContainerScene()
    let slow = SlidingChild("slow", scene.container.log)
    scene.go(.layered([slow]))
    UIKitDouble.advance(by: 1)
    #expect(scene.container.isTransitioningBetweenStates)
    #expect(scene.container.spinner.view.window != nil)
    #expect(scene.container.spinner.view.alpha == 0)
    UIKitDouble.run()
    #expect(scene.container.spinner.view.window == nil)
    #expect(scene.container.spinner.view.alpha == 1)
  }

  @Test func `A child that has slid out enters again in its place`() {
    let scene = ContainerScene()
    let slow = SlidingChild("slow", scene.container.log)
    for state in [CommentsState.layered([slow]), .loading, .layered([slow])] {
      scene.go(state)
      UIKitDouble.run()
    }
    #expect(slow.view.frame == scene.container.childContainerView.bounds)
  }

  @Test func `Hooks are called before and after the appearance calls of each child`() {
    final class Hooked: StateViewController<CommentsState> {
      let log = Log()
      lazy var child = Child("child", log)
      override func loadAppearanceState() -> CommentsState { .loading }
      override func children(for state: CommentsState) -> [UIViewController] {
        if case .loading = state { [child] } else { [] }
      }
      override func childWillAppear(_ child: UIViewController, animated: Bool) {
        log.lines.append("will appear")
      }
      override func childDidAppear(_ child: UIViewController, animated: Bool) {
        log.lines.append("did appear")
      }
      override func childWillDisappear(_ child: UIViewController, animated: Bool) {
        log.lines.append("will disappear")
      }
      override func childDidDisappear(_ child: UIViewController, animated: Bool) {
        log.lines.append("did disappear")
      }
    }
    let hooked = Hooked()
    let window = show(hooked)
    #expect(
      hooked.log.take() == ["will appear", "+child… joining", "+child joining", "did appear"])
    hooked.setNeedsStateTransition(to: .list([]), animated: false)
    #expect(
      hooked.log.take() == [
        "will disappear", "-child… leaving", "-child leaving", "did disappear",
      ])
    #expect(window.rootViewController === hooked)
  }

  @Test func `Children that appear lie below those that disappear, as in the original`() {
    let scene = ContainerScene()
    let (container, log) = (scene.container, scene.container.log)
    let (low, high) = (Child("low", log), Child("high", log))
    scene.go(.layered([low, container.spinner, high]), animated: false)
    scene.go(.layered([container.list, high]))
    #expect(
      container.views == [container.list.view, high.view, low.view, container.spinner.view])
    UIKitDouble.run()
    #expect(container.views == [container.list.view, high.view])
    scene.go(.layered([high, low]))
    #expect(container.views == [high.view, low.view, container.list.view])
    UIKitDouble.run()
    scene.go(.layered([container.list, high]), animated: false)
    scene.go(.layered([high, container.list]), animated: false)
    #expect(container.views == [high.view, container.list.view])
  }

  @Test func `A child that has faded out is visible when it is shown without animation`() {
    let scene = ContainerScene()
    scene.go(.list([]))
    UIKitDouble.run()
    scene.go(.loading, animated: false)
    #expect(scene.container.views == [scene.container.spinner.view])
    #expect(scene.container.spinner.view.alpha == 1)
  }

  @Test func `A child is told that it has moved after the container's hook, as in the original`() {
    final class Moved: UIViewController {
      var onMove: () -> Void = {}
      override func didMove(toParent parent: UIViewController?) {
        super.didMove(toParent: parent)
        onMove()
      }
    }
    final class Hooked: StateViewController<Bool> {
      let moved = Moved()
      var lines: [String] = []
      override func loadAppearanceState() -> Bool { true }
      override func children(for state: Bool) -> [UIViewController] { state ? [moved] : [] }
      override func childDidAppear(_ child: UIViewController, animated: Bool) {
        lines.append("did appear")
      }
      override func childDidDisappear(_ child: UIViewController, animated: Bool) {
        lines.append("did disappear")
      }
    }
    let hooked = Hooked()
    hooked.moved.onMove = { [unowned hooked] in hooked.lines.append("did move") }
    let window = show(hooked)
    hooked.setNeedsStateTransition(to: false, animated: false)
    #expect(hooked.lines == ["did appear", "did move", "did disappear", "did move"])
    #expect(window.rootViewController === hooked)
  }

  @Test func `The current state is the appearance state until there is one`() {
    final class Early: StateViewController<CommentsState> {
      var seen: [String] = []
      override func loadAppearanceState() -> CommentsState {
        if hasDeterminedState { seen.append("again") }
        return .list(["Early"])
      }
      override func children(for state: CommentsState) -> [UIViewController] { [] }
      override func viewDidLoad() {
        super.viewDidLoad()
        seen.append(CommentsContainer.name(currentState))
      }
      override func willTransition(to state: CommentsState, animated: Bool) {
        seen.append(CommentsContainer.name(currentState))
      }
    }
    let early = Early()
    #expect(CommentsContainer.name(early.currentState) == "list")
    let window = show(early)
    #expect(early.seen == ["list", "list"])
    #expect(early.hasDeterminedState)
    #expect(window.rootViewController === early)
  }

  @Test func `An observer such as a SwiftUI view sees the state and the phase`() {
    let scene = ContainerScene()
    let observed = ObservableState(scene.container)
    #expect(observed.current == "loading")
    scene.go(.list([]))
    #expect(observed.current == "list")
    #expect(observed.isTransitioning)
    UIKitDouble.run()
    #expect(!observed.isTransitioning)
  }

  @Test func `A container that is removed during a transition is released`() {
    var scene: ContainerScene? = ContainerScene()
    weak let container = scene?.container
    scene?.go(.list([]))
    scene?.navigation.popViewController(animated: false)
    scene = nil
    UIKitDouble.run()
    #expect(container == nil)
  }
}
