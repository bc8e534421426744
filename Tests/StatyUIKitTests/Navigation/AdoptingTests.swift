import Staty
import StatyUIKit
import Testing
import UIKit

private enum Place: StateKey, CaseIterable {
  case home, list, sheet, inside, badge
}

private final class PlaceController: UIViewController {
  let place: Place

  init(_ place: Place) {
    self.place = place
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }
}

/// A root that already shows views when its transition controller is created.
@MainActor private final class Found {
  let root: UINavigationController
  let transitions: TransitionController<Place>
  let events = EventLines()
  let window: UIWindow

  init(_ places: Place...) {
    root = UINavigationController(nibName: nil, bundle: nil)
    root.viewControllers = places.map { PlaceController($0) }
    let routes = Routes<Place> {
      Start { To(.home) }
      From(.home) { To(.list) }
      From(.list) {
        Previous(.home)
        To(.sheet)
      }
      From(.sheet) { To(.home) }
      From(.inside) { To(.home) }
      From(.badge) { Previous(.list) }
    }
    transitions = TransitionController(root: root, routes: routes) {
      $0 == .sheet ? .modal(.pageSheet) : .push
    } makeView: { place, _ in
      PlaceController(place)
    }
    window = show(root)
    transitions.events.add(events)
  }

  func adopt() {
    transitions.adopt { ($0 as? PlaceController)?.place }
  }
}

@MainActor @Suite struct AdoptingTests {
  @Test func `The view that the root shows is adopted, and previous leads to the one below`() {
    let found = Found(.home, .list)
    found.adopt()
    #expect(found.transitions.current == .list)
    #expect(found.events.take() == ["enqueued list", "entering list", "entered list"])
    found.transitions.show(to: .previous)
    UIKitDouble.run()
    #expect(found.transitions.current == .home)
    #expect(found.root.viewControllers.count == 1)
    #expect(found.events.refusals.isEmpty)
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `The controller follows a user who goes back from an adopted view`() {
    let found = Found(.home, .list)
    found.adopt()
    _ = found.events.take()
    found.root.tapBack()
    UIKitDouble.run()
    #expect(
      found.events.take() == ["exited list", "enqueued home", "entering home", "entered home"])
    // The view below was never requested, so it has no visit that could exit.
    found.transitions.show(.list)
    UIKitDouble.run()
    #expect(found.transitions.current == .list)
    #expect(!found.events.lines.contains { $0.hasPrefix("stray") })
  }

  @Test func `The controller follows a user who pulls down an adopted sheet with a pushed view`() {
    let found = Found(.home)
    let sheet = UINavigationController(rootViewController: PlaceController(.inside))
    found.root.present(sheet, animated: false)
    UIKitDouble.run()
    found.transitions.adopt {
      $0 === sheet ? .sheet : ($0 as? PlaceController)?.place
    }
    #expect(found.transitions.current == .inside)
    sheet.pullDown()
    UIKitDouble.run()
    #expect(found.transitions.current == .home)
    #expect(found.events.lines.last == "entered home")
  }

  @Test func `A child of the top view is adopted, and removed like any other`() {
    let found = Found(.home, .list)
    let (badge, list) = (PlaceController(.badge), found.root.topViewController)
    list?.addChild(badge)
    list?.view.addSubview(badge.view)
    badge.didMove(toParent: list)
    found.adopt()
    #expect(found.transitions.current == .badge)
    found.transitions.show(to: .previous)
    UIKitDouble.run()
    #expect(badge.parent == nil)
    #expect(found.transitions.current == .list)
  }

  @Test func `Unknown views are not adopted, and nothing is adopted twice`() {
    let found = Found()
    found.root.viewControllers = [UIViewController()]
    found.adopt()
    #expect(found.transitions.current == nil)
    #expect(found.events.lines.isEmpty)
    found.transitions.show(.home)
    UIKitDouble.run()
    _ = found.events.take()
    found.adopt()
    #expect(found.events.lines.isEmpty)
    #expect(found.root.viewControllers.count == 2)
  }
}
