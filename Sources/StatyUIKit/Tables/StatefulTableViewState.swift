#if canImport(UIKit)
  public import Staty
  public import UIKit

  /// A state of a table.
  ///
  /// It inserts its rows when it enters, deletes them when it exits, and is the table's data source
  /// and delegate in between.
  ///
  /// You do not have to use this base class: any class that is a ``KeyedState``, a data source and
  /// a delegate works. Implement further data source and delegate methods in the class, not in an
  /// extension.
  @MainActor
  open class StatefulTableViewState<Key: StateKey, Content>: StatefulTableRows, KeyedState {
    /// The controller that the state was stored in.
    public internal(set) weak var viewController: StatefulTableViewController<Key, Content>? {
      didSet { wasStored = true }
    }
    private var wasStored = false

    /// Creates a state that is not yet stored in a controller.
    public override init() {
      super.init()
    }

    /// The table that the state shows its rows in.
    ///
    /// After its controller was released, it is the table that was shown or, if that was released too,
    /// one that ignores what is done to it.
    public var tableView: UITableView {
      if let table = viewController?.tableView { knownTable = table }
      if let knownTable { return knownTable }
      precondition(
        wasStored,
        "\(type(of: self)) is in no controller. Put it under a key with `setState(_:forKey:)`.")
      return ReleasedTable(frame: .zero, style: .plain)
    }

    /// The table's refresh control, if it has one.
    public var refreshControl: UIRefreshControl? { viewController?.refreshControl }

    // MARK: To be overridden

    /// Inserts the state's rows.
    open func enter(with content: Content?, visit: KeyedVisit<Key, Content>) {
      didNotOverride("enter(with:visit:)")
    }

    /// Deletes the state's rows.
    open func exit() {
      didNotOverride("exit()")
    }

    /// Called when a function that most states override is not overridden.
    ///
    /// The default prints this.
    open func didNotOverride(_ function: String) {
      print("\(type(of: self)) does not override \(function): it has no rows to bring or take.")
    }
  }

  /// Stands for the table of a controller that was released: without rows, UIKit would raise at a change.
  private final class ReleasedTable: UITableView {
    override func insertRows(at paths: [IndexPath], with animation: RowAnimation) {}
    override func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {}
    override func insertSections(_ sections: IndexSet, with animation: RowAnimation) {}
    override func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {}
    override func reloadRows(at paths: [IndexPath], with animation: RowAnimation) {}
    override func moveRow(at path: IndexPath, to other: IndexPath) {}
    override func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {}
    override func moveSection(_ section: Int, toSection other: Int) {}
    override func performBatchUpdates(
      _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
    ) {
      // It also changes what the app keeps.
      updates?()
      completion?(false)
    }
    override func scrollToRow(at path: IndexPath, at position: ScrollPosition, animated: Bool) {}
    override func selectRow(
      at path: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
    ) {}
  }
#endif
