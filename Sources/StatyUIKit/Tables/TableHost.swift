#if canImport(UIKit)
  import Staty
  import UIKit

  /// Carries out the decisions of a keyed controller on a table view.
  @MainActor final class TableHost: KeyedHost {
    weak var table: UITableView?
    /// Used while there is no state, so that the table always has a data source.
    private let nothing = NoRows()

    func beginUpdates() { table?.beginUpdates() }

    func adopt(_ state: (any KeyedState)?) {
      let rows = state.map { $0 as? any UITableViewDataSource & UITableViewDelegate } ?? nothing
      assert(
        rows != nil,
        """
        The state \(state.map { "\(type(of: $0))" } ?? "") is no data source and delegate of a table \
        view. Derive it from `StatefulTableViewState`, or conform it to both protocols.
        """)
      if let table { (rows as? StatefulTableRows)?.knownTable = table }
      table?.dataSource = rows ?? nothing
      table?.delegate = rows ?? nothing
    }

    func endUpdates() { table?.endUpdates() }
  }

  /// One section without rows.
  @MainActor private final class NoRows: NSObject, UITableViewDataSource, UITableViewDelegate {
    func numberOfSections(in tableView: UITableView) -> Int { 1 }
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
    func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      UITableViewCell(style: .default, reuseIdentifier: nil)
    }
  }
#endif
