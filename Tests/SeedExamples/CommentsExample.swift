import Staty
import StatyRecorder
import StatyUIKit
import UIKit

/// The fourth article's example: loading and a list of comments, with a button that loads again.
///
/// On appearing it continues the last session: if that has shown the list, the list is shown at
/// once.
enum CommentsExample {
  enum State {
    case loading
    case ready([String])
  }

  final class Comments: StateViewController<State> {
    private let spinner = UIViewController()
    private let list = UITableViewController(style: .plain)
    private let wasReady: Bool
    private(set) var comments: [String] = []

    init(last: LastState?) {
      wasReady = last.map { $0.wasShown && $0.state == "ready" } ?? false
      super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func loadAppearanceState() -> State {
      wasReady ? .ready(["As it was"]) : .loading
    }

    override func children(for state: State) -> [UIViewController] {
      switch state {
      case .loading: return [spinner]
      case .ready: return [list]
      }
    }

    override func willTransition(to state: State, animated: Bool) {
      guard case .ready(let comments) = state else {
        return navigationItem.setRightBarButton(nil, animated: animated)
      }
      self.comments = comments
      let reload = UIAction { [unowned self] _ in
        setNeedsStateTransition(to: .loading, animated: true)
      }
      navigationItem.setRightBarButton(
        UIBarButtonItem(title: "Reload", primaryAction: reload), animated: animated)
    }

    override func didTransition(from previous: State?, animated: Bool) {
      guard case .loading = currentState else { return }
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { [weak self] in
        self?.setNeedsStateTransition(to: .ready(["Well done", "Indeed"]), animated: true)
      }
    }
  }

  @MainActor static func run(_ recorder: HistoryRecorder) {
    let last = recorder.lastState(of: "comments")
    let comments = Comments(last: last)
    recorder.attach(to: comments, as: "comments")
    let window = Stage.show(UINavigationController(rootViewController: comments))
    if last != nil { Stage.expect(comments.comments == ["As it was"], "the list is there at once") }
    UIKitDouble.run()
    comments.navigationItem.rightBarButtonItem?.tap()
    UIKitDouble.advance(by: 0.1)
    UIKitDouble.interruptAnimations()
    UIKitDouble.run()
    Stage.expect(comments.comments == ["Well done", "Indeed"], "the list is loaded again")
    Stage.end(window)
  }
}
