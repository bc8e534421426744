import Foundation
import StatyUIKit
import Testing
import UIKit

/// The pages for those who come from another project: their listings are compiled here, and run.
@MainActor @Suite struct ComingFromTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let pages = folder.appending(
    path: "../../../Sources/StatyUIKit/Documentation.docc")

  /// A text without the indentation of its lines.
  private static func flat(_ text: some StringProtocol) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
  }

  @Test(arguments: [
    ("Staty", "Feed"), ("TransitionController", "Screens"),
    ("RBStatefulTableViewController", "Cities"), ("StateViewController", "Notes"),
  ])
  func `Each listing of ours is compiled as it stands`(_ page: String, _ file: String) throws {
    let text = try String(
      contentsOf: Self.pages.appending(path: "ComingFrom\(page).md"), encoding: .utf8)
    let code = Self.flat(
      try String(contentsOf: Self.folder.appending(path: "\(file).swift"), encoding: .utf8))
    let ours = try #require(text.range(of: "## With StatyUIKit"))
    let listings = text[ours.upperBound...].matches(of: /```swift\n((?s:.*?))```/).map(\.1)
    #expect(listings.count >= 2)
    for listing in listings {
      // Lines that lie apart in the code are one block on the page.
      let parts = Self.flat(listing).contains("{") ? [listing] : listing.split(separator: "\n")
      for part in parts { #expect(code.contains(Self.flat(part)), "\(part)") }
    }
  }

  @Test func `The feed loads and shows an alert`() {
    let feed = Feed.FeedViewController()
    let window = show(feed)
    #expect(feed.viewModel.state?.name == "loading")
    UIKitDouble.run()
    #expect((feed.presentedViewController as? UIAlertController)?.message == "Offline")
    #expect(window.rootViewController === feed)
  }

  @Test func `A screen shows a detail and goes back once`() throws {
    let root = Screens.RootController(nibName: nil, bundle: nil)
    let window = show(root)
    root.transitions.show(.list)
    UIKitDouble.run()
    let list = try #require(root.topViewController as? Screens.ListController)
    list.open(.init())
    UIKitDouble.run()
    let detail = try #require(root.topViewController as? Screens.DetailController)
    #expect(detail.item != nil)
    detail.goBack()
    detail.goBack()
    UIKitDouble.run()
    #expect(root.topViewController === list)
    #expect(root.transitions.current == .list)
    #expect(window.rootViewController === root)
  }

  @Test func `The cities are loaded`() {
    let cities = Cities.CitiesViewController(style: .plain)
    let window = show(cities)
    #expect(cities.tableView.numberOfRows(inSection: 0) == 1)
    UIKitDouble.run()
    #expect(cities.currentKey == .populated)
    #expect(cities.tableView.numberOfRows(inSection: 0) == 2)
    #expect(window.rootViewController === cities)
  }

  @Test func `The notes are loaded`() {
    let notes = Notes.NotesViewController()
    let window = show(notes)
    #expect(notes.children == [notes.spinner])
    UIKitDouble.run()
    #expect(notes.children == [notes.list])
    #expect(notes.list.notes == ["One", "Two"])
    #expect(window.rootViewController === notes)
  }
}
