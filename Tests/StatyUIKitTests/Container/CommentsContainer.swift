import Staty
import StatyUIKit
import UIKit

enum CommentsState {
  case loading
  case list([String])
  case layered([Child])
}

/// The log of the containers and children in a test.
@MainActor final class Log {
  var lines: [String] = []

  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

/// A child that logs its appearance calls.
class Child: UIViewController {
  let name: String
  let log: Log

  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  private func note(_ line: String) {
    var line = line
    if isMovingToParent { line += " joining" }
    if isMovingFromParent { line += " leaving" }
    log.lines.append(line)
  }

  override func viewWillAppear(_ animated: Bool) { note("+\(name)…") }
  override func viewDidAppear(_ animated: Bool) { note("+\(name)") }
  override func viewWillDisappear(_ animated: Bool) { note("-\(name)…") }
  override func viewDidDisappear(_ animated: Bool) { note("-\(name)") }
}

/// A child that animates itself.
final class SlidingChild: Child, StateViewControllerTransitioning {
  func stateTransitionDuration(isAppearing: Bool) -> TimeInterval { isAppearing ? 1 : 0.5 }
  func stateTransitionDelay(isAppearing: Bool) -> TimeInterval { isAppearing ? 0.5 : 0 }

  func stateTransitionWillBegin(isAppearing: Bool) {
    log.lines.append("\(name) begins")
    if isAppearing { view.transform = CGAffineTransform(translationX: 100, y: 0) }
  }

  func animateAlongsideStateTransition(isAppearing: Bool) {
    view.transform =
      isAppearing ? .identity : CGAffineTransform(translationX: -100, y: 0)
  }

  func stateTransitionDidEnd(isAppearing: Bool) { log.lines.append("\(name) ends") }
}

final class CommentsContainer: StateViewController<CommentsState> {
  let log = Log()
  lazy var spinner = Child("spinner", log)
  lazy var list = Child("list", log)
  var appearanceState = CommentsState.loading
  var onDid: (() -> Void)?
  private(set) var loads = 0
  private(set) var shown: [String] = []

  override func loadAppearanceState() -> CommentsState {
    loads += 1
    return appearanceState
  }

  override func children(for state: CommentsState) -> [UIViewController] {
    switch state {
    case .loading: [spinner]
    case .list(let comments):
      {
        shown = comments
        return [list]
      }()
    case .layered(let children): children
    }
  }

  override func willTransition(to state: CommentsState, animated: Bool) {
    log.lines.append("will \(Self.name(state))\(animated ? " animated" : "")")
  }

  override func didTransition(from previous: CommentsState?, animated: Bool) {
    log.lines.append("did from \(previous.map(Self.name) ?? "nothing")")
    onDid?()
  }

  static func name(_ state: CommentsState) -> String {
    switch state {
    case .loading: "loading"
    case .list: "list"
    case .layered: "layered"
    }
  }

  /// The children's views, lowest first.
  var views: [UIView] { childContainerView.subviews }
}

/// A navigation controller that pushes and pops a container, so that it appears and disappears.
@MainActor struct ContainerScene {
  let container = CommentsContainer()
  let navigation: UINavigationController
  let events = EventLines()
  let window: UIWindow

  /// - Parameter isShown: whether the container is on screen from the beginning.
  init(isShown: Bool = true) {
    let below = UIViewController()
    navigation = UINavigationController(rootViewController: below)
    window = show(navigation)
    container.events.add(events)
    if isShown { push(animated: false) }
  }

  func push(animated: Bool) {
    navigation.pushViewController(container, animated: animated)
  }

  func go(_ state: CommentsState, animated: Bool = true) {
    container.setNeedsStateTransition(to: state, animated: animated)
  }

  func take() -> [String] { container.log.take() }
}
