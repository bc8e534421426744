import Staty
import StatyUIKit
import Testing
import UIKit

private enum Place: StateKey, CaseIterable {
  case home, list, sheet
}

private enum Mail: StateKey, CaseIterable {
  case compose, recipients
}

/// A root with routes that lead only forwards.
@MainActor private final class Scene {
  let root: UINavigationController
  let transitions: TransitionController<Place>
  let events = EventLines()
  let window: UIWindow
  var made: [UIViewController] = []

  init(_ root: UINavigationController = UINavigationController(nibName: nil, bundle: nil)) {
    self.root = root
    let routes = Routes<Place> {
      Start {
        To(.home)
        To(.sheet)
      }
      From(.home) {
        To(.list)
        To(.sheet)
      }
      From(.list) { To(.sheet) }
    }
    transitions = TransitionController(root: root, routes: routes) {
      $0 == .sheet ? .modal(.pageSheet) : .push
    } makeView: { _, _ in
      UIViewController()
    }
    window = show(root)
    transitions.events.add(events)
  }

  func go(_ places: Place...) {
    for place in places { transitions.show(place) }
    UIKitDouble.run()
    _ = events.take()
  }
}

@MainActor @Suite struct UserMoveTests {
  @Test func `A user who goes back during a push is followed`() {
    let scene = Scene()
    scene.go(.home)
    scene.transitions.show(.list)
    UIKitDouble.advance(by: 0.1)
    scene.root.popViewController(animated: true)
    UIKitDouble.run()
    _ = UIKitDouble.takeWarnings()
    #expect(scene.transitions.current == .home)
  }

  @Test func `What other code has pushed above a view goes when that view is shown`() {
    let root = UINavigationController(nibName: nil, bundle: nil)
    let routes = Routes<Place> {
      Start { To(.home) }
      From(.home) { To(.list) }
      From(.list) { To(.home) }
    }
    let transitions = TransitionController(root: root, routes: routes) { _ in
      .push
    } makeView: { _, _ in
      UIViewController()
    }
    let window = show(root)
    for place in [Place.home, .list] { transitions.show(place) }
    UIKitDouble.run()
    root.pushViewController(UIViewController(), animated: false)
    transitions.show(.home)
    UIKitDouble.run()
    #expect(root.viewControllers.count == 1 && transitions.current == .home)
    withExtendedLifetime(window) {}
  }

