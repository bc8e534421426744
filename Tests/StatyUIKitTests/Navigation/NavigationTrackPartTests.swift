import Staty
import StatyUIKit
import Testing
import UIKit

/// Tracks of one part of what is shown: a stack, a tab, the presentations.
extension NavigationTrackTests {
  private func screens(_ names: StateName...) -> [Screen] { names.map(Screen.init) }

  private func moves(of track: NavigationTrack) -> Moves {
    let moves = Moves()
    track.events.add(moves)
    return moves
  }

  /// The names of messages, such as swipes.
  private final class Messages: TransitionObserver {
    var names: [StateName] = []
    func observe(_ event: borrowing TransitionEvent) {
      if event.kind == .received, let name = event.state { names.append(name) }
    }
  }

  @Test func `Of a navigation controller alone its stack is recorded, with or without its root`() {
    let navigation = UINavigationController(rootViewController: Books())
    let window = show(navigation)
    let pushed = NavigationTrack(pushedOn: navigation, "pushed")
    let whole = NavigationTrack(pushedOn: navigation, "whole", withRoot: true)
    let (pushedMoves, wholeMoves) = (moves(of: pushed), moves(of: whole))
    #expect(pushedMoves.take() == [])
    #expect(wholeMoves.take() == ["+1 Books"])
    navigation.pushViewController(Book(), animated: true)
    UIKitDouble.run()
    navigation.present(UINavigationController(rootViewController: Search()), animated: true)
    UIKitDouble.run()
    #expect(pushedMoves.take() == ["+1 Book"])
    #expect(wholeMoves.take() == ["+2 Book"])
    withExtendedLifetime((pushed, whole, window)) {}
  }

  @Test func `The stack of a tab is recorded also while another tab is selected`() {
    let (books, search) = (UINavigationController(), UINavigationController())
    books.pushViewController(Books(), animated: false)
    let tabs = UITabBarController(nibName: nil, bundle: nil)
    tabs.viewControllers = [books, search]
    let window = show(tabs)
    let track = NavigationTrack(pushedOn: books, "books")
    let moves = moves(of: track)
    books.pushViewController(Book(), animated: false)
    #expect(moves.take() == ["+1 Book"])
    tabs.selectedIndex = 1
    #expect(moves.take() == [])
    books.pushViewController(Named(), animated: true)
    #expect(moves.take() == ["+2 cart"])
    withExtendedLifetime((track, window)) {}
  }

  @Test func `Of presentations each level is recorded by its name, and nothing inside it`() {
    let root = UINavigationController(rootViewController: Books())
    let window = show(root)
    let track = NavigationTrack(presentedOn: root, "presented")
    let moves = moves(of: track)
    root.pushViewController(Book(), animated: false)
    #expect(moves.take() == [])
    let sheet = UINavigationController(rootViewController: Search())
    root.present(sheet, animated: true)
    UIKitDouble.run()
    sheet.pushViewController(Book(), animated: true)
    UIKitDouble.run()
    #expect(moves.take() == ["+1 Search"])
    sheet.present(Named(), animated: true)
    UIKitDouble.run()
    #expect(moves.take() == ["+2 cart"])
    root.dismiss(animated: true)
    UIKitDouble.run()
    #expect(moves.take() == ["-2 cart", "-1 Search"])
    withExtendedLifetime((track, window)) {}
  }

  @Test func `What is presented over a search is recorded, and the search is not`() {
    let list = Books()
    list.definesPresentationContext = true
    let root = UINavigationController(rootViewController: list)
    let window = show(root)
    let track = NavigationTrack(presentedOn: root, "presented")
    let moves = moves(of: track)
    let search = UISearchController(nibName: nil, bundle: nil)
    search.modalPresentationStyle = .overCurrentContext
    list.present(search, animated: true)
    UIKitDouble.run()
    #expect(root.presentedViewController == nil && moves.take() == [])
    search.present(Named(), animated: true)
    UIKitDouble.run()
    #expect(moves.take() == ["+1 cart"])
    withExtendedLifetime((track, window)) {}
  }

