import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import StatyUIKit
import Testing
import UIKit

@MainActor @Suite struct NavigationTrackTests {
  final class Books: UIViewController {}
  final class Book: UIViewController {}
  final class Search: UIViewController {}
  final class Named: UIViewController, @MainActor NamedState {
    let stateName: StateName = "cart"
  }

  // As those of SwiftUI are called.
  final class UIHostingController<Content>: UIViewController {}
  struct ModifiedContent<Content, Modifier> {}
  struct AnyView {}
  struct Profile {}
  struct Padding {}

  /// Logs what is pushed with `+`, and what is popped with `-`, with the number of the visit.
  final class Moves: TransitionObserver {
    private var lines: [String] = []

    func observe(_ event: borrowing TransitionEvent) {
      guard event.kind == .moved, let state = event.state, let visit = event.visit else { return }
      guard case .change(let change) = event.detail else { return }
      lines.append("\(change == .pushed ? "+" : "-")\(visit.rawValue) \(state)")
    }

    @MainActor func take() -> [String] {
      UIKitDouble.drain()
      defer { lines = [] }
      return lines
    }
  }

  private func record(_ root: UIViewController) -> (NavigationTrack, Moves, UIWindow) {
    let window = show(root)
    let track = NavigationTrack(root, "navigation")
    let moves = Moves()
    track.events.add(moves)
    return (track, moves, window)
  }

  @Test func `One line records what is pushed and popped, without a delegate`() {
    let navigation = UINavigationController(rootViewController: Books())
    let (track, moves, window) = record(navigation)
    #expect(moves.take() == ["+1 Books"])
    navigation.pushViewController(Book(), animated: true)
    #expect(moves.take() == ["+2 Book"])
    navigation.pushViewController(Named(), animated: false)
    #expect(moves.take() == ["+3 cart"])
    navigation.popToRootViewController(animated: true)
    #expect(moves.take() == ["-3 cart", "-2 Book"])
    #expect(navigation.delegate == nil)
    withExtendedLifetime((track, window)) {}
  }

  @Test func `A hosting controller has the name of its view`() {
    let navigation = UINavigationController(rootViewController: UIHostingController<Profile>())
    let (track, moves, window) = record(navigation)
    navigation.pushViewController(
      UIHostingController<ModifiedContent<ModifiedContent<Profile, Padding>, Padding>>(),
      animated: false)
    navigation.pushViewController(UIHostingController<AnyView>(), animated: false)
    #expect(moves.take() == ["+1 Profile", "+2 Profile", "+3 UIHostingController"])
    withExtendedLifetime((track, window)) {}
  }

  @Test func `Without a change nothing is recorded`() {
    let navigation = UINavigationController(rootViewController: Books())
    let (track, moves, window) = record(navigation)
    _ = moves.take()
    window.rotate()
    track.update()
    #expect(moves.take() == [])
  }

  @Test func `A swipe back is recorded when it is completed, and not if it is cancelled`() {
    let navigation = UINavigationController(rootViewController: Books())
    navigation.pushViewController(Book(), animated: false)
    let (track, moves, window) = record(navigation)
    #expect(moves.take() == ["+1 Books", "+2 Book"])
    for goes in [false, true] {
      navigation.beginSwipeBack()
      UIKitDouble.advance(by: 0.1)
      #expect(moves.take() == [])
      navigation.endSwipeBack(goes: goes)
      UIKitDouble.run()
      #expect(moves.take() == (goes ? ["-2 Book"] : []))
    }
    withExtendedLifetime((track, window)) {}
  }