  @Test func `The controller follows a user who goes back without a route`() {
    let scene = Scene()
    scene.go(.home, .list)
    scene.root.tapBack()
    UIKitDouble.run()
    #expect(
      scene.events.take() == ["exited list", "enqueued home", "entering home", "entered home"])
    #expect(scene.transitions.current == .home)
    scene.go(.sheet)
    #expect(scene.root.presentedViewController?.pullDown() == true)
    UIKitDouble.run()
    #expect(scene.transitions.current == .home)
    scene.go(.list)
    #expect(scene.transitions.current == .list)
    #expect(scene.events.refusals.isEmpty)
  }

  @Test func `After a user has left the only view, the routes from the beginning apply`() {
    let scene = Scene()
    scene.go(.sheet)
    scene.root.presentedViewController?.pullDown()
    UIKitDouble.run()
    #expect(scene.events.take() == ["exited sheet"])
    #expect(scene.transitions.current == nil)
    scene.go(.home)
    #expect(scene.transitions.current == .home)
    #expect(scene.root.viewControllers.count == 1)
    #expect(scene.events.refusals.isEmpty)
  }

  @Test(arguments: [true, false])
  func `A request made during a swipe back is pending until the swipe has ended`(goes: Bool) {
    let scene = Scene()
    scene.go(.home, .list)
    scene.root.beginSwipeBack()
    UIKitDouble.advance(by: 1)
    scene.transitions.show(.sheet)
    UIKitDouble.advance(by: 1)
    #expect(scene.root.presentedViewController == nil)
    #expect(scene.transitions.isMoving)
    scene.root.endSwipeBack(goes: goes)
    UIKitDouble.run()
    #expect(scene.transitions.current == .sheet)
    #expect(scene.root.viewControllers.count == (goes ? 1 : 2))
    scene.root.presentedViewController?.pullDown()
    UIKitDouble.run()
    #expect(scene.transitions.current == (goes ? .home : .list))
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test(arguments: [true, false])
  func `A request that is refused during a swipe back changes nothing`(goes: Bool) {
    let scene = Scene()
    scene.go(.home, .list)
    scene.transitions.onImpossible = { _, _ in }
    scene.root.beginSwipeBack()
    scene.transitions.show(.list)
    #expect(scene.transitions.current == .list)
    scene.root.endSwipeBack(goes: goes)
    UIKitDouble.run()
    #expect(scene.transitions.current == (goes ? .home : .list))
  }

  @Test func `A request made in the callback of a push is carried out`() {
    final class Asking: UINavigationController, UINavigationControllerDelegate {
      var ask: () -> Void = {}
      func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController,
        animated: Bool
      ) { ask() }
    }
    let root = Asking(nibName: nil, bundle: nil)
    root.delegate = root
    let scene = Scene(root)
    scene.go(.home)
    root.pushViewController(UIViewController(), animated: true)
    var isAsked = false
    root.ask = { [transitions = scene.transitions] in
      if !isAsked { transitions.show(.list) }
      isAsked = true
    }
    UIKitDouble.run()
    #expect(scene.transitions.current == .list)
    #expect(!scene.transitions.isMoving)
  }

  @Test(arguments: [true, false])
  func `A view is not shown when the sheet that it was to be pushed on has been pulled down`(
    isNamed: Bool
  ) {
    let (root, events) = (UIViewController(), EventLines())
    let transitions = TransitionController<Mail>(
      root: root,
      routes: Routes {
        Start { To(.compose) }
        From(.compose) { To(.recipients) }
      }
    ) {
      $0 == .compose ? .modal(.pageSheet) : .push
    } makeView: { view, _ in
      view == .compose
        ? UINavigationController(rootViewController: UIViewController()) : UIViewController()
    }
    let window = show(root)
    transitions.events.add(events)
    transitions.show(.compose)
    UIKitDouble.run()
    let compose = root.presentedViewController as? UINavigationController
    #expect(compose?.pullDown() == true)
    UIKitDouble.run()
    transitions.show(.recipients, from: isNamed ? compose?.topViewController : nil)
    UIKitDouble.run()
    #expect(events.lines.last == (isNamed ? "discarded recipients rejected" : "exited recipients"))
    #expect(
      events.refusals == (isNamed ? ["the state that asked has left in the meantime"] : []))
    #expect(transitions.current == nil && !transitions.isMoving)
    transitions.show(.compose)
    UIKitDouble.run()
    #expect(transitions.current == .compose)
    #expect(window.rootViewController === root)
  }

  @Test func `A root that owns its controller is released with it and with the views`() {
    final class Root: UINavigationController {
      var transitions: TransitionController<Place>?
    }
    weak var gone: UIViewController?
    do {
      let scene = Scene(Root(nibName: nil, bundle: nil))
      (scene.root as? Root)?.transitions = scene.transitions
      scene.go(.home, .list)
      gone = scene.root
      scene.window.rootViewController = nil
      lastShown = nil
    }
    UIKitDouble.run()
    #expect(gone == nil)
  }

  @Test func `A child is added to the view of the selected tab, and becomes no tab`() {
    let below = UIViewController()
    let tabs = UITabBarController(nibName: nil, bundle: nil)
    tabs.viewControllers = [UINavigationController(rootViewController: below), UIViewController()]
    let transitions = TransitionController<Place>(
      root: tabs, routes: Routes { Start { To(.home) } }
    ) { _ in
      .child
    } makeView: { _, _ in
      UIViewController()
    }
    let window = show(tabs)
    transitions.show(.home)
    #expect(tabs.children.count == 2)
    #expect(below.children.count == 1)
    #expect(window.rootViewController === tabs)
  }

  @Test func `A child is added to the view that a navigation controller shows`() {
    let below = UIViewController()
    let root = UINavigationController(rootViewController: below)
    let transitions = TransitionController<Place>(
      root: root, routes: Routes { Start { To(.home) } }
    ) { _ in
      .child
    } makeView: { _, _ in
      UIViewController()
    }
    let window = show(root)
    transitions.show(.home)
    #expect(root.viewControllers == [below])
    #expect(below.children.count == 1)
    #expect(window.rootViewController === root)
  }
}
