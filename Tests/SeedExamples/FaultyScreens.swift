import Staty
import StatyRecorder
import StatySpecimens
import UIKit

// MARK: The second article's controller

extension FaultyExamples {
  /// Two sheets, the second requested while the first is being presented.
  ///
  /// UIKit ignores it.
  static func droppedPresentation(_ recorder: HistoryRecorder) {
    let root = UIViewController()
    let scene = FaultyScene(Presenter.self, recorder, as: "app", in: root)
    for name in ["settings", "help"] as [StateName] {
      scene.request(
        scene.state(name) { state in
          root.present(UIViewController(), animated: true) { state.complete(.entered) }
        })
    }
    scene.finish()
  }

  /// Back is tapped twice while the first of the two screens still disappears.
  static func backTwice(_ recorder: HistoryRecorder) {
    let root = UINavigationController(nibName: nil, bundle: nil)
    let scene = FaultyScene(Presenter.self, recorder, as: "app", in: root)
    let views = (["home", "list", "detail"] as [StateName]).map { name in
      let controller = UIViewController()
      return scene.state(name) { state in
        if root.viewControllers.contains(controller) {
          root.popToViewController(controller, animated: true)
        } else {
          root.pushViewController(controller, animated: false)
        }
        state.complete(.entered)
      }
    }
    for view in views { scene.request(view) }
    UIKitDouble.advance(by: 1)
    scene.request(views[2], asked: "previous", by: views[2])
    UIKitDouble.advance(by: 0.02)
    scene.request(views[2], asked: "previous", by: views[2])
    UIKitDouble.run()
    Stage.expect(root.viewControllers.count == 1, "two screens have gone")
    scene.finish()
  }
}

// MARK: The third article's controller

extension FaultyExamples {
  /// A delayed request that is made after its state has exited.
  static func lateTransition(_ recorder: HistoryRecorder) {
    let table = UITableViewController(style: .plain)
    let scene = FaultyScene(Keyed2015.self, recorder, as: "table", in: table)
    let populated = scene.state("populated")
    let loading = scene.state("loading") { loading in
      DispatchQueue.main.asyncAfter(deadline: .now() + 2) {
        scene.request(populated, by: loading)
      }
    }
    scene.request(loading)
    UIKitDouble.advance(by: 1)
    scene.request(scene.state("empty"))
    scene.finish()
  }

  /// A misspelt key leaves the table without a data source.
  static func unknownKey(_ recorder: HistoryRecorder) {
    let table = UITableViewController(style: .plain)
    let scene = FaultyScene(Keyed2015.self, recorder, as: "table", in: table)
    let rows = Rows()
    let loading = scene.state("loading") { _ in
      table.tableView.dataSource = rows
    } onExit: { _ in
      table.tableView.dataSource = nil
    }
    scene.request(loading)
    UIKitDouble.advance(by: 1)
    scene.request(scene.state("poplated"))
    Stage.expect(table.tableView.dataSource == nil, "the table has no data source")
    UIKitDouble.advance(by: 3)
    scene.request(scene.state("populated"))
    scene.finish()
  }

  /// A state that requests the next while it enters, so that the update blocks are nested.
  static func transitionInEnter(_ recorder: HistoryRecorder) {
    let table = UITableViewController(style: .plain)
    let scene = FaultyScene(Keyed2015.self, recorder, as: "table", in: table)
    var depths: [Int] = []
    func inBlock(_ body: () -> Void) {
      table.tableView.beginUpdates()
      depths.append(table.tableView.updateDepth)
      body()
      table.tableView.endUpdates()
    }
    let populated = scene.state("populated")
    let loading = scene.state("loading") { loading in
      inBlock { scene.request(populated, by: loading) }
    }
    inBlock { scene.request(loading) }
    Stage.expect(depths == [1, 2], "one block is inside the other")
    scene.finish()
  }
}

