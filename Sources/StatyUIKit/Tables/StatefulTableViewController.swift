#if canImport(UIKit)
  public import Staty
  public import UIKit

  /// A table view controller whose rows belong to states that are kept under keys.
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
  /// A transition is one update block: the current state deletes its rows, and the new one becomes the table's
  /// data source and delegate and inserts its rows. A transition requested inside another gets its own block,
  /// after it. Requests made before the view is loaded wait until then.
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

    // One initializer of UIKit's may call another of ours.
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

    /// A transition was refused, because no state is under its key or because the state that asked
    /// has left; whatever is in place stays.
    ///
    /// By default this is printed.
    open func didRefuse(_ state: StateName, because refusal: Refusal) {
      print("\(type(of: self)): \(refusal.description(for: state)).")
    }
  }

  extension StatefulTableViewController {
    /// Puts a state under a key, in place of the one that was there.
    public func setState(_ state: some KeyedState<Key, Content>, forKey key: Key) {
      (state as? StatefulTableViewState<Key, Content>)?.viewController = self
      states.setState(state, forKey: key)
    }

    /// The key of the state in place; `nil` before the first.
    public var currentKey: Key? { states.currentKey }

    /// The visit of the state in place, or of the last one that was; `nil` before the first.
    public var currentVisit: VisitNumber? { states.currentVisit }

    /// Asks for the state under a key, also if it is the one in place.
    ///
    /// A state that asks for the next one later does so through its ``KeyedVisit``.
    @discardableResult
    public func transition(
      to key: Key, with content: Content? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> KeyedRequest {
      states.transition(to: key, with: content, file: file, line: line)
    }
  }

  extension StatefulTableViewController {
    /// Cancels a visit: one that waits is discarded; the one in place leaves with its rows, and the
    /// table is empty until the next request.
    public func cancel(_ visit: VisitNumber) { states.cancel(visit) }
  }

  extension StatefulTableViewController: Recordable {
    /// Where observers are told what happens here.
    public var events: EventSource { states.events }
  }
#endif
