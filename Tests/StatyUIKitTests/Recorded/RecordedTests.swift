import Staty
import StatyRecorder
import StatyReplay
import StatyRules
import StatyUIKit
import Testing
import UIKit

/// Recordings of view controllers have no unexpected findings and are reproduced.
@MainActor @Suite struct RecordedTests {
  private func expectReproduced(
    _ recording: Recording, _ findings: [RuleCode] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try recording.findings() == findings, sourceLocation: sourceLocation)
    let result = try recording.replay()
    #expect(result.verdict == .reproduced, "\(result)", sourceLocation: sourceLocation)
    #expect(result.unreached.isEmpty, sourceLocation: sourceLocation)
    #expect(result.matched > 0, sourceLocation: sourceLocation)
  }

  @Test func `A container with interrupted, replaced and discarded transitions`() throws {
    let (recording, scene) = (try Recording(), ContainerScene(isShown: false))
    recording.recorder.attach(to: scene.container, as: "comments")
    scene.push(animated: true)
    UIKitDouble.run()
    scene.go(.list([]))
    UIKitDouble.interruptAnimations()
    for state in [CommentsState.loading, .list([]), .layered([])] { scene.go(state) }
    scene.navigation.tapBack()
    UIKitDouble.run()
    #expect(try recording.shown() == ["loading", "list", "loading"])
    try expectReproduced(recording)
  }

  @Test func `A table with a nested request, an unknown key and a late request`()
    throws
  {
    let (recording, table) = (try Recording(), DemoTable(style: .plain))
    recording.recorder.attach(to: table, as: "table")
    let window = show(table)
    table.refreshControl?.pull()
    table.transition(to: .unheardOf)
    table.transition(to: .empty)
    UIKitDouble.run()
    // The finding is a refused request of a state that had exited.
    try expectReproduced(recording, [.staleRequest])
    #expect(window.rootViewController === table)
  }

  @Test func `An indicator and alerts, one closed by the user and one by code`() throws {
    let (recording, checkout) = (try Recording(), CheckoutViewController())
    let controller = checkout.viewModel.stateController
    recording.recorder.attach(to: controller, as: "checkout")
    let window = show(checkout)
    controller.transition(to: LoadingState())
    controller.transition(to: AlertState("Sold out"))
    UIKitDouble.run()
    checkout.alert?.press("OK")
    controller.transition(to: AlertState("Try later", yields: true))
    UIKitDouble.run()
    controller.transition(to: LoadingState())
    UIKitDouble.run()
    #expect(try recording.shown() == ["loading", "alert", "alert", "loading"])
    try expectReproduced(recording)
    #expect(window.rootViewController === checkout)
  }
}

/// What the user alone can close takes as long as the user takes.
@MainActor @Suite struct AwaitedUserTests {
  @Test(arguments: [false, true])
  func `An alert that is told to exit is not late`(yields: Bool) throws {
    let (recording, checkout) = (try Recording(), CheckoutViewController())
    let controller = checkout.viewModel.stateController
    recording.recorder.attach(to: controller, as: "checkout")
    let window = show(checkout)
    let alert = AlertState<CheckoutViewController>("Sold out", yields: yields)
    #expect(alert.awaitsUser == !yields)
    controller.transition(to: alert)
    UIKitDouble.run()
    controller.transition(to: LoadingState())
    // Nothing else may use the double's clock meanwhile.
    Thread.sleep(forTimeInterval: 1.2)
    if !yields { checkout.alert?.press("OK") }
    UIKitDouble.run()
    #expect(try recording.findings() == (yields ? [.slowExit] : []))
    #expect(try recording.replay().verdict == .reproduced)
    #expect(window.rootViewController === checkout)
  }
}

private enum Checkout: StateKey, CaseIterable { case loading, alert }

extension AwaitedUserTests {
  @Test(arguments: [false, true])
  func `An alert that is made when it enters is not late`(isLate: Bool) throws {
    let (recording, checkout) = (try Recording(), CheckoutViewController())
    let controller = RoutedController<Checkout, CheckoutViewController>(
      routes: Routes { FromAny { for state in Checkout.allCases { To(state) } } }
    ) { key, _ -> any ScreenState<CheckoutViewController> in
      switch key {
      case .loading: LoadingState<CheckoutViewController>()
      case .alert: AlertState<CheckoutViewController>("Sold out")
      }
    }
    controller.states.bind(to: checkout)
    let window = show(checkout)
    if !isLate { recording.recorder.attach(to: controller, as: "checkout") }
    controller.show(.alert)
    UIKitDouble.run()
    controller.show(.loading)
    if isLate { recording.recorder.attach(to: controller, as: "checkout") }
    Thread.sleep(forTimeInterval: 1.2)
    checkout.alert?.press("OK")
    UIKitDouble.run()
    #expect(try recording.findings() == [])
    #expect(try recording.replay().verdict == .reproduced)
    #expect(window.rootViewController === checkout)
  }

  @Test func `A container that is off screen exits when the user comes back`() throws {
    let (recording, scene) = (try Recording(), ContainerScene())
    recording.recorder.attach(to: scene.container, as: "comments")
    scene.go(.loading)
    UIKitDouble.run()
    scene.navigation.pushViewController(UIViewController(), animated: false)
    UIKitDouble.run()
    scene.go(.list([]))
    Thread.sleep(forTimeInterval: 1.2)
    scene.navigation.tapBack()
    UIKitDouble.run()
    #expect(try recording.shown().last == "list")
    #expect(try recording.findings() == [])
    #expect(try recording.replay().verdict == .reproduced)
  }
}

