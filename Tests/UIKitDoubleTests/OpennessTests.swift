import Testing
import UIKit

/// What Apple declares as open or settable is so here.
@MainActor @Suite struct OpennessTests {
  @Test func `The children of a container can be overridden`() {
    final class Chosen: UIViewController {
      let child = UIViewController()
      override var children: [UIViewController] { [child] }
    }
    let chosen = Chosen()
    #expect(chosen.children == [chosen.child])
  }

  @Test func `Buttons of a bar can be set, changed and subclassed`() {
    final class Badge: UIBarButtonItem {
      var count = 0 { didSet { title = "\(count)" } }
    }
    let controller = UIViewController()
    let badge = Badge()
    controller.navigationItem.rightBarButtonItem = badge
    badge.count = 3
    #expect(controller.navigationItem.rightBarButtonItem?.title == "3")
    var taps = 0
    badge.primaryAction = UIAction { _ in taps += 1 }
    badge.tap()
    badge.isEnabled = false
    badge.tap()
    #expect(taps == 1)
    controller.navigationItem.leftBarButtonItem = UIBarButtonItem(title: "Close")
    #expect(controller.navigationItem.leftBarButtonItem?.title == "Close")
  }

  @Test func `A paused animation can be moved, and goes on from there`() {
    UIKitDouble.reset()
    let view = UIView()
    let animator = UIViewPropertyAnimator(duration: 1, dampingRatio: 1) { view.alpha = 0 }
    var ends: [UIViewAnimatingPosition] = []
    animator.addCompletion { ends.append($0) }
    animator.fractionComplete = 0.75
    #expect(animator.state == .active && !animator.isRunning)
    UIKitDouble.advance(by: 5)
    #expect(animator.fractionComplete == 0.75)
    animator.startAnimation()
    UIKitDouble.advance(by: 0.2)
    #expect(ends == [])
    UIKitDouble.advance(by: 0.1)
    #expect(ends == [.end])
  }

  @Test func `A subclass of an alert can have an initializer of its own`() {
    final class Question: UIAlertController {
      let topic: String

      init(about topic: String) {
        self.topic = topic
        super.init(nibName: nil, bundle: nil)
        message = topic
      }

      required init?(coder: NSCoder) { nil }
    }
    let question = Question(about: "Tea")
    #expect(question.message == "Tea" && question.preferredStyle == .actionSheet)
    let alert = UIAlertController(title: "Tea", message: nil, preferredStyle: .alert)
    #expect(alert.title == "Tea" && alert.preferredStyle == .alert)
  }

  @Test func `A table view controller is the data source and delegate of its table`() {
    final class Rows: UITableViewController {
      private(set) var tapped: [Int] = []
      override func tableView(
        _ tableView: UITableView, numberOfRowsInSection section: Int
      ) -> Int { 2 }
      override func tableView(
        _ tableView: UITableView, didSelectRowAt indexPath: IndexPath
      ) { tapped.append(indexPath.row) }
    }
    let rows = Rows(style: .plain)
    #expect(rows.tableView.dataSource === rows && rows.tableView.delegate === rows)
    #expect(rows.tableView.numberOfRows(inSection: 0) == 2)
    rows.tableView.tap(IndexPath(row: 1, section: 0))
    #expect(rows.tapped == [1])
    #expect(UITableViewController(style: .plain).tableView.numberOfRows(inSection: 0) == 0)
  }

  @Test func `A tab bar controller shows the selected one and tells its delegate of taps`() {
    final class Delegate: NSObject, UITabBarControllerDelegate {
      var refuses = false
      private(set) var lines: [String] = []
      func tabBarController(
        _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
      ) -> Bool { !refuses }
      func tabBarController(
        _ tabBarController: UITabBarController, didSelect viewController: UIViewController
      ) { lines.append(viewController.title ?? "") }
    }
    let (first, second, delegate) = (UIViewController(), UIViewController(), Delegate())
    (first.title, second.title) = ("first", "second")
    let tabs = UITabBarController(nibName: nil, bundle: nil)
    tabs.delegate = delegate
    tabs.viewControllers = [first, second]
    UIKitDouble.reset()
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
    window.rootViewController = tabs
    window.makeKeyAndVisible()
    #expect(tabs.selectedIndex == 0 && first.view.window === window)
    tabs.tapTab(1)
    #expect(tabs.selectedViewController === second && first.view.window == nil)
    delegate.refuses = true
    tabs.tapTab(0)
    #expect(tabs.selectedIndex == 1)
    tabs.selectedIndex = 0
    #expect(delegate.lines == ["second"])
    #expect(first.tabBarController === tabs)
    tabs.setViewControllers([second], animated: false)
    #expect(tabs.selectedViewController === second && first.parent == nil)
    #expect(UIKitDouble.warnings.isEmpty)
  }
}
