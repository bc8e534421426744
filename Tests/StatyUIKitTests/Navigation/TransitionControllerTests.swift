import Staty
import StatyUIKit
import Testing
import UIKit

private enum Screen: StateKey, CaseIterable {
  case home, list, detail, settings, help, badge, slide
}

private final class ScreenController: UIViewController {
  let screen: Screen
  let context: Any?

  init(_ screen: Screen, _ context: Any?) {
    self.screen = screen
    self.context = context
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }
}

private protocol Named {}
extension ScreenController: Named {}

/// Shows a view from the side, as a child.
@MainActor private final class Slide: ViewTransition {
  func show(
    _ view: UIViewController, over present: UIViewController, completion: @escaping () -> Void
  ) {
    present.addChild(view)
    present.view.addSubview(view.view)
    view.didMove(toParent: present)
    UIView.animate(withDuration: 1, animations: {}) { _ in completion() }
  }

  func hide(_ view: UIViewController, completion: @escaping () -> Void) {
    view.willMove(toParent: nil)
    view.view.removeFromSuperview()
    view.removeFromParent()
    completion()
  }
}

private final class Root: UINavigationController, @MainActor TransitionControllerProvider {
  private(set) lazy var transitions = TransitionController<Screen>(
    root: self, routes: Self.routes
  ) { screen in
    switch screen {
    case .home, .list, .detail: .push
    case .settings: .modal(.pageSheet)
    case .help: .modal(.fullScreen)
    case .badge: .child
    case .slide: .custom(Slide())
    }
  } makeView: {
    ScreenController($0, $1)
  }

  static var routes: Routes<Screen> {
    Routes {
      Start { To(.home) }
      From(.home) {
        To(.list)
        Next(.list)
        To(.settings)
        To(.badge)
        To(.slide)
      }
      From(.list) {
        To(.detail).needing(String.self)
        Previous(.home)
        To(.settings)
      }
      From(.detail) {
        Previous(.list)
        To(.home)
        To(.settings)
      }
      From(.settings) {
        To(.help)
        Previous(.home)
        To(.home)
      }
      From(.help) { To(.home) }
      From(.badge) { Previous(.home) }
      From(.slide) { Previous(.home) }
    }
  }
}

@MainActor private struct RootScene {
  let root = Root(nibName: nil, bundle: nil)
  let events = EventLines()
  let window: UIWindow
  let impossible = Log()

  init(_ screens: Screen...) {
    window = StatyUIKitTests.show(root)
    root.transitions.events.add(events)
    root.transitions.onImpossible = { [impossible] in
      impossible.lines.append($1.description(for: $0))
    }
    for screen in screens { root.transitions.show(screen, context: "first") }
    UIKitDouble.run()
  }

  var top: ScreenController? {
    var top: UIViewController = root
    while let presented = top.presentedViewController { top = presented }
    let shown = (top as? UINavigationController)?.topViewController ?? top
    return (shown.children.last ?? shown) as? ScreenController
  }
}

