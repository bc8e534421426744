import Staty
import StatyUIKit
import UIKit

enum DemoKey: StateKey {
  case empty, loading, populated, unheardOf
}

/// The rows of one state of the example.
@MainActor final class DemoRows: StatefulTableViewState<DemoKey, [String]> {
  var rows: [String]
  var onEnter: ((KeyedVisit<DemoKey, [String]>) -> Void)?
  var onExit: (() -> Void)?
  private(set) var isIn = false

  init(_ rows: String...) {
    self.rows = rows
    super.init()
  }

  private var paths: [IndexPath] { rows.indices.map { IndexPath(row: $0, section: 0) } }

  override func enter(with content: [String]?, visit: KeyedVisit<DemoKey, [String]>) {
    isIn = true
    if let content { rows = content }
    tableView.insertRows(at: paths, with: .bottom)
    onEnter?(visit)
  }

  override func exit() {
    onExit?()
    isIn = false
    tableView.deleteRows(at: paths, with: .top)
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    isIn ? rows.count : 0
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
    cell.textLabel?.text = rows[indexPath.row]
    return cell
  }
}

/// A table with the states empty, loading and populated.
///
/// A pull loads the rows after a delay.
final class DemoTable: StatefulTableViewController<DemoKey, [String]> {
  let empty = DemoRows("Nothing here")
  let loading = DemoRows("Loading…")
  let populated = DemoRows()
  private(set) var refusals: [String] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    setState(empty, forKey: .empty)
    setState(loading, forKey: .loading)
    setState(populated, forKey: .populated)
    let refresh = UIRefreshControl()
    refresh.addAction(UIAction { [unowned self] _ in self.refresh() }, for: .valueChanged)
    refreshControl = refresh
    transition(to: .empty)
  }

  private func refresh() {
    loading.onEnter = { [unowned self] visit in
      DispatchQueue.main.asyncAfter(deadline: .now() + 2) {
        visit.transition(to: .populated, with: ["One", "Two", "Three"])
        self.refreshControl?.endRefreshing()
      }
    }
    transition(to: .loading)
  }

  override func didRefuse(_ state: StateName, because refusal: Refusal) {
    refusals.append(refusal.description(for: state))
  }

  /// The texts in the table.
  var texts: [String?] {
    (0..<tableView.numberOfRows(inSection: 0)).map {
      tableView.cellForRow(at: IndexPath(row: $0, section: 0))?.textLabel?.text
    }
  }
}