private enum Place: StateKey, CaseIterable {
  case home, list, sheet
}

/// The moves of an app with routes that lead only forwards.
@MainActor private final class Moves {
  let root = UINavigationController(nibName: nil, bundle: nil)
  let recording: Recording
  let window: UIWindow
  let transitions: TransitionController<Place>

  init() throws {
    recording = try Recording()
    let routes = Routes<Place> {
      Start {
        To(.home)
        To(.sheet)
      }
      From(.home) { To(.list) }
      From(.list) { To(.sheet) }
    }
    transitions = TransitionController(root: root, routes: routes) {
      $0 == .sheet ? .modal(.pageSheet) : .push
    } makeView: { _, _ in
      UIViewController()
    }
    recording.recorder.attach(to: transitions, as: "app")
    window = show(root)
  }

  func go(_ places: Place...) {
    for place in places { transitions.show(place) }
    UIKitDouble.run()
  }
}

/// A user's own moves are recorded with those of the app.
@MainActor @Suite struct RecordedMoveTests {
  private func expectReproduced(
    _ moves: Moves, _ findings: [RuleCode], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try moves.recording.findings() == findings, sourceLocation: sourceLocation)
    let result = try moves.recording.replay()
    #expect(result.verdict == .reproduced, "\(result)", sourceLocation: sourceLocation)
    #expect(result.unreached.isEmpty, sourceLocation: sourceLocation)
  }

  @Test func `A user's move without a route is replayed and reported`()
    throws
  {
    let moves = try Moves()
    moves.go(.home, .list)
    moves.root.tapBack()
    UIKitDouble.run()
    moves.go(.list, .sheet)
    moves.root.presentedViewController?.pullDown()
    UIKitDouble.run()
    #expect(
      try moves.recording.shown() == ["home", "list", "home", "list", "sheet", "list"])
    try expectReproduced(moves, [.undeclaredTransition, .undeclaredTransition])
  }

  @Test func `After a user has left the only view, a route from the beginning is declared`()
    throws
  {
    let moves = try Moves()
    moves.go(.sheet)
    moves.root.presentedViewController?.pullDown()
    UIKitDouble.run()
    moves.go(.home)
    #expect(try moves.recording.shown() == ["sheet", "home"])
    try expectReproduced(moves, [])
  }

  @Test func `After a user has left the only view, other requests are refused`() throws {
    let moves = try Moves()
    moves.transitions.onImpossible = { _, _ in }
    moves.go(.sheet)
    moves.root.presentedViewController?.pullDown()
    UIKitDouble.run()
    moves.go(.list)
    #expect(moves.transitions.current == nil)
    try expectReproduced(moves, [])
  }

  @Test func `A cancelled swipe leaves no events`() throws {
    let moves = try Moves()
    moves.go(.home, .list)
    moves.root.beginSwipeBack()
    moves.transitions.show(.sheet)
    moves.root.endSwipeBack(goes: false)
    UIKitDouble.run()
    #expect(try moves.recording.shown() == ["home", "list", "sheet"])
    try expectReproduced(moves, [])
  }

  @Test func `What was there before is adopted, whatever the routes say`() throws {
    let recording = try Recording()
    let root = UINavigationController(rootViewController: UIViewController())
    let routes = Routes<Place> {
      Start { To(.home) }
      From(.home) { To(.list) }
      From(.list) { To(.sheet) }
    }
    let transitions = TransitionController<Place>(
      root: root, routes: routes, presentation: { $0 == .sheet ? .modal(.pageSheet) : .push }
    ) { _, _ in UIViewController() }
    recording.recorder.attach(to: transitions, as: "app")
    let window = show(root)
    transitions.adopt { _ in .list }
    transitions.show(.sheet)
    UIKitDouble.run()
    #expect(window.rootViewController === root)
    #expect(try recording.shown() == ["list", "sheet"])
    #expect(try recording.findings() == [])
  }

  @Test func `Moves that a deadline skipped and adopted views are recorded and replayed`() throws {
    let (recording, clock) = (try Recording(), ManualClock())
    let root = UINavigationController(rootViewController: UIViewController())
    let routes = Routes<Place> { FromAny { for place in Place.allCases { To(place) } } }
    let transitions = TransitionController<Place>(
      root: root, routes: routes, presentation: { $0 == .sheet ? .modal(.pageSheet) : .push },
      deadlines: Deadlines(entering: .seconds(1), recovery: .skip), timer: clock
    ) { _, _ in
      UIViewController()
    }
    recording.recorder.attach(to: transitions, as: "app")
    let window = show(root)
    transitions.adopt { _ in .home }
    window.rootViewController = nil
    transitions.show(.sheet)
    clock.run()
    window.rootViewController = root
    transitions.show(.list)
    UIKitDouble.run()
    #expect(try recording.shown() == ["home", "list"])
    #expect(try recording.findings() == [])
    let result = try recording.replay()
    #expect(result.verdict == .reproduced, "\(result)")
  }
}
