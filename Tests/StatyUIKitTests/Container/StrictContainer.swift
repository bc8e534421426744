import Staty
import StatyUIKit
import UIKit

/// The appearance state of a controller, from its appearance calls.
enum Standing {
  case hidden, appearing, shown, disappearing
}

/// Checks the order of a controller's appearance calls.
@MainActor final class StrictOrder {
  private(set) var standing = Standing.hidden
  var onTold: () -> Void = {}
  var onFault: (String) -> Void = { _ in }
  /// Whether an appearance may be cancelled, which a child's may only with its container's.
  var mayTurn: () -> Bool = { false }
  /// Whether the present call cancels an appearance or a disappearance.
  private(set) var isTurning = false

  func tell(_ new: Standing, by body: () -> Void = {}) {
    let turning = Self.turns(standing, new)
    let fits = turning ? mayTurn() : Self.follows(standing, new)
    if !fits { onFault("one that is \(standing) is told \(new)") }
    standing = new
    isTurning = turning
    body()
    isTurning = false
    onTold()
  }

  private static func turns(_ old: Standing, _ new: Standing) -> Bool {
    (old, new) == (.appearing, .disappearing) || (old, new) == (.disappearing, .appearing)
  }

  private static func follows(_ old: Standing, _ new: Standing) -> Bool {
    switch new {
    case .appearing: old == .hidden
    case .shown: old == .appearing
    case .disappearing: old == .shown
    case .hidden: old == .disappearing
    }
  }
}

/// A controller that checks the order of its appearance calls.
@MainActor protocol StrictController: UIViewController {
  var order: StrictOrder { get }
}

class StrictChild: UIViewController, StrictController {
  let order = StrictOrder()

  override func viewWillAppear(_ animated: Bool) { order.tell(.appearing) }
  override func viewDidAppear(_ animated: Bool) { order.tell(.shown) }
  override func viewWillDisappear(_ animated: Bool) { order.tell(.disappearing) }
  override func viewDidDisappear(_ animated: Bool) { order.tell(.hidden) }
}

/// A child with an animation that begins after a delay.
final class LateChild: StrictChild, StateViewControllerTransitioning {
  func stateTransitionDelay(isAppearing: Bool) -> TimeInterval { isAppearing ? 0.3 : 0 }
  func stateTransitionWillBegin(isAppearing: Bool) { view.alpha = isAppearing ? 0 : 1 }
  func animateAlongsideStateTransition(isAppearing: Bool) { view.alpha = isAppearing ? 1 : 0 }
  func stateTransitionDidEnd(isAppearing: Bool) { view.alpha = 1 }
}

/// A container with the numbers of its children as states.
///
/// It can be a child itself.
final class StrictContainer: StateViewController<[Int]>, StrictController {
  let order = StrictOrder()
  let lines = EventLines()
  let all: [any StrictController]
  var choose: () -> [Int] = { [] }
  var now: () -> Void = {}

  init(_ all: [any StrictController]) {
    self.all = all
    super.init(nibName: nil, bundle: nil)
    events.add(lines)
    for child in all { child.order.mayTurn = { [unowned self] in order.isTurning } }
  }

  required init?(coder: NSCoder) { nil }

  override func loadAppearanceState() -> [Int] { choose() }
  override func children(for state: [Int]) -> [UIViewController] { state.map { all[$0] } }
  override func didTransition(from previous: [Int]?, animated: Bool) { now() }
  override func willTransition(to state: [Int], animated: Bool) { now() }

  override func viewWillAppear(_ animated: Bool) {
    order.tell(.appearing) { super.viewWillAppear(animated) }
  }
  override func viewDidAppear(_ animated: Bool) {
    order.tell(.shown) { super.viewDidAppear(animated) }
  }
  override func viewWillDisappear(_ animated: Bool) {
    order.tell(.disappearing) { super.viewWillDisappear(animated) }
  }
  override func viewDidDisappear(_ animated: Bool) {
    order.tell(.hidden) { super.viewDidDisappear(animated) }
  }
}

extension StrictContainer {
  /// What is wrong between transitions: wrong children, or children in a wrong place.
  var fault: String? {
    guard hasDeterminedState, !isTransitioningBetweenStates else { return nil }
    let wanted = currentState.map { all[$0] as UIViewController }
    if Set(children) != Set(wanted) { return "other children than the state's" }
    if childContainerView.subviews != wanted.compactMap(\.view) {
      return "the views are not those of the children, in order"
    }
    for child in wanted where child.view.frame != childContainerView.bounds {
      return "a child is not laid out edge to edge"
    }
    for child in wanted where child.view.alpha != 1 { return "a child is left faint" }
    for child in all where !wanted.contains(child) {
      if child.parent != nil || child.order.standing != .hidden { return "a child did not go" }
    }
    return nil
  }

  /// What is wrong at the end, when all animations have ended and the container is shown.
  var faultInTheEnd: String? {
    if isTransitioningBetweenStates { return "a transition did not end" }
    for child in children {
      if (child as? any StrictController)?.order.standing != .shown {
        return "a child has not appeared"
      }
    }
    let answered = lines.events.count { $0.kind == .entered || $0.kind == .discarded }
    let asked = lines.events.count { $0.kind == .enqueued }
    if answered != asked { return "\(asked) requests have \(answered) answers" }
    let discarded = Set(lines.events.filter { $0.kind == .discarded }.map(\.visit))
    let newest = lines.events.last { $0.kind == .enqueued && !discarded.contains($0.visit) }
    if lines.events.last(where: { $0.kind == .entered })?.visit != newest?.visit {
      return "what was asked for last is not shown"
    }
    return fault
  }
}
