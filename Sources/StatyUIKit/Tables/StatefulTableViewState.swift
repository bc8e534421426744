#if canImport(UIKit)
  public import Staty
  public import UIKit

  /// A state of a table: inserts its rows when it enters, deletes them when it exits, and is the table's data
  /// source and delegate in between.
  ///
  /// It is a base class for convenience; any class that is a ``KeyedState``, a data source and a delegate will
  /// do. Implement further data source and delegate methods in the class, not in an extension.
  @MainActor
  open class StatefulTableViewState<Key: StateKey, Content>: StatefulTableRows, KeyedState {
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

    /// Enters: inserts the state's rows.
    open func enter(with content: Content?, visit: KeyedVisit<Key, Content>) {
      didNotOverride("enter(with:visit:)")
    }

    /// Leaves: deletes the state's rows.
    open func leave() {
      didNotOverride("leave()")
    }

    /// Called when something that a state mostly overrides is not overridden; prints it.
    open func didNotOverride(_ function: String) {
      print("\(type(of: self)) does not override \(function): it has no rows to bring or take.")
    }
  }
#endif
