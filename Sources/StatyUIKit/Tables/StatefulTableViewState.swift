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
    /// The state keeps it, so that a closure can use it after the controller was released. So a
    /// cell must not retain the state.
    public var tableView: UITableView {
      if let table = viewController?.tableView { knownTable = table }
      if let knownTable { return knownTable }
      precondition(
        wasStored,
        "\(type(of: self)) is in no controller. Put it under a key with `setState(_:forKey:)`.")
      // The controller was released before the state was shown: there is nothing to change.
      let table = UITableView(frame: .zero, style: .plain)
      knownTable = table
      return table
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
#endif
