#if canImport(UIKit)
  public import Staty
  public import UIKit

  /// A state of a table: inserts its rows when it comes in, deletes them when it leaves, and is the
  /// table's data source and delegate in between.
  ///
  /// A base class for convenience; any class that is a ``KeyedState``, a data source and a delegate
  /// will do.
  @MainActor
  open class StatefulTableViewState<Key: StateKey, Content>: NSObject, KeyedState,
    UITableViewDataSource, UITableViewDelegate
  {
    /// The controller that the state was put into.
    public internal(set) weak var viewController: StatefulTableViewController<Key, Content>?

    public override init() {
      super.init()
    }

    /// The table that the state shows its rows in.
    public var tableView: UITableView {
      guard let viewController, let table = viewController.tableView else {
        preconditionFailure(
          "\(type(of: self)) is in no controller. Put it under a key with `setState(_:forKey:)`.")
      }
      return table
    }

    /// The wheel above the table, if it has one.
    public var refreshControl: UIRefreshControl? { viewController?.refreshControl }

    // MARK: To be overridden

    /// Comes in: inserts the state's rows.
    open func enter(with content: Content?, visit: KeyedVisit<Key, Content>) {
      note("enter(with:visit:)")
    }

    /// Leaves: deletes the state's rows.
    open func leave() {
      note("leave()")
    }

    open func numberOfSections(in tableView: UITableView) -> Int { 1 }

    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      missing("tableView(_:numberOfRowsInSection:)")
      return 0
    }

    open func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      missing("tableView(_:cellForRowAt:)")
      return UITableViewCell(style: .default, reuseIdentifier: nil)
    }

    open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}

    open func tableView(
      _ tableView: UITableView, heightForRowAt indexPath: IndexPath
    ) -> CGFloat { tableView.rowHeight }

    /// Called when something that a state mostly overrides is not overridden; prints it.
    open func note(_ function: String) {
      print("\(type(of: self)) does not override \(function): it has no rows to bring or take.")
    }

    private func missing(_ function: String) {
      assertionFailure("\(type(of: self)) must override \(function): it is a table's data source.")
    }
  }
#endif