  /// What the rules find while something is shown, and at its end: each as `code: track`.
  ///
  /// - Parameter tracks: by their names, each with the path that it should show, if there is one.
  func found(
    in tracks: KeyValuePairs<String, (shown: NavigationTrack, path: StackTrack?)>, _ use: () -> Void
  ) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite")
      .path
    defer {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + end) }
    }
    let recorder = try HistoryRecorder(at: file)
    for (name, (shown, path)) in tracks {
      path?.mirrors(shown, within: .milliseconds(50))
      recorder.attach(to: shown, as: name)
      if let path { recorder.attach(to: path, as: name + " path") }
    }
    use()
    // The double's time is not that of the recorder.
    Thread.sleep(forTimeInterval: 0.1)
    recorder.close()
    let reader = try HistoryReader(path: file)
    let recorded = try reader.controllers(session: 1)
    return try HistoryCheck(reader).session(1).findings.map { finding in
      let track = recorded.first { $0.id == finding.controller }
      return "\(finding.code.rawValue): \(track?.name ?? "")"
    }
  }

  @Test func `A double tap on a cell is named, and two screens that the user asks for are not`()
    throws
  {
    for isDouble in [false, true] {
      let navigation = UINavigationController(rootViewController: Books())
      let window = show(navigation)
      let track = NavigationTrack(navigation, "navigation")
      let found = try found(in: ["navigation": (track, nil)]) {
        track.update()
        navigation.pushViewController(Book(), animated: true)
        UIKitDouble.drain()
        // The time of the recorder is the real one.
        if !isDouble { UIKitDouble.run() }
        Thread.sleep(forTimeInterval: isDouble ? 0.05 : 0.6)
        navigation.pushViewController(Book(), animated: true)
        UIKitDouble.run()
      }
      #expect(found == (isDouble ? ["double-push: navigation"] : []))
      withExtendedLifetime(window) {}
    }
  }

  @Test func `A path that is not what is shown is named: a push that got lost during a pop`() throws
  {
    for isLost in [false, true] {
      let path = StackTrack("path")
      let navigation = UINavigationController(rootViewController: Books())
      let window = show(navigation)
      let track = NavigationTrack(navigation, "navigation")
      let found = try found(in: ["navigation": (track, path)]) {
        let books: [StateName] = ["Books"]
        path.moved(to: books.map(Screen.init))
        track.update()
        path.moved(to: ["Books", "Book"].map(Screen.init))
        navigation.pushViewController(Book(), animated: true)
        UIKitDouble.run()
        // The app pops and pushes in one turn, and a guard of its own drops a push during a transition.
        path.moved(to: ["Books", "Search"].map(Screen.init))
        navigation.popViewController(animated: true)
        UIKitDouble.drain()
        if isLost {
          if navigation.transitionCoordinator == nil {
            navigation.pushViewController(Search(), animated: true)
          }
        } else {
          UIKitDouble.run()
          navigation.pushViewController(Search(), animated: true)
        }
        UIKitDouble.run()
        track.update()
      }
      #expect(found == (isLost ? ["mirror: navigation"] : []))
      withExtendedLifetime(window) {}
    }
  }

  /// An element of a path that is named like the view controller for it.
  struct Screen: Hashable, NamedState {
    let stateName: StateName
    init(_ name: StateName) { stateName = name }
  }

  @Test func `A swipe is recorded with its beginning, also if it is cancelled`() {
    final class Messages: TransitionObserver {
      var lines: [String] = []
      func observe(_ event: borrowing TransitionEvent) {
        if [.received, .moved].contains(event.kind), let state = event.state {
          lines.append("\(event.kind) \(state)")
        }
      }
    }
    let navigation = UINavigationController(rootViewController: Books())
    navigation.pushViewController(Book(), animated: false)
    let window = show(navigation)
    let track = NavigationTrack(navigation, "navigation")
    let messages = Messages()
    track.events.add(messages)
    track.update()
    messages.lines = []
    for goes in [false, true] {
      navigation.beginSwipeBack()
      UIKitDouble.advance(by: 0.1)
      UIKitDouble.drain()
      navigation.endSwipeBack(goes: goes)
      UIKitDouble.run()
      UIKitDouble.drain()
    }
    #expect(
      messages.lines == [
        "received swipe", "received swipe cancelled", "received swipe", "received swipe ended",
        "moved Book",
      ])
    withExtendedLifetime((track, window)) {}
  }

  @Test func `Presented view controllers lie on top, also those above other sheets`() {
    let navigation = UINavigationController(rootViewController: Books())
    let (track, moves, window) = record(navigation)
    let sheet = UINavigationController(rootViewController: Search())
    navigation.present(sheet, animated: true)
    UIKitDouble.run()
    let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
    sheet.present(alert, animated: true)
    UIKitDouble.run()
    #expect(moves.take() == ["+1 Books", "+2 Search", "+3 UIAlertController"])
    navigation.dismiss(animated: true)
    UIKitDouble.run()
    #expect(moves.take() == ["-3 UIAlertController", "-2 Search"])
    navigation.present(Book(), animated: true)
    UIKitDouble.run()
    #expect(navigation.presentedViewController?.pullDown() == true)
    #expect(moves.take() == ["+4 Book"])
    UIKitDouble.run()
    #expect(moves.take() == ["-4 Book"])
    withExtendedLifetime((track, window)) {}
  }

  @Test func `Another tab replaces what lies in the old one, whether code or a user selects it`() {
    let (books, search) = (UINavigationController(rootViewController: Books()), Search())
    let tabs = UITabBarController(nibName: nil, bundle: nil)
    tabs.viewControllers = [books, search]
    let (track, moves, window) = record(tabs)
    books.pushViewController(Book(), animated: false)
    #expect(moves.take() == ["+1 Books", "+2 Book"])
    tabs.selectedIndex = 1
    #expect(moves.take() == ["-2 Book", "-1 Books", "+3 Search"])
    tabs.tapTab(0)
    #expect(moves.take() == ["-3 Search", "+4 Books", "+5 Book"])
    withExtendedLifetime((track, window)) {}
  }

  @Test func `A delegate of the app gets all its calls, whether it is set before or later`() {
    final class Delegate: NSObject, UINavigationControllerDelegate {
      var lines: [String] = []
      func navigationController(
        _ navigationController: UINavigationController, willShow viewController: UIViewController,
        animated: Bool
      ) {
        lines.append("will \(type(of: viewController))")
      }
      func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController,
        animated: Bool
      ) {
        lines.append("did \(type(of: viewController))")
      }
    }
    let (first, later) = (Delegate(), Delegate())
    let navigation = UINavigationController(rootViewController: Books())
    navigation.delegate = first
    let (track, moves, window) = record(navigation)
    navigation.pushViewController(Book(), animated: true)
    UIKitDouble.run()
    navigation.delegate = later
    navigation.popViewController(animated: true)
    UIKitDouble.run()
    #expect(first.lines == ["will Book", "did Book"])
    #expect(later.lines == ["will Books", "did Books"])
    #expect(moves.take() == ["+1 Books", "+2 Book", "-2 Book"])
    #expect(navigation.delegate === later)
    withExtendedLifetime((track, window)) {}
  }

  @Test func `A view controller that is shown again is the same element, a new one is another`() {
    let navigation = UINavigationController(rootViewController: Books())
    let window = show(navigation)
    let track = NavigationTrack(navigation, "navigation")
    final class Instances: TransitionObserver {
      var pushed: [UInt32] = []
      func observe(_ event: borrowing TransitionEvent) {
        if event.kind == .moved, let instance = event.instance { pushed.append(instance.rawValue) }
      }
    }
    let instances = Instances()
    track.events.add(instances)
    let kept = Book()
    for _ in 0..<2 {
      navigation.pushViewController(kept, animated: false)
      track.update()
      navigation.popViewController(animated: false)
      track.update()
    }
    navigation.pushViewController(Book(), animated: false)
    track.update()
    #expect(instances.pushed == [1, 2, 2, 2, 2, 4])
    #expect(window.rootViewController === navigation)
  }

  @Test func `A change can be recorded at once, inside the message that led to it`() {
    let navigation = UINavigationController(rootViewController: Books())
    let (track, moves, window) = record(navigation)
    track.update()
    navigation.pushViewController(Book(), animated: true)
    track.update()
    navigation.popViewController(animated: false)
    #expect(moves.take() == ["+1 Books", "+2 Book", "-2 Book"])
    #expect(window.rootViewController === navigation)
  }

  @Test func `What UIKit does at the end of a turn is recorded in this turn`() {
    let navigation = UINavigationController(rootViewController: Books())
    let (track, moves, window) = record(navigation)
    #expect(moves.take() == ["+1 Books"])
    let activity = CFRunLoopActivity.beforeWaiting.rawValue
    // The order of Core Animation's own observer.
    let commit = CFRunLoopObserverCreateWithHandler(nil, activity, true, 2_000_000) { _, _ in
      if navigation.viewControllers.count == 1 {
        navigation.pushViewController(Book(), animated: false)
      }
    }
    CFRunLoopAddObserver(CFRunLoopGetMain(), commit, .commonModes)
    #expect(moves.take() == ["+2 Book"])
    CFRunLoopObserverInvalidate(commit)
    withExtendedLifetime((track, window)) {}
  }

  @Test func `A window is recorded also after its root was replaced`() {
    var window: UIWindow? = show(UINavigationController(rootViewController: Books()))
    let track = window.map { NavigationTrack(in: $0, "navigation") }
    let moves = Moves()
    track?.events.add(moves)
    #expect(moves.take() == ["+1 Books"])
    window?.rootViewController = Search()
    #expect(moves.take() == ["-1 Books", "+2 Search"])
    weak let released = window
    window = nil
    #expect(released == nil)
    #expect(moves.take() == ["-2 Search"])
  }

  @Test func `The track keeps nothing alive, and ends when it is released`() {
    UIKitDouble.reset()
    var navigation: UINavigationController? = UINavigationController(rootViewController: Books())
    weak let root = navigation
    weak let top = navigation?.topViewController
    var track = navigation.map { NavigationTrack($0, "navigation") }
    let moves = Moves()
    track?.events.add(moves)
    #expect(moves.take() == ["+1 Books"])
    navigation = nil
    #expect(root == nil && top == nil)
    #expect(moves.take() == ["-1 Books"])
    weak let released = track
    track = nil
    #expect(released == nil)
    UIKitDouble.run()
  }
}