  @Test func `A swipe is a message of the stack in which the user swipes, and of no other track`() {
    let root = UINavigationController(rootViewController: Books())
    let window = show(root)
    let sheet = UINavigationController(rootViewController: Search())
    sheet.pushViewController(Book(), animated: false)
    root.present(sheet, animated: false)
    UIKitDouble.run()
    let tracks = [
      NavigationTrack(pushedOn: sheet, "in the sheet"), NavigationTrack(pushedOn: root, "below"),
      NavigationTrack(presentedOn: root, "presented"),
    ]
    let moves = moves(of: tracks[0])
    let messages = tracks.map { track in
      let messages = Messages()
      track.events.add(messages)
      return messages
    }
    #expect(moves.take() == ["+1 Book"])
    for goes in [false, true] {
      sheet.beginSwipeBack()
      #expect(moves.take() == [])
      sheet.endSwipeBack(goes: goes)
      UIKitDouble.run()
      #expect(moves.take() == (goes ? ["-1 Book"] : []))
    }
    #expect(
      messages.map(\.names) == [["swipe", "swipe cancelled", "swipe", "swipe ended"], [], []])
    withExtendedLifetime((tracks, window)) {}
  }

  @Test func `What is presented over an open menu is recorded, and the menu is not`() {
    let root = UINavigationController(rootViewController: Books())
    let window = show(root)
    let tracks = [
      NavigationTrack(presentedOn: root, "presented"), NavigationTrack(root, "all"),
    ]
    let all = tracks.map { moves(of: $0) }
    let menu = _UIContextMenuActionsOnlyViewController()
    root.present(menu, animated: true)
    UIKitDouble.run()
    #expect(all.map { $0.take() } == [[], ["+1 Books"]])
    menu.present(Named(), animated: true)
    UIKitDouble.run()
    #expect(all.map { $0.take() } == [["+1 cart"], ["+2 cart"]])
    withExtendedLifetime((tracks, window)) {}
  }

  @Test(arguments: [false, true])
  func `A pull on a sheet ends when its animation has ended`(goes: Bool) {
    let root = Books()
    let window = show(root)
    let sheet = Search()
    root.present(sheet, animated: false)
    UIKitDouble.run()
    let tracks = [NavigationTrack(presentedOn: root, "presented"), NavigationTrack(root, "all")]
    let messages = tracks.map { track in
      let messages = Messages()
      track.events.add(messages)
      return messages
    }
    let moves = moves(of: tracks[0])
    #expect(moves.take() == ["+1 Search"])
    #expect(sheet.beginPullDown())
    UIKitDouble.advance(by: 0.1)
    sheet.endPullDown(goes: goes)
    UIKitDouble.advance(by: 0.1)
    #expect(messages.map(\.names) == [["swipe"], ["swipe"]])
    UIKitDouble.run()
    let end: StateName = goes ? "swipe ended" : "swipe cancelled"
    #expect(messages.map(\.names) == [["swipe", end], ["swipe", end]])
    #expect(moves.take() == (goes ? ["-1 Search"] : []))
    withExtendedLifetime((tracks, window)) {}
  }

  @Test func `The second stack of a collapsed split view is not pushed on the first`() {
    let primary = UINavigationController(rootViewController: Books())
    let window = show(primary)
    let track = NavigationTrack(pushedOn: primary, "primary")
    let moves = moves(of: track)
    let messages = Messages()
    track.events.add(messages)
    let secondary = UINavigationController(rootViewController: Book())
    primary.setViewControllers(primary.viewControllers + [secondary], animated: false)
    #expect(moves.take() == [])
    primary.beginSwipeBack()
    UIKitDouble.advance(by: 0.1)
    primary.endSwipeBack(goes: true)
    UIKitDouble.run()
    #expect(primary.viewControllers.count == 1)
    #expect(moves.take() == [] && messages.names == [])
    withExtendedLifetime((track, window)) {}
  }

  /// What an app does that shows an alert while a sheet is up.
  enum Alerting: CaseIterable {
    case belowTheSheet, onTopmost, afterDismissal
  }

  @Test(arguments: Alerting.allCases)
  func `An alert that never shows because a sheet is up is named, one that shows is not`(
    app: Alerting
  ) throws {
    let root = UINavigationController(rootViewController: Books())
    let window = show(root)
    let sheets = StackTrack("sheets")
    let shown = NavigationTrack(presentedOn: root, "sheets shown")
    let found = try found(in: ["sheets": (shown, sheets)]) {
      sheets.moved(to: screens("Search"))
      let sheet = Search()
      root.present(sheet, animated: true)
      UIKitDouble.run()
      let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
      switch app {
      case .belowTheSheet:
        sheets.moved(to: screens("UIAlertController"))
        root.present(alert, animated: true)
      case .onTopmost:
        sheets.moved(to: screens("Search", "UIAlertController"))
        sheet.present(alert, animated: true)
      case .afterDismissal:
        sheets.moved(to: screens("UIAlertController"))
        root.dismiss(animated: true) { root.present(alert, animated: true) }
      }
      UIKitDouble.run()
    }
    #expect(found == (app == .belowTheSheet ? ["mirror: sheets path"] : []))
    #expect(UIKitDouble.takeWarnings().count == (app == .belowTheSheet ? 1 : 0))
    withExtendedLifetime(window) {}
  }

  @Test(arguments: [false, true])
  func `The path of each tab is compared with its own stack, and a lost push is named`(
    isLost: Bool
  ) throws {
    let books = UINavigationController(rootViewController: Books())
    let search = UINavigationController(rootViewController: Search())
    let tabs = UITabBarController(nibName: nil, bundle: nil)
    tabs.viewControllers = [books, search]
    let window = show(tabs)
    let (booksPath, searchPath) = (StackTrack("books path"), StackTrack("search path"))
    let shownBooks = NavigationTrack(pushedOn: books, "books")
    let shownSearch = NavigationTrack(pushedOn: search, "search")
    let found = try found(
      in: ["books": (shownBooks, booksPath), "search": (shownSearch, searchPath)]
    ) {
      booksPath.moved(to: screens("Book"))
      books.pushViewController(Book(), animated: true)
      UIKitDouble.run()
      tabs.selectedIndex = 1
      searchPath.moved(to: screens("Book"))
      search.pushViewController(Book(), animated: true)
      UIKitDouble.run()
      searchPath.moved(to: screens("cart"))
      search.popViewController(animated: true)
      if !isLost { UIKitDouble.run() }
      // A guard of the app drops a push during a transition.
      if search.transitionCoordinator == nil { search.pushViewController(Named(), animated: true) }
      UIKitDouble.run()
      // Another tab goes on while this one is not selected.
      booksPath.moved(to: [Screen]())
      books.popToRootViewController(animated: true)
      UIKitDouble.run()
    }
    #expect(found == (isLost ? ["mirror: search"] : []))
    withExtendedLifetime(window) {}
  }
}
