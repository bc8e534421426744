import Staty
import StatyUIKit
import Testing
import UIKit

@MainActor @Suite struct RandomContainerTests {
  @Test func `Whatever happens in whatever order, every call is balanced and the children right`() {
    for seed in 0..<10_000 as Range<UInt64> {
      let run = RandomRun(seed: seed)
      run.run(steps: 25)
      if let fault = run.fault {
        Issue.record("seed \(seed): \(fault)\n\(run.history.joined(separator: "\n"))")
        return
      }
    }
  }
}

/// A child that knows in which order it may be told what.
private class StrictChild: UIViewController {
  enum Standing { case hidden, appearing, shown, disappearing }

  private(set) var standing = Standing.hidden
  var onTold: ((String) -> Void)?
  var onFault: ((String) -> Void)?
  /// Whether it may turn round midway: only while its container does.
  var mayTurn: () -> Bool = { false }

  private func change(to new: Standing, from old: Standing, turning: Standing? = nil) {
    let turns = standing == turning && mayTurn()
    if standing != old && !turns { onFault?("a child that is \(standing) is told \(new)") }
    standing = new
    onTold?("\(new)")
  }

  override func viewWillAppear(_ animated: Bool) {
    change(to: .appearing, from: .hidden, turning: .disappearing)
  }
  override func viewDidAppear(_ animated: Bool) { change(to: .shown, from: .appearing) }
  override func viewWillDisappear(_ animated: Bool) {
    change(to: .disappearing, from: .shown, turning: .appearing)
  }
  override func viewDidDisappear(_ animated: Bool) { change(to: .hidden, from: .disappearing) }
}

/// One whose animation waits before it begins.
private final class LateChild: StrictChild, StateViewControllerTransitioning {
  func stateTransitionDelay(isAppearing: Bool) -> TimeInterval { isAppearing ? 0.3 : 0 }
  func stateTransitionWillBegin(isAppearing: Bool) { view.alpha = isAppearing ? 0 : 1 }
  func animateAlongsideStateTransition(isAppearing: Bool) { view.alpha = isAppearing ? 1 : 0 }
  func stateTransitionDidEnd(isAppearing: Bool) { view.alpha = 1 }
}

private final class RandomContainer: StateViewController<[Int]> {
  lazy var all = (0..<6).map { $0 < 4 ? StrictChild() : LateChild() }
  var choose: () -> [Int] = { [] }
  var now: () -> Void = {}

  override func loadAppearanceState() -> [Int] { choose() }
  override func children(for state: [Int]) -> [UIViewController] { state.map { all[$0] } }
  override func didTransition(from previous: [Int]?, animated: Bool) { now() }
  override func willTransition(to state: [Int], animated: Bool) { now() }
}

/// One random sequence of what an app, a user and a device do to a container.
@MainActor private final class RandomRun {
  private let container = RandomContainer()
  private let navigation = UINavigationController(rootViewController: UIViewController())
  private let window: UIWindow
  private let events = EventLines()
  private var random: SplitMix
  private var isTurning = false
  private(set) var fault: String?
  private(set) var history: [String] = []

  init(seed: UInt64) {
    random = SplitMix(state: seed)
    window = show(navigation)
    container.events.add(events)
    container.choose = { [unowned self] in someState() }
    container.now = { [unowned self] in askAtTimes() }
    for child in container.all {
      child.onFault = { [unowned self] in note(fault: $0) }
      child.onTold = { [unowned self] _ in askAtTimes() }
      child.mayTurn = { [unowned self] in isTurning }
    }
  }

  func run(steps: Int) {
    for _ in 0..<steps where fault == nil {
      step()
      check()
    }
    settle()
  }

  private func step() {
    switch random.below(12) {
    case 0, 1: cover(animated: random.below(2) == 0)
    case 2, 3: uncover(animated: random.below(2) == 0)
    case 4..<8: ask()
    case 8:
      history.append("animations are interrupted")
      UIKitDouble.interruptAnimations()
    case 9:
      history.append("the device turns")
      window.rotate()
    case 10 where isResting: swipe()
    default:
      let time = Double(random.below(5)) / 10
      history.append("\(time) s pass")
      UIKitDouble.advance(by: time)
    }
  }

  /// Whether no navigation is under way: UIKit cuts one short if another begins.
  private var isResting: Bool { navigation.transitionCoordinator == nil }

  /// Brings the container on screen, or covers it.
  private func cover(animated: Bool) {
    guard isResting else { return }
    history.append("push\(animated ? " animated" : "")")
    let isThere = navigation.viewControllers.contains(container)
    navigation.pushViewController(isThere ? UIViewController() : container, animated: animated)
  }

  private func uncover(animated: Bool) {
    guard isResting else { return }
    history.append("pop\(animated ? " animated" : "")")
    navigation.popViewController(animated: animated)
  }

  private func swipe() {
    history.append("a swipe back is let go")
    isTurning = true
    navigation.swipeBackAndLetGo()
    isTurning = false
  }

  private func ask() {
    let state = someState()
    let animated = random.below(3) > 0
    history.append("ask for \(state)\(animated ? " animated" : "")")
    container.setNeedsStateTransition(to: state, animated: animated)
  }

  private func askAtTimes() {
    if random.below(20) == 0 { ask() }
  }

  private func someState() -> [Int] {
    Array((0..<6).shuffled(using: &random).prefix(random.below(4)))
  }

  private func note(fault: String) {
    if self.fault == nil { self.fault = fault }
  }

  private func check() {
    if let warning = UIKitDouble.warnings.first { note(fault: warning) }
    guard container.hasDeterminedState, !container.isTransitioningBetweenStates else { return }
    let wanted = container.currentState.map { container.all[$0] }
    if Set(container.children) != Set(wanted) { note(fault: "other children than the state's") }
    let views = wanted.map(\.view)
    if container.childContainerView.subviews != views.compactMap(\.self) {
      note(fault: "the views are not those of the children, in order")
    }
    for child in wanted where child.view.frame != container.childContainerView.bounds {
      note(fault: "a child is not laid out edge to edge")
    }
    for child in wanted where child.view.alpha != 1 { note(fault: "a child is left faint") }
    for child in container.all where !wanted.contains(child) {
      if child.parent != nil || child.standing != .hidden { note(fault: "a child did not go") }
    }
  }

  /// Everything comes to its end: then what was asked for last is shown.
  private func settle() {
    guard fault == nil else { return }
    container.now = {}
    for child in container.all { child.onTold = nil }
    history.append("all comes to its end")
    UIKitDouble.run()
    if !navigation.viewControllers.contains(container) { cover(animated: false) }
    while navigation.topViewController !== container { uncover(animated: false) }
    UIKitDouble.run()
    check()
    if container.isTransitioningBetweenStates { note(fault: "a transition did not end") }
    for child in container.children {
      if (child as? StrictChild)?.standing != .shown { note(fault: "a child has not appeared") }
    }
    checkAnswers()
  }

  private func checkAnswers() {
    let answered = events.events.count { $0.kind == .entered || $0.kind == .discarded }
    let asked = events.events.count { $0.kind == .enqueued }
    if answered != asked { note(fault: "\(asked) requests have \(answered) answers") }
    let discarded = Set(events.events.filter { $0.kind == .discarded }.map(\.visit))
    let newest = events.events.last { $0.kind == .enqueued && !discarded.contains($0.visit) }
    if events.events.last(where: { $0.kind == .entered })?.visit != newest?.visit {
      note(fault: "what was asked for last is not shown")
    }
  }
}
