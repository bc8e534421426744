import Testing
import UIKit

@MainActor @Suite struct ContainmentTests {
  @Test func `A root appears with its window, together with children in its view`() {
    let (root, child) = (Screen("root"), Screen("child"))
    root.addChild(child)
    root.view.addSubview(child.view)
    child.didMove(toParent: root)
    let window = window(root)
    #expect(Screen.takeLog() == ["+root…", "+child…", "+root", "+child"])
    #expect(child.view.window === window)
  }

  @Test
  func `By default, children appear and disappear with their views`() {
    let (root, child) = (Screen("root"), Screen("child"))
    let window = window(root)
    _ = Screen.takeLog()
    root.addChild(child)
    root.view.addSubview(child.view)
    child.didMove(toParent: root)
    child.willMove(toParent: nil)
    child.view.removeFromSuperview()
    child.removeFromParent()
    #expect(
      Screen.takeLog() == [
        "child will join", "+child… joining", "+child joining", "child has joined",
        "child will leave", "-child… leaving", "-child leaving", "child has left",
      ])
    #expect(window.rootViewController === root)
  }

  @Test func `Without automatic forwarding, children get no appearance calls`() {
    let (root, child) = (Screen("root"), Screen("child"))
    root.forwards = false
    let window = window(root)
    root.addChild(child)
    _ = Screen.takeLog()
    root.view.addSubview(child.view)
    root.beginAppearanceTransition(false, animated: false)
    root.endAppearanceTransition()
    #expect(Screen.takeLog() == ["-root…", "-root"])
    #expect(window.rootViewController === root)
  }

  @Test func `An appearance can be cancelled before it ends`() {
    UIKitDouble.reset()
    let screen = Screen("a")
    _ = Screen.takeLog()
    screen.beginAppearanceTransition(true, animated: true)
    screen.beginAppearanceTransition(false, animated: true)
    screen.endAppearanceTransition()
    #expect(Screen.takeLog() == ["+a…", "-a…", "-a"])
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test(arguments: [
    ["begin", "begin"], ["begin", "end", "begin"], ["end"], ["begin", "end", "end"],
    ["vanish"], ["begin", "end", "vanish", "vanish"],
  ])
  func `Unbalanced appearance calls are reported and ignored`(calls: [String]) {
    UIKitDouble.reset()
    let screen = Screen("a")
    for call in calls {
      switch call {
      case "begin": screen.beginAppearanceTransition(true, animated: false)
      case "vanish": screen.beginAppearanceTransition(false, animated: false)
      default: screen.endAppearanceTransition()
      }
    }
    #expect(
      UIKitDouble.warnings == ["Unbalanced calls to begin/end appearance transitions for <Screen>."]
    )
  }

  @Test func `Adding the view of a controller that is not a child is an exception`() {
    let (root, stranger) = (Screen("root"), Screen("stranger"))
    let window = window(root)
    let raised = UIKitDouble.exceptions { root.view.addSubview(stranger.view) }
    #expect(raised.map(\.name) == ["UIViewControllerHierarchyInconsistency"])
    #expect(
      raised.first?.reason
        == "child view controller:<Screen> should have parent view controller:<Screen> but actual "
        + "parent is:(null)")
    #expect(window.rootViewController === root)
  }

  @Test func `A view follows its superview's size and has its window`() {
    let root = Screen("root")
    let window = window(root)
    let inner = UIView(frame: root.view.bounds)
    inner.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    root.view.addSubview(inner)
    window.rotate()
    #expect(inner.frame.size == CGSize(width: 480, height: 320))
    #expect(inner.window === window)
    inner.removeFromSuperview()
    #expect(inner.window == nil)
  }

  @Test func `Views are in the order of their indices`() {
    let root = UIView()
    let (a, b, c) = (UIView(), UIView(), UIView())
    root.addSubview(a)
    root.insertSubview(b, at: 0)
    root.insertSubview(c, aboveSubview: b)
    #expect(root.subviews == [b, c, a])
    root.bringSubviewToFront(b)
    root.insertSubview(a, at: 0)
    #expect(root.subviews == [a, c, b])
  }
}
