import Staty
import StatyUIKit
import Testing
import UIKit

private enum Place: StateKey, CaseIterable {
  case home, slide, sheet, detail
}

/// An app's own transition.
///
/// It ends when a test says so, or never.
@MainActor private final class Way: ViewTransition {
  private(set) var lines: [String] = []
  var onShown: () -> Void = {}
  var onHidden: () -> Void = {}
  var hidesAtOnce = true

  func show(
    _ view: UIViewController, over present: UIViewController, completion: @escaping () -> Void
  ) {
    lines.append("show")
    present.addChild(view)
    present.view.addSubview(view.view)
    view.didMove(toParent: present)
    onShown = completion
  }

  func hide(_ view: UIViewController, completion: @escaping () -> Void) {
    lines.append("hide")
    view.willMove(toParent: nil)
    view.view.removeFromSuperview()
    view.removeFromParent()
    onHidden = completion
    if hidesAtOnce { completion() }
  }
}

/// A root with a view that may never report the end of its transition.
@MainActor private final class Scene {
  let root = UINavigationController(nibName: nil, bundle: nil)
  let way = Way()
  let clock = ManualClock()
  let events = EventLines()
  let transitions: TransitionController<Place>
  let window: UIWindow

  init(_ recovery: DeadlineRecovery) {
    let routes = Routes<Place> {
      FromAny { for place in Place.allCases { To(place) } }
    }
    let presentation = { [way] (place: Place) -> ViewPresentation in
      switch place {
      case .home, .detail: .push
      case .slide: .custom(way)
      case .sheet: .modal(.pageSheet)
      }
    }
    transitions = TransitionController(
      root: root, routes: routes, presentation: presentation,
      deadlines: Deadlines(entering: .seconds(3), recovery: recovery), timer: clock
    ) { _, _ in
      UIViewController()
    }
    window = show(root)
    transitions.events.add(events)
    go(.home)
  }

  func go(_ place: Place) {
    transitions.show(place)
    UIKitDouble.run()
  }

  var home: UIViewController? { root.viewControllers.first }
}

@MainActor @Suite struct MoveDeadlineTests {
  @Test func `A move that ends in time has no deadline event`() {
    let scene = Scene(.skip)
    scene.go(.slide)
    scene.way.onShown()
    scene.go(.sheet)
    scene.clock.run()
    #expect(!scene.events.lines.contains { $0.hasPrefix("deadline") })
    #expect(scene.transitions.current == .sheet)
  }

  @Test func `A move that never ends is reported, and the next one stays pending`() {
    let scene = Scene(.report)
    scene.go(.slide)
    scene.go(.sheet)
    scene.clock.run()
    #expect(scene.events.lines.last == "deadline slide")
    #expect(scene.transitions.isMoving)
    #expect(scene.root.presentedViewController == nil)
    scene.way.onShown()
    UIKitDouble.run()
    #expect(scene.root.presentedViewController != nil)
    #expect(scene.events.lines.last == "entered sheet")
  }

  @Test func `With force, the view counts as shown, and the next is shown over it`() {
    let scene = Scene(.force)
    scene.go(.slide)
    scene.go(.sheet)
    #expect(scene.transitions.current == .slide)
    scene.clock.advance(by: .seconds(3))
    UIKitDouble.run()
    #expect(scene.transitions.current == .sheet)
    #expect(scene.home?.children.count == 1)
    scene.way.onShown()
    #expect(scene.events.lines.last == "stray slide")
    #expect(scene.transitions.current == .sheet)
    scene.go(.home)
    #expect(scene.way.lines == ["show", "hide"])
    #expect(scene.home?.children.isEmpty == true)
    #expect(scene.events.lines.last == "entered home")
  }

  @Test func `With force, the next request exits a view that has not ended its move`() {
    let scene = Scene(.force)
    scene.go(.slide)
    scene.clock.advance(by: .seconds(3))
    #expect(!scene.transitions.isMoving)
    #expect(scene.events.lines.last == "deadline slide")
    scene.go(.home)
    #expect(scene.transitions.current == .home)
    #expect(scene.home?.children.isEmpty == true)
    #expect(!scene.events.lines.contains { $0.hasPrefix("stray") })
  }

  @Test func `With skip, the view is discarded and removed before the next one enters`() {
    let scene = Scene(.skip)
    scene.go(.slide)
    scene.go(.sheet)
    scene.clock.advance(by: .seconds(3))
    UIKitDouble.run()
    #expect(scene.events.lines.contains("discarded slide timedOut"))
    #expect(scene.way.lines == ["show", "hide"])
    #expect(scene.home?.children.isEmpty == true)
    #expect(scene.transitions.current == .sheet)
    #expect(scene.events.lines.last == "entered sheet")
    // A late completion changes nothing and has an event.
    scene.way.onShown()
    #expect(scene.events.lines.last == "stray slide")
    scene.go(.home)
    #expect(scene.root.viewControllers.count == 1)
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `With skip, a view that is requested again is shown again`() {
    let scene = Scene(.skip)
    scene.go(.slide)
    scene.clock.advance(by: .seconds(3))
    #expect(!scene.transitions.isMoving)
    scene.go(.slide)
    #expect(scene.way.lines == ["show", "hide", "show"])
    scene.way.onShown()
    #expect(scene.events.lines.last == "entered slide")
    #expect(scene.home?.children.count == 1)
  }

  @Test func `With skip, a way back that never ends is discarded too`() {
    let scene = Scene(.skip)
    scene.go(.slide)
    scene.way.onShown()
    scene.way.hidesAtOnce = false
    scene.go(.home)
    #expect(scene.transitions.isMoving)
    scene.clock.advance(by: .seconds(3))
    #expect(!scene.transitions.isMoving)
    scene.way.onHidden()
    let home = scene.home
    scene.go(.sheet)
    #expect(scene.root.viewControllers == [home])
    #expect(scene.root.presentedViewController != nil)
    #expect(scene.transitions.current == .sheet)
  }

  @Test func `With skip, a view that was never pushed takes nothing of other code with it`() {
    let scene = Scene(.skip)
    let other = UIViewController()
    scene.root.pushViewController(other, animated: true)
    scene.transitions.show(.detail)
    scene.clock.advance(by: .seconds(3))
    UIKitDouble.run()
    #expect(scene.events.lines.contains("discarded detail timedOut"))
    #expect(scene.root.viewControllers == [scene.home, other])
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `A second completion of a move is ignored`() {
    let scene = Scene(.skip)
    scene.go(.slide)
    scene.way.onShown()
    scene.way.onShown()
    #expect(scene.events.lines.suffix(2) == ["entered slide", "stray slide"])
    scene.way.hidesAtOnce = false
    scene.go(.home)
    scene.way.onHidden()
    scene.way.onHidden()
    #expect(scene.events.lines.suffix(2) == ["entering home", "entered home"])
    #expect(scene.transitions.current == .home)
    #expect(scene.root.viewControllers.count == 1)
  }

  @Test func `A sheet without a window is not presented after its deadline`() {
    let scene = Scene(.skip)
    scene.window.rootViewController = nil
    scene.go(.sheet)
    scene.clock.advance(by: .seconds(3))
    scene.window.rootViewController = scene.root
    UIKitDouble.run()
    #expect(scene.root.presentedViewController == nil)
    scene.go(.sheet)
    #expect(scene.root.presentedViewController != nil)
    #expect(scene.events.lines.last == "entered sheet")
    #expect(UIKitDouble.warnings.isEmpty)
  }
}
