import Chance
import Staty
import StatyUIKit
import Testing
import UIKit

/// A failure prints its seed; `STATY_SEED` set to it makes the same sequences again.
@MainActor @Suite struct RandomTransitionTests {
  @Test func `In every order of requests and gestures, the last request is shown at the end`() {
    for number in 0..<randomRuns(3_000) {
      let seed = testSeed &+ number
      let run = RandomMoves(seed: seed)
      run.run(steps: 20)
      if let fault = run.fault {
        Issue.record("STATY_SEED=\(seed): \(fault)\n\(run.history.joined(separator: "\n"))")
        return
      }
    }
  }
}

private enum Place: StateKey, CaseIterable {
  case home, list, detail, settings, help
}

private final class PlaceController: UIViewController {
  let place: Place

  init(_ place: Place) {
    self.place = place
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }
}

/// One random sequence of an app's requests and a user's gestures.
@MainActor private final class RandomMoves {
  private let root = UINavigationController(nibName: nil, bundle: nil)
  private let transitions: TransitionController<Place>
  private let events = EventLines()
  private let window: UIWindow
  private var random: SeededRandom
  /// Whether other code has dismissed a view since the last request.
  ///
  /// The next request notices that.
  private var isUnnoticed = false
  private(set) var fault: String?
  private(set) var history: [String] = []

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    let routes = Routes<Place> {
      FromAny { for place in Place.allCases { To(place) } }
    }
    transitions = TransitionController(root: root, routes: routes) { place in
      switch place {
      case .home, .list, .detail: .push
      case .settings: .modal(.pageSheet)
      case .help: .modal(.fullScreen)
      }
    } makeView: { place, _ in
      PlaceController(place)
    }
    window = show(root)
    transitions.events.add(events)
  }

  func run(steps: Int) {
    ask(for: .home)
    for _ in 0..<steps { step() }
    history.append("all comes to its end")
    root.endSwipeBack(goes: false)
    UIKitDouble.run()
    if !isUnnoticed { check(transitions.current) }
    // After any sequence, the next request is shown.
    let last = Place.allCases[random.below(5)]
    ask(for: last)
    UIKitDouble.run()
    check(last)
  }

  private func step() {
    switch random.below(10) {
    case 0, 1, 2: ask(for: Place.allCases[random.below(5)])
    case 3 where root.presentedViewController == nil:
      history.append("back is tapped")
      root.tapBack()
    case 7: swipe()
    case 4:
      if top.pullDown() { history.append("a sheet is pulled down") }
    case 5:
      if top.pullDownAndLetGo() { history.append("a sheet is let go of") }
    case 6
    where root.presentedViewController != nil && !top.isBeingDismissed && !top.isBeingPresented:
      history.append("somebody else dismisses")
      isUnnoticed = true
      root.dismiss(animated: random.below(2) == 0)
    default:
      let time = Double(random.below(6)) / 10
      history.append("\(time) s pass")
      UIKitDouble.advance(by: time)
    }
  }

  private func ask(for place: Place) {
    history.append("ask for \(place)")
    isUnnoticed = false
    transitions.show(place)
  }

  /// Begins a swipe back, or completes or cancels one.
  private func swipe() {
    if root.transitionCoordinator?.isInteractive == true {
      let goes = random.below(2) == 0
      history.append("the swipe \(goes ? "goes through" : "is let go")")
      root.endSwipeBack(goes: goes)
    } else if root.presentedViewController == nil {
      history.append("a swipe back begins")
      root.beginSwipeBack()
    }
  }

  /// The view controller that was presented last.
  private var top: UIViewController {
    var top: UIViewController = root
    while let presented = top.presentedViewController { top = presented }
    return top
  }

  private func check(_ wanted: Place?) {
    if let warning = UIKitDouble.warnings.first { note(warning) }
    if transitions.isMoving { note("a move did not end") }
    let answered = events.events.count { $0.kind == .entered || $0.kind == .discarded }
    let asked = events.events.count { $0.kind == .enqueued }
    if answered != asked { note("\(asked) requests have \(answered) answers") }
    if transitions.current != wanted { note("the controller is at another view") }
    let shown = (top as? UINavigationController)?.topViewController ?? top
    let place = (shown as? PlaceController)?.place
    if place != wanted { note("\(place.map { "\($0)" } ?? "nothing") is shown") }
  }

  private func note(_ fault: String) {
    if self.fault == nil { self.fault = fault }
  }
}
