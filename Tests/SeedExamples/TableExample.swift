import Staty
import StatyRecorder
import StatyUIKit
import UIKit

/// The third article's example: empty, loading and populated, with a slow pull to refresh.
enum TableExample {
  enum Key: StateKey {
    case empty, loading, populated
  }

  @MainActor final class Rows: StatefulTableViewState<Key, [String]> {
    private var rows: [String]
    private let onEnter: (KeyedVisit<Key, [String]>) -> Void

    init(_ rows: [String], onEnter: @escaping (KeyedVisit<Key, [String]>) -> Void = { _ in }) {
      self.rows = rows
      self.onEnter = onEnter
      super.init()
    }

    private var paths: [IndexPath] { rows.indices.map { IndexPath(row: $0, section: 0) } }

    override func enter(with content: [String]?, visit: KeyedVisit<Key, [String]>) {
      if let content { rows = content }
      tableView.insertRows(at: paths, with: .bottom)
      onEnter(visit)
    }

    override func exit() {
      tableView.deleteRows(at: paths, with: .top)
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      rows.count
    }

    override func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
      cell.textLabel?.text = rows[indexPath.row]
      return cell
    }
  }

  final class Demo: StatefulTableViewController<Key, [String]> {
    override func viewDidLoad() {
      super.viewDidLoad()
      let refresh = UIRefreshControl()
      refreshControl = refresh
      setState(Rows(["Nothing here"]), forKey: .empty)
      setState(Rows([]), forKey: .populated)
      setState(
        Rows(["Loading…"]) { visit in
          DispatchQueue.main.asyncAfter(deadline: .now() + 2) {
            visit.transition(to: .populated, with: ["One", "Two"])
            refresh.endRefreshing()
          }
        }, forKey: .loading)
      refresh.addAction(
        UIAction { [unowned self] _ in transition(to: .loading) }, for: .valueChanged)
      transition(to: .empty)
    }
  }

  @MainActor static func run(_ recorder: HistoryRecorder) {
    let demo = Demo(style: .plain)
    recorder.attach(to: demo, as: "table")
    let window = Stage.show(demo)
    demo.refreshControl?.pull()
    UIKitDouble.run()
    Stage.expect(demo.tableView.numberOfRows(inSection: 0) == 2, "two rows are loaded")
    Stage.end(window)
  }
}