extension FaultyExamples {
  /// A state that requests the next before it has inserted its row.
  ///
  /// It is told to exit before it has entered: it deletes a row that does not exist, and then
  /// inserts one that is never deleted.
  static func leftBeforeIn(_ recorder: HistoryRecorder) {
    let table = UITableViewController(style: .plain)
    let scene = FaultyScene(Keyed2015.self, recorder, as: "table", in: table)
    let (rows, path) = (Rows(), IndexPath(row: 0, section: 0))
    table.tableView.dataSource = rows
    let populated = scene.state("populated")
    let loading = scene.state("loading") { loading in
      scene.request(populated, by: loading)
      rows.count += 1
      table.tableView.insertRows(at: [path], with: .bottom)
    } onExit: { _ in
      if rows.count > 0 { rows.count -= 1 }
      table.tableView.deleteRows(at: [path], with: .top)
    }
    let raised = UIKitDouble.exceptions { scene.request(loading) }
    Stage.expect(
      raised.map { $0.reason.hasPrefix("attempt to delete row 0 from section 0") } == [true],
      "a row is taken out that is not there")
    Stage.expect(table.tableView.numberOfRows(inSection: 0) == 1, "a row of nobody's stays")
    scene.finish()
  }
}

@MainActor private final class Rows: NSObject, UITableViewDataSource {
  var count = 0
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { count }
  func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell { UITableViewCell(style: .default, reuseIdentifier: nil) }
}

// MARK: The fourth article's controller

extension FaultyExamples {
  /// A transition is interrupted: its two animations do not end at their end positions.
  static func interruptedAnimation(_ recorder: HistoryRecorder) {
    let scene = FaultyScene(Container2020.self, recorder, as: "comments", in: UIViewController())
    let animations = Animations()
    let loading = scene.state(
      "loading", onEnter: { animations.run($0, .entered) }, onExit: { animations.run($0, .exited) })
    scene.request(loading)
    UIKitDouble.run()
    scene.request(scene.state("list", onEnter: { animations.run($0, .entered) }))
    UIKitDouble.advance(by: 0.1)
    UIKitDouble.interruptAnimations()
    UIKitDouble.run()
    Stage.expect(animations.ends == [.end, .current, .current], "both have ended midway")
    scene.finish()
  }

  /// A transition without animation, which only another request would end.
  static func neverEnded(_ recorder: HistoryRecorder) {
    let scene = FaultyScene(Container2020.self, recorder, as: "comments", in: UIViewController())
    scene.request(scene.state("loading", onEnter: { _ in }), asked: Container2020.unanimated)
    scene.finish()
  }

  /// A container that is pushed without animation tells its child twice that it will appear.
  static func appearedTwice(_ recorder: HistoryRecorder) {
    let scene = FaultyScene(Container2020.self, recorder, as: "comments", in: UIViewController())
    var calls = 0
    scene.request(
      scene.state("loading", onEnter: { _ in calls += 1 }), asked: Container2020.appearing)
    Stage.expect(calls == 2, "the child is told twice")
    scene.finish()
  }

  /// The first of two pending requests is lost.
  static func replacedInSlot(_ recorder: HistoryRecorder) {
    let scene = FaultyScene(Container2020.self, recorder, as: "comments", in: UIViewController())
    let animations = Animations()
    for name in ["loading", "list", "error"] as [StateName] {
      scene.request(
        scene.state(
          name, onEnter: { animations.run($0, .entered) }, onExit: { animations.run($0, .exited) }))
    }
    UIKitDouble.run()
    scene.finish()
  }
}

/// Animations as in the article: only one that ends at its end position is reported.
@MainActor private final class Animations {
  private(set) var ends: [UIViewAnimatingPosition] = []
  private var running: [UIViewPropertyAnimator] = []

  func run(_ state: PlayedState, _ completion: Completion) {
    let animator = UIViewPropertyAnimator(duration: 0.35, curve: .easeInOut) {}
    animator.addCompletion { [weak self] position in
      self?.ends.append(position)
      if position == .end { state.complete(completion) }
    }
    animator.startAnimation()
    running.append(animator)
  }
}