@MainActor @Suite struct TransitionControllerTests {
  @Test func `A request names the view, and the routes decide how it is shown`() {
    let scene = RootScene(.home)
    scene.root.transitions.show(.list)
    #expect(scene.root.transitions.isMoving)
    UIKitDouble.run()
    scene.root.transitions.show(.detail, context: "Book")
    UIKitDouble.run()
    #expect(scene.root.viewControllers.count == 3)
    #expect(scene.top?.screen == .detail)
    #expect(scene.top?.context as? String == "Book")
    #expect(scene.root.transitions.current == .detail)
    #expect(scene.events.lines.last == "entered detail")
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `Children and presented views find the controller up the hierarchy`() {
    let scene = RootScene(.home, .settings)
    #expect(scene.top?.screen == .settings)
    #expect(scene.top?.transitionController(for: Screen.self) === scene.root.transitions)
    let inner = UIViewController()
    scene.top?.addChild(inner)
    #expect(inner.transitionController(for: Screen.self) === scene.root.transitions)
    #expect(inner.transitionController(for: String.self) == nil)
    #expect(UIViewController().transitionController(for: Screen.self) == nil)
  }

  @Test func `A request for a view below removes all views over it`() {
    let scene = RootScene(.home, .list, .detail)
    scene.root.transitions.show(.home)
    UIKitDouble.run()
    #expect(scene.root.viewControllers.count == 1)
    #expect(scene.top?.screen == .home)
    let modal = RootScene(.home, .list, .settings, .help)
    #expect(modal.top?.screen == .help)
    modal.root.transitions.show(.home)
    UIKitDouble.run()
    #expect(modal.root.presentedViewController == nil)
    #expect(modal.top?.screen == .home)
    #expect(modal.events.lines.last == "entered home")
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test(arguments: [Screen.settings, .badge, .slide])
  private func
    `Sheets, children and custom transitions are shown and hidden`(screen: Screen)
  {
    let scene = RootScene(.home)
    scene.root.transitions.show(screen)
    UIKitDouble.run()
    #expect(scene.top?.screen == screen)
    scene.root.transitions.show(to: .previous)
    UIKitDouble.run()
    #expect(scene.top?.screen == .home)
    #expect(scene.events.lines.last == "entered home")
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `A request made during a presentation is pending, and is not lost`() {
    let scene = RootScene(.home)
    scene.root.transitions.show(.settings)
    scene.root.transitions.show(.help)
    #expect(scene.root.transitions.isMoving)
    UIKitDouble.run()
    #expect(scene.top?.screen == .help)
    #expect(scene.events.lines.filter { $0.hasPrefix("entered") }.count == 3)
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `A request made during a presentation of other code is pending too`() {
    let scene = RootScene(.home)
    scene.root.present(UIViewController(), animated: true)
    scene.root.transitions.show(.settings)
    UIKitDouble.run()
    #expect(scene.top?.screen == .settings)
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `Two taps on back go back once`() {
    let scene = RootScene(.home, .list, .detail)
    let detail = scene.top
    scene.root.transitions.show(to: .previous, from: detail)
    scene.root.transitions.show(to: .previous, from: detail)
    UIKitDouble.run()
    #expect(scene.top?.screen == .list)
    #expect(scene.events.refusals == ["the state that asked has left in the meantime"])
    #expect(scene.impossible.lines.isEmpty)
  }

  @Test func `The routes decide what previous and next mean for the current view`() {
    let scene = RootScene(.home)
    scene.root.transitions.show(to: .next)
    UIKitDouble.run()
    #expect(scene.top?.screen == .list)
    scene.root.transitions.show(to: .previous)
    UIKitDouble.run()
    #expect(scene.top?.screen == .home)
  }

  @Test func `previous leads to another view from each view`() {
    let scene = RootScene(.home, .list, .detail)
    scene.root.transitions.show(to: .previous)
    // previous is resolved when it is this request's turn, not now.
    scene.root.transitions.show(to: .previous)
    UIKitDouble.run()
    #expect(
      scene.events.lines.filter { $0.hasPrefix("entered") }.suffix(2) == [
        "entered list", "entered home",
      ])
    #expect(scene.top?.screen == .home)
    // No route leads back from this view.
    scene.root.transitions.show(to: .previous)
    #expect(scene.impossible.lines == ["no route leads from home to previous"])
  }

  @Test func `Impossible moves and wrong contexts are reported, and change nothing`() {
    let scene = RootScene(.home, .list)
    scene.root.transitions.show(.help)
    scene.root.transitions.show(.detail, context: 7)
    UIKitDouble.run()
    #expect(
      scene.impossible.lines == [
        "no route leads from list to help",
        "the route from list to detail needs a value of type String",
      ])
    #expect(scene.top?.screen == .list)
  }

  @Test func `A context can be a dictionary, an object of a class, or a protocol`() {
    let root = UINavigationController(nibName: nil, bundle: nil)
    let routes = Routes<Screen> {
      Start { To(.home).needing([String: Int].self) }
      From(.home) { To(.list).needing(ScreenController.self) }
      From(.list) { To(.detail).needing((any Named).self) }
    }
    let transitions = TransitionController(root: root, routes: routes) { _, _ in
      UIViewController()
    }
    let (window, impossible) = (StatyUIKitTests.show(root), Log())
    transitions.onImpossible = { view, _ in impossible.lines.append("\(view)") }
    let view = ScreenController(.home, nil)
    let moves: [(Screen, Any)] = [(.home, ["a": 1]), (.list, view), (.detail, view)]
    for (screen, context) in moves {
      transitions.show(screen, context: "wrong")
      #expect(impossible.lines.popLast() == "\(screen)")
      transitions.show(screen, context: context)
      UIKitDouble.run()
      #expect(transitions.current == screen)
    }
    #expect(impossible.lines.isEmpty)
    #expect(window.rootViewController === root)
  }

  @Test func `An impossible move stops the process by default`() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run {
        let root = Root(nibName: nil, bundle: nil)
        _ = root.transitions.show(.help)
      }
    }
  }

  @Test func `The graph shows the routes that the controller allows`() {
    let scene = RootScene(.home, .list)
    let routes = scene.root.transitions.routes
    for drawing in [routes.dot, routes.mermaid] {
      for screen in Screen.allCases { #expect(drawing.contains("\"\(screen)\"")) }
    }
    let drawn = routes.mermaid.split(separator: "\n").filter { $0.contains("-->") }
    #expect(drawn.count == routes.routes.count)
    // The states are in the order of the enumeration.
    #expect(drawn.contains("  [*] --> s0"))
    #expect(drawn.contains("  s1 --> s2 : (String)"))
    #expect(drawn.contains("  s1 --> s0 : previous"))
    #expect(!drawn.contains { $0.contains("s1 --> s4") })
    // A move that is not drawn is refused.
    scene.root.transitions.show(.help)
    #expect(scene.impossible.lines == ["no route leads from list to help"])
  }

  @Test func `The controller follows a user who taps back`() {
    let scene = RootScene(.home, .list, .detail)
    _ = scene.events.take()
    scene.root.tapBack()
    UIKitDouble.run()
    #expect(scene.root.transitions.current == .list)
    #expect(
      scene.events.take() == ["exited detail", "enqueued list", "entering list", "entered list"])
    scene.root.transitions.show(.detail, context: "Again")
    UIKitDouble.run()
    #expect(scene.top?.context as? String == "Again")
    #expect(scene.root.viewControllers.count == 3)
  }

  @Test func `The controller follows a user who pulls a sheet down, after the sheet has gone`() {
    let scene = RootScene(.home, .settings)
    _ = scene.events.take()
    #expect(scene.top?.pullDown() == true)
    #expect(scene.root.transitions.current == .settings)
    UIKitDouble.run()
    #expect(scene.root.transitions.current == .home)
    #expect(
      scene.events.take() == ["exited settings", "enqueued home", "entering home", "entered home"])
    #expect(scene.root.presentedViewController == nil)
    #expect(scene.impossible.lines.isEmpty)
  }

