import Chance
import Staty
import StatyUIKit
import Testing
import UIKit

/// A failure prints its seed; `STATY_SEED` set to it makes the same sequences again.
@MainActor @Suite struct RandomContainerTests {
  @Test func `In every order of events, appearance calls are balanced and children are right`() {
    for number in 0..<randomRuns(10_000) {
      let seed = testSeed &+ number
      let run = RandomRun(seed: seed)
      run.run(steps: 25)
      if let fault = run.fault {
        Issue.record("STATY_SEED=\(seed): \(fault)\n\(run.history.joined(separator: "\n"))")
        return
      }
    }
  }
}

/// One random sequence of requests, gestures and rotations.
///
/// One child of the container is a container too.
@MainActor private final class RandomRun {
  private let inner = StrictContainer([StrictChild(), LateChild(), StrictChild()])
  private let container: StrictContainer
  private let navigation = UINavigationController(rootViewController: UIViewController())
  private let elsewhere = UIViewController()
  private let window: UIWindow
  private var random: SeededRandom
  private(set) var fault: String?
  private(set) var history: [String] = []

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    container = StrictContainer([
      StrictChild(), StrictChild(), StrictChild(), LateChild(), LateChild(), inner,
    ])
    window = show(navigation)
    // UIKit may cancel the appearance of the container, with those of its children.
    container.order.mayTurn = { true }
    for one in [container, inner] { prepare(one) }
  }

  private func prepare(_ one: StrictContainer) {
    one.choose = { [unowned self] in someState(of: one) }
    one.now = { [unowned self] in askAtTimes() }
    for order in one.all.map(\.order) + [one.order] {
      order.onFault = { [unowned self] in note($0) }
      order.onTold = { [unowned self] in askAtTimes() }
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
    switch random.below(18) {
    case 0, 1: cover(animated: isHeads)
    case 2, 3: uncover(animated: isHeads)
    case 4..<8: ask(container)
    case 8: ask(inner)
    case 9:
      history.append("animations are interrupted")
      UIKitDouble.interruptAnimations()
    case 10:
      history.append("the device turns")
      window.rotate()
    case 11: swipe()
    case 12: coverAll()
    case 13: moveWindow()
    default:
      let time = Double(random.below(5)) / 10
      history.append("\(time) s pass")
      UIKitDouble.advance(by: time)
    }
  }

  private var isHeads: Bool { random.below(2) == 0 }

  /// Ends everything.
  ///
  /// Then the last requested state is shown.
  private func settle() {
    guard fault == nil else { return }
    for one in [container, inner] {
      one.now = {}
      for order in one.all.map(\.order) + [one.order] { order.onTold = {} }
    }
    history.append("all comes to its end")
    navigation.endSwipeBack(goes: false)
    UIKitDouble.run()
    window.rootViewController = navigation
    navigation.dismiss(animated: false)
    UIKitDouble.run()
    if !navigation.viewControllers.contains(container) { cover(animated: false) }
    while navigation.topViewController !== container { uncover(animated: false) }
    UIKitDouble.run()
    check()
    for one in [container, inner] where one.order.standing == .shown {
      if let fault = one.faultInTheEnd { note(fault) }
    }
    if container.order.standing != .shown { note("the container has not appeared") }
  }

  private func check() {
    if let warning = UIKitDouble.warnings.first(where: { !$0.hasPrefix("nested push") }) {
      note(warning)
    }
    for one in [container, inner] {
      if let fault = one.fault { note(fault) }
    }
  }

  private func note(_ fault: String) {
    if self.fault == nil { self.fault = fault }
  }
}

// MARK: Random steps

extension RandomRun {
  /// Pushes the container, or a view over it.
  ///
  /// During another push or pop, UIKit cuts that one short.
  private func cover(animated: Bool) {
    if isSwiping || isBeingCovered { return }
    history.append("push\(animated ? " animated" : "")")
    let isThere = navigation.viewControllers.contains(container)
    navigation.pushViewController(isThere ? UIViewController() : container, animated: animated)
  }

  private func uncover(animated: Bool) {
    if isSwiping || isBeingCovered { return }
    history.append("pop\(animated ? " animated" : "")")
    navigation.popViewController(animated: animated)
  }

  private var isSwiping: Bool { navigation.transitionCoordinator?.isInteractive ?? false }

  /// Whether a presentation or a dismissal is under way.
  private var isBeingCovered: Bool {
    navigation.presentedViewController.map { $0.isBeingPresented || $0.isBeingDismissed } ?? false
  }

  /// Begins a swipe back, completes or cancels one, or does both in one turn.
  private func swipe() {
    if isSwiping {
      let goes = isHeads
      history.append("the swipe \(goes ? "goes through" : "is let go")")
      navigation.endSwipeBack(goes: goes)
    } else if navigation.transitionCoordinator == nil, navigation.presentedViewController == nil {
      let isShort = isHeads
      history.append(isShort ? "a swipe back is let go at once" : "a swipe back begins")
      if isShort { navigation.swipeBackAndLetGo() } else { navigation.beginSwipeBack() }
    }
  }

  /// Presents a view over the whole screen or a part of it, or dismisses it.
  private func coverAll() {
    guard window.rootViewController === navigation, navigation.transitionCoordinator == nil else {
      return
    }
    let animated = isHeads
    if isBeingCovered { return }
    if navigation.presentedViewController != nil {
      history.append("what was presented goes\(animated ? " animated" : "")")
      navigation.dismiss(animated: animated)
    } else {
      let sheet = UIViewController()
      sheet.modalPresentationStyle = random.below(3) == 0 ? .pageSheet : .fullScreen
      history.append("present \(sheet.modalPresentationStyle)\(animated ? " animated" : "")")
      navigation.present(sheet, animated: animated)
    }
  }

  /// Makes the window show another view controller, or this one again.
  private func moveWindow() {
    if navigation.transitionCoordinator != nil || navigation.presentedViewController != nil {
      return
    }
    history.append("the window shows something else, or this again")
    let isHere = window.rootViewController === navigation
    window.rootViewController = isHere ? elsewhere : navigation
  }

  private func ask(_ one: StrictContainer) {
    let state = someState(of: one)
    let animated = random.below(3) > 0
    history.append(
      "ask \(one === inner ? "inside " : "")for \(state)\(animated ? " animated" : "")")
    one.setNeedsStateTransition(to: state, animated: animated)
  }

  private func askAtTimes() {
    if random.below(20) == 0 { ask(random.below(4) == 0 ? inner : container) }
  }

  private func someState(of one: StrictContainer) -> [Int] {
    Array(one.all.indices.shuffled(using: &random).prefix(random.below(4)))
  }
}
