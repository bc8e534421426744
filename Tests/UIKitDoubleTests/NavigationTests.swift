import Testing
import UIKit

@MainActor @Suite struct NavigationTests {
  private let list = Screen("list")
  private let detail = Screen("detail")
  private let navigation = UINavigationController(nibName: nil, bundle: nil)
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

  private func begin() {
    navigation.viewControllers = [list]
    show(navigation, in: window)
  }

  @Test func `The top view controller appears with the navigation controller`() {
    begin()
    #expect(Screen.takeLog() == ["+list…", "+list"])
    #expect(list.navigationController === navigation)
  }

  @Test func `A push makes the one below disappear, and calls didMove at its end`() {
    begin()
    _ = Screen.takeLog()
    navigation.pushViewController(detail, animated: true)
    #expect(Screen.takeLog() == ["detail will join", "-list…", "+detail… joining"])
    #expect(navigation.transitionCoordinator?.isAnimated == true)
    #expect(navigation.transitionCoordinator?.viewController(forKey: .from) === list)
    #expect(navigation.transitionCoordinator?.viewController(forKey: .to) === detail)
    #expect(navigation.topViewController === detail)
    UIKitDouble.run()
    #expect(Screen.takeLog() == ["-list", "+detail joining", "detail has joined"])
    #expect(navigation.transitionCoordinator == nil)
    #expect(list.view.window == nil)
  }

  @Test func `A pop shows the one below`() {
    begin()
    navigation.pushViewController(detail, animated: false)
    _ = Screen.takeLog()
    #expect(navigation.popViewController(animated: true) === detail)
    UIKitDouble.run()
    #expect(
      Screen.takeLog() == [
        "detail will leave", "-detail… leaving", "+list…", "-detail leaving", "+list",
        "detail has left",
      ])
    #expect(navigation.popViewController(animated: true) == nil)
  }

  @Test func `A move without animation ends before it returns, and has no coordinator`() {
    begin()
    navigation.pushViewController(detail, animated: false)
    #expect(navigation.transitionCoordinator == nil)
    #expect(list.view.window == nil)
    #expect(UIKitDouble.isIdle)
  }

  @Test func `A coordinator reports the end of its transition`() {
    begin()
    var said: [Bool] = []
    navigation.pushViewController(detail, animated: true)
    navigation.transitionCoordinator?.animate(alongsideTransition: nil) {
      said.append($0.isCancelled)
    }
    UIKitDouble.advance(by: 0.3)
    #expect(said == [])
    UIKitDouble.run()
    #expect(said == [false])
  }

  @Test func `A push during a push is reported and ends the first one`() {
    begin()
    let third = Screen("third")
    navigation.pushViewController(detail, animated: true)
    navigation.pushViewController(third, animated: true)
    #expect(
      UIKitDouble.warnings == [
        "nested push animation can result in corrupted navigation bar: <UINavigationController>"
      ])
    UIKitDouble.run()
    #expect(navigation.viewControllers == [list, detail, third])
    #expect(UIKitDouble.warnings.count == 1)
  }

  @Test func `Pushing a controller of the stack and popping to another are exceptions`() {
    begin()
    let raised = UIKitDouble.exceptions {
      navigation.pushViewController(list, animated: false)
      navigation.popToViewController(detail, animated: false)
    }
    #expect(
      raised.map(\.name) == ["NSInvalidArgumentException", "NSInternalInconsistencyException"])
    #expect(navigation.viewControllers == [list])
  }

  @Test func `Popping to a controller removes all above it`() {
    begin()
    let third = Screen("third")
    navigation.viewControllers = [list, detail, third]
    #expect(navigation.popToViewController(list, animated: true) == [detail, third])
    UIKitDouble.run()
    #expect(detail.parent == nil)
    #expect(third.parent == nil)
    #expect(list.view.window === window)
  }

  @Test(arguments: [true, false])
  func `In a swipe back the view is off the stack, and a cancelled swipe puts it back`(
    goes: Bool
  ) {
    begin()
    navigation.pushViewController(detail, animated: false)
    navigation.beginSwipeBack()
    UIKitDouble.run()
    #expect(navigation.viewControllers == [list])
    #expect(navigation.transitionCoordinator?.isInteractive == true)
    var cancelled: Bool?
    navigation.transitionCoordinator?.animate(alongsideTransition: nil) {
      cancelled = $0.isCancelled
    }
    navigation.endSwipeBack(goes: goes)
    #expect(navigation.viewControllers == [list])
    UIKitDouble.run()
    #expect(navigation.viewControllers == (goes ? [list] : [list, detail]))
    #expect(cancelled == !goes)
    #expect(navigation.transitionCoordinator == nil)
    #expect(list.view.window == (goes ? window : nil))
    #expect(detail.view.window == (goes ? nil : window))
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `A cancelled swipe changes nothing in the end`() {
    begin()
    navigation.pushViewController(detail, animated: false)
    _ = Screen.takeLog()
    navigation.swipeBackAndLetGo()
    #expect(
      Screen.takeLog() == [
        "-detail…", "+list…", "+detail…", "-list…", "+detail", "-list",
      ])
    #expect(navigation.topViewController === detail)
    #expect(UIKitDouble.warnings.isEmpty)
  }
}