  @Test func `A cancelled pull on a sheet has no events`() {
    let scene = RootScene(.home, .settings)
    _ = scene.events.take()
    #expect(scene.top?.pullDownAndLetGo() == true)
    UIKitDouble.run()
    #expect(scene.events.take() == [])
    #expect(scene.top?.screen == .settings)
  }

  @Test func `A sheet that was dismissed by code is noticed at the next request`() {
    final class Delegate: NSObject, UIAdaptivePresentationControllerDelegate {}
    let delegate = Delegate()
    for pulls in [true, false] {
      let scene = RootScene(.home, .settings)
      if pulls {
        scene.top?.presentationController?.delegate = delegate
        scene.top?.pullDown()
      } else {
        scene.root.dismiss(animated: true)
      }
      UIKitDouble.run()
      #expect(scene.root.transitions.current == .settings)
      scene.root.transitions.show(.list)
      UIKitDouble.run()
      #expect(scene.top?.screen == .list)
      #expect(scene.root.viewControllers.count == 2)
      #expect(scene.impossible.lines.isEmpty)
    }
  }

  @Test func `A sheet keeps a delegate that its view has set`() {
    final class Delegate: NSObject, UIAdaptivePresentationControllerDelegate {}
    let (delegate, root) = (Delegate(), UINavigationController(nibName: nil, bundle: nil))
    let transitions = TransitionController<Screen>(root: root, routes: Root.routes) { _ in
      .modal(.pageSheet)
    } makeView: {
      let view = ScreenController($0, $1)
      view.modalPresentationStyle = .pageSheet
      view.presentationController?.delegate = delegate
      return view
    }
    let window = StatyUIKitTests.show(root)
    transitions.show(.home)
    UIKitDouble.run()
    #expect(root.presentedViewController?.presentationController?.delegate === delegate)
    #expect(window.rootViewController === root)
  }

