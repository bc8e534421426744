import Foundation
import StatyHistory
import StatyReading
import StatyRules
import StatyRecorder
import StatyUIKit
import Testing
import UIKit

private enum Route: Hashable { case detail(Int) }

/// Its name is that of its route.
private final class Detail: UIViewController, NamedState {
  nonisolated var stateName: StateName { "detail" }
  init(_ id: Int) { super.init(nibName: nil, bundle: nil) }
  required init?(coder: NSCoder) { nil }
}

/// The guide's coordinator.
@MainActor private final class Coordinator: NSObject, UINavigationControllerDelegate {
  let pathTrack = StackTrack("path")
  let pushed: NavigationTrack
  var isFixed = false
  var dropsPushes = false
  private let navigation: UINavigationController
  private var count = 1
  private(set) var path: [Route] = [] { didSet { pathTrack.moved(to: path) } }

  init(_ navigation: UINavigationController) {
    self.navigation = navigation
    pushed = NavigationTrack(pushedOn: navigation, "path shown")
    super.init()
    pathTrack.mirrors(pushed)
    navigation.delegate = self
  }

  func tap(_ id: Int) {
    pathTrack.received("tap") {
      follow()
      if isFixed, path.last == .detail(id) { return }
      path.append(.detail(id))
      if dropsPushes, navigation.transitionCoordinator != nil { return }
      navigation.pushViewController(Detail(id), animated: true)
      count = navigation.viewControllers.count
    }
  }

  /// A link that leads deep into the app sets everything at once.
  func open(_ ids: [Int]) {
    pathTrack.received("open") {
      path = ids.map(Route.detail)
      let details = ids.map { Detail($0) }
      navigation.setViewControllers(navigation.viewControllers.prefix(1) + details, animated: true)
      count = navigation.viewControllers.count
    }
  }

  /// Is called after pops and pushes, also while the next push is under way: only a shorter stack is a pop.
  func navigationController(
    _ navigation: UINavigationController, didShow controller: UIViewController, animated: Bool
  ) {
    if navigation.transitionCoordinator?.isCancelled == true { return }
    follow()
  }

  private func follow() {
    let now = navigation.viewControllers.count
    if now < count { pathTrack.received("back") { path.removeLast(max(0, path.count + 1 - now)) } }
    count = now
  }
}

// None of these waits for anything else: other tests would go on with the double's clock meanwhile.
@MainActor @Suite struct CoordinatorTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
  private let navigation = UINavigationController(rootViewController: UIViewController())

  /// What the rules find in what a user does.
  private func findings(_ user: (Coordinator) -> Void) throws -> [String] {
    defer { try? FileManager.default.removeItem(at: file) }
    let window = show(navigation)
    let recorder = try HistoryRecorder(at: file)
    let coordinator = Coordinator(navigation)
    recorder.attach(to: coordinator.pathTrack, as: "path")
    recorder.attach(to: coordinator.pushed, as: "path shown")
    user(coordinator)
    recorder.close()
    _ = UIKitDouble.takeWarnings()
    withExtendedLifetime(window) {}
    let checked = try HistoryCheck(HistoryReader(path: file.path)).file()
    return checked.flatMap(\.findings).map(\.code.rawValue)
  }

  private func goOn(_ seconds: Double = 0.1) {
    UIKitDouble.advance(by: 0.1)
    Thread.sleep(forTimeInterval: seconds)
  }

  @Test(arguments: [false, true])
  func `a double tap is found until it is fixed`(isFixed: Bool) throws {
    let found = try findings { coordinator in
      coordinator.isFixed = isFixed
      for _ in 0..<2 {
        coordinator.tap(1)
        goOn()
      }
      UIKitDouble.run()
      #expect(coordinator.path.count == navigation.viewControllers.count - 1)
    }
    #expect(Set(found) == (isFixed ? [] : ["double-push"]))
  }

  @Test func `a link that leads deep into the app is no double tap`() throws {
    let found = try findings { coordinator in
      coordinator.open([1, 2, 3])
      UIKitDouble.run()
      goOn(1.2)
    }
    #expect(found == [])
    #expect(navigation.viewControllers.count == 4)
  }

  @Test func `the path follows the back button`() throws {
    let found = try findings { coordinator in
      coordinator.tap(1)
      UIKitDouble.run()
      #expect(coordinator.path == [.detail(1)])
      goOn()
      navigation.tapBack()
      UIKitDouble.run()
      #expect(coordinator.path.isEmpty)
      goOn(1.2)
    }
    #expect(found == [])
  }

  @Test func `the path follows a tap during the way back`() throws {
    let found = try findings { coordinator in
      coordinator.tap(1)
      UIKitDouble.run()
      goOn(0.6)
      navigation.tapBack()
      goOn()
      coordinator.tap(2)
      UIKitDouble.run()
      #expect(coordinator.path == [.detail(2)])
      #expect(navigation.viewControllers.count == 2)
      goOn(1.2)
    }
    #expect(found == [])
  }

  @Test(arguments: [true, false])
  func `the path follows a way back to the root`(isAnimated: Bool) throws {
    let found = try findings { coordinator in
      coordinator.open([1, 2])
      UIKitDouble.run()
      goOn()
      navigation.popToRootViewController(animated: isAnimated)
      UIKitDouble.run()
      #expect(coordinator.path.isEmpty)
      goOn(1.2)
    }
    #expect(found == [])
  }

  @Test func `a push that is dropped during another one is found`() throws {
    let found = try findings { coordinator in
      coordinator.dropsPushes = true
      coordinator.tap(1)
      // Longer than between two taps that are meant as one.
      goOn(0.6)
      coordinator.tap(2)
      UIKitDouble.run()
      goOn(1.2)
    }
    #expect(found == ["mirror"])
  }
}
