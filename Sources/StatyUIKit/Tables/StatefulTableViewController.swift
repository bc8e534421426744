#if canImport(UIKit)
  public import Staty
  public import UIKit

  /// A table view controller that shows states.
  ///
  /// Each state is stored under a key and has its own rows.
  ///
  /// ```swift
  /// final class DemoViewController: StatefulTableViewController<DemoKey, [String]> {
  ///   override func viewDidLoad() {
  ///     super.viewDidLoad()
  ///     setState(EmptyState(), forKey: .empty)
  ///     setState(LoadingState(), forKey: .loading)
  ///     setState(PopulatedState(), forKey: .populated)
  ///     transition(to: .loading)
  ///   }
  /// }
  /// ```
  ///
  /// A transition is one update block: the current state deletes its rows, and the new state
  /// becomes the table's data source and delegate and inserts its rows. A transition that is
  /// requested inside another gets its own block after it. Requests that are made before the view
  /// is loaded are pending until then.
  open class StatefulTableViewController<Key: StateKey, Content>: UITableViewController {
    private let states = KeyedController<Key, Content>()
    private let host = TableHost()
    private let watch = RefusalWatch()
    private var hasBegun = false

    public override init(style: UITableView.Style) {
      super.init(style: style)
      begin()
    }

    public override init(nibName: String?, bundle: Bundle?) {
      super.init(nibName: nibName, bundle: bundle)
      begin()
    }

    public required init?(coder: NSCoder) {
      super.init(coder: coder)
      begin()
    }

    // An initializer of UIKit may call another one of this class.
    private func begin() {
      if hasBegun { return }
      hasBegun = true
      watch.onRefusal = { [weak self] state, refusal in self?.didRefuse(state, because: refusal) }
      states.events.add(watch)
    }

    open override func viewDidLoad() {
      super.viewDidLoad()
      host.table = tableView
      host.adopt(nil)
      states.bind(to: host)
    }

    /// A request was rejected, because no state has the key or because the state that made the
    /// request has exited.
    ///
    /// The current state stays.
    ///
    /// The default prints this.
    open func didRefuse(_ state: StateName, because refusal: Refusal) {
      print("\(type(of: self)): \(refusal.description(for: state)).")
    }
  }

  extension StatefulTableViewController {
    /// Stores a state under a key.
    ///
    /// It replaces the state that was stored there.
    public func setState(_ state: some KeyedState<Key, Content>, forKey key: Key) {
      (state as? StatefulTableViewState<Key, Content>)?.viewController = self
      states.setState(state, forKey: key)
    }

    /// The key of the current state; `nil` before the first.
    public var currentKey: Key? { states.currentKey }

    /// The visit of the current state, or of the last one; `nil` before the first.
    public var currentVisit: VisitNumber? { states.currentVisit }

    /// Requests the state under a key, even if it is the current one.
    ///
    /// A state that makes a request later uses its ``KeyedVisit`` instead.
    @discardableResult
    public func transition(
      to key: Key, with content: Content? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> KeyedRequest {
      states.transition(to: key, with: content, file: file, line: line)
    }
  }

  extension StatefulTableViewController {
    /// Cancels a visit: a pending visit is discarded.
    ///
    /// The current state exits and deletes its rows, and the table is empty until the next request.
    public func cancel(_ visit: VisitNumber) { states.cancel(visit) }
  }

  extension StatefulTableViewController: Recordable {
    /// The source of the controller's events.
    ///
    /// Add observers here.
    public var events: EventSource { states.events }
  }
#endif
