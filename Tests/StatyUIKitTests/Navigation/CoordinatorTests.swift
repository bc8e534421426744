import Foundation
import StatyHistory
import StatyReading
import StatyRules
import StatyRecorder
import StatyUIKit
import Testing
import UIKit

private enum Route: Hashable { case detail(Int) }

private final class List: UIViewController {}

private final class Detail: UIViewController, NamedState {
  nonisolated var stateName: StateName { "detail" }
  init(_ id: Int) { super.init(nibName: nil, bundle: nil) }
  required init?(coder: NSCoder) { nil }
}

/// The guide's coordinator.
@MainActor private final class Coordinator: NSObject, UINavigationControllerDelegate {
  let pathTrack = StackTrack("path")
  let pushed: NavigationTrack
  private let navigation: UINavigationController
  private(set) var path: [Route] = [] { didSet { pathTrack.moved(to: path) } }

  init(_ navigation: UINavigationController) {
    self.navigation = navigation
    pushed = NavigationTrack(pushedOn: navigation, "path shown")
    super.init()
    pathTrack.mirrors(pushed)
    navigation.delegate = self
  }

  func tap(_ id: Int) {
    path.append(.detail(id))
    navigation.pushViewController(Detail(id), animated: true)
  }

  // The back button and the swipe tell the app nothing else.
  func navigationController(
    _ navigation: UINavigationController, didShow controller: UIViewController, animated: Bool
  ) {
    let gone = path.count + 1 - navigation.viewControllers.count
    if gone > 0 { path.removeLast(gone) }
  }
}

@MainActor @Suite struct CoordinatorTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
  private let navigation = UINavigationController(rootViewController: List())

  /// What the rules find in what was recorded.
  private func findings() throws -> [String] {
    defer { try? FileManager.default.removeItem(at: file) }
    let checked = try HistoryCheck(HistoryReader(path: file.path)).file()
    return checked.flatMap(\.findings).map(\.code.rawValue)
  }

  private func goOn(_ milliseconds: Int = 100) async throws {
    UIKitDouble.advance(by: 0.1)
    try await Task.sleep(for: .milliseconds(milliseconds))
  }

  @Test func `a double tap is found`() async throws {
    let recorder = try HistoryRecorder(at: file)
    let coordinator = Coordinator(navigation)
    recorder.attach(to: coordinator.pathTrack, as: "path")
    recorder.attach(to: coordinator.pushed, as: "path shown")
    for _ in 0..<2 {
      coordinator.tap(1)
      try await goOn()
    }
    await recorder.close()
    #expect(try findings().contains("double-push"))
  }

  @Test func `the path follows the back button`() async throws {
    let recorder = try HistoryRecorder(at: file)
    let coordinator = Coordinator(navigation)
    recorder.attach(to: coordinator.pathTrack, as: "path")
    recorder.attach(to: coordinator.pushed, as: "path shown")
    coordinator.tap(1)
    UIKitDouble.run()
    #expect(coordinator.path == [.detail(1)])
    try await goOn()
    navigation.tapBack()
    UIKitDouble.run()
    #expect(coordinator.path.isEmpty)
    try await goOn(1_200)
    await recorder.close()
    #expect(try findings() == [])
  }
}