  @Test(arguments: [Screen.help, .home], [true, false])
  private func `A request made while a sheet is pulled down is pending until it has gone`(
    screen: Screen, isStrict: Bool
  ) {
    let scene = RootScene(.home, .settings)
    UIKitDouble.tellsOnlyInCallbacks = isStrict
    scene.top?.pullDown()
    UIKitDouble.advance(by: 0.1)
    scene.root.transitions.show(screen)
    #expect(scene.root.transitions.isMoving)
    UIKitDouble.run()
    #expect(scene.top?.screen == screen)
    #expect(!scene.root.transitions.isMoving)
    #expect(scene.events.lines.last == "entered \(screen)")
    #expect(scene.root.viewControllers.count == 1)
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `A sheet without a navigation controller is dismissed before a push`() {
    let root = UINavigationController(nibName: nil, bundle: nil)
    let routes = Routes<Screen> {
      Start { To(.home) }
      FromAny {
        To(.settings)
        To(.list)
      }
    }
    let transitions = TransitionController(root: root, routes: routes) {
      $0 == .settings ? .modal(.pageSheet) : .push
    } makeView: {
      ScreenController($0, $1)
    }
    let window = StatyUIKitTests.show(root)
    for screen in [Screen.home, .settings, .list] { transitions.show(screen) }
    UIKitDouble.run()
    #expect(root.presentedViewController == nil)
    #expect((root.topViewController as? ScreenController)?.screen == .list)
    #expect(transitions.current == .list)
    #expect(UIKitDouble.warnings.isEmpty)
    #expect(window.rootViewController === root)
  }

  @Test func `A sheet is dismissed with the views that were pushed inside it`() {
    let root = UINavigationController(nibName: nil, bundle: nil)
    let transitions = TransitionController<Screen>(
      root: root,
      routes: Routes {
        Start { To(.home) }
        From(.home) { To(.settings) }
        From(.settings) { To(.detail) }
        From(.detail) { To(.home) }
      }
    ) {
      $0 == .settings ? .modal(.pageSheet) : .push
    } makeView: { screen, _ in
      screen == .settings
        ? UINavigationController(rootViewController: UIViewController()) : UIViewController()
    }
    let window = StatyUIKitTests.show(root)
    for screen in [Screen.home, .settings, .detail] { transitions.show(screen) }
    UIKitDouble.run()
    let sheet = root.presentedViewController as? UINavigationController
    #expect(sheet?.viewControllers.count == 2)
    sheet?.pullDown()
    UIKitDouble.run()
    #expect(transitions.current == .home)
    transitions.show(.settings)
    UIKitDouble.run()
    #expect(root.presentedViewController !== sheet)
    #expect(window.rootViewController === root)
  }

  @Test func `A push requested while the user goes back is pending until that has ended`() {
    let scene = RootScene(.home, .list, .detail)
    scene.root.tapBack()
    scene.root.transitions.show(.detail, context: "Again")
    UIKitDouble.run()
    #expect(scene.top?.context as? String == "Again")
    #expect(UIKitDouble.warnings.isEmpty)
  }
}
