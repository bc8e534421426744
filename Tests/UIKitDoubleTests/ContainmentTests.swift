import Testing
import UIKit

@MainActor @Suite struct ContainmentTests {
  @Test func `A root appears with its window, and children whose views it has with it`() {
    let (root, child) = (Screen("root"), Screen("child"))
    root.addChild(child)
    root.view.addSubview(child.view)
    child.didMove(toParent: root)
    let window = window(root)
    #expect(Screen.takeLog() == ["+root…", "+child…", "+root", "+child"])
    #expect(child.view.window === window)
  }

  @Test
  func `A container that forwards by itself has its children told as their views come and go`() {
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

  @Test func `A container that forwards by hand has nothing forwarded`() {
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

  @Test func `Appearing may be turned round before it is ended`() {
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
  func `Calls that are not balanced are reported and passed over`(calls: [String]) {
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

  @Test func `A controller's view in another's, without being its child, is an exception`() {
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

  @Test func `A view follows its superview's size, and knows its window through it`() {
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

  @Test func `The order of views is that of their places`() {
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
