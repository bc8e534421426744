import UIKit

// A view controller as apps had them in 2019: a table, a service with completions, queues of Dispatch,
// and everything in one class. In the language mode of Swift 5, without annotations for concurrency.
// Only selectors are missing, which need Objective-C.

public struct Order {
  public let number: Int
  public let title: String
  public var isPaid: Bool

  public init(number: Int, title: String, isPaid: Bool) {
    self.number = number
    self.title = title
    self.isPaid = isPaid
  }
}

public enum OrdersError: Error {
  case offline
  case notFound
}

public protocol OrdersService: AnyObject {
  func loadOrders(page: Int, completion: @escaping (Result<[Order], OrdersError>) -> Void)
  func pay(_ order: Order, completion: @escaping (Result<Order, OrdersError>) -> Void)
}

public protocol OrdersViewControllerDelegate: AnyObject {
  func ordersViewController(_ controller: OrdersViewController, didSelect order: Order)
}

public class OrdersViewController: UIViewController {

  private enum Section: Int, CaseIterable {
    case open
    case paid

    var title: String {
      switch self {
      case .open: return "Open"
      case .paid: return "Paid"
      }
    }
  }

  private enum Constants {
    static let cellIdentifier = "OrderCell"
    static let rowHeight: CGFloat = 64
    static let fade: TimeInterval = 0.25
    static let searchDelay: TimeInterval = 0.3
  }

  // MARK: - Public

  public weak var delegate: OrdersViewControllerDelegate?

  public private(set) var isLoading = false {
    didSet {
      guard isLoading != oldValue else { return }
      isLoading ? showIndicator() : hideIndicator()
    }
  }

  public var query: String? {
    didSet { searchLater() }
  }

  // MARK: - Private

  private let service: OrdersService
  private var orders: [Order] = []
  private var visible: [[Order]] = [[], []]
  private var page = 0
  private var isAtEnd = false
  private var search: DispatchWorkItem?
  private var fader: UIViewPropertyAnimator?

  public private(set) lazy var tableView: UITableView = {
    let tableView = UITableView(frame: .zero, style: .grouped)
    tableView.dataSource = self
    tableView.delegate = self
    tableView.rowHeight = Constants.rowHeight
    tableView.refreshControl = refreshControl
    return tableView
  }()

  private lazy var refreshControl: UIRefreshControl = {
    let control = UIRefreshControl()
    control.addAction(
      UIAction { [weak self] _ in
        self?.reload()
      }, for: .valueChanged)
    return control
  }()

  private lazy var indicator: UIActivityIndicatorView = {
    let indicator = UIActivityIndicatorView(style: .large)
    indicator.hidesWhenStopped = true
    return indicator
  }()

  private let emptyLabel: UILabel = {
    let label = UILabel()
    label.text = "There are no orders."
    label.textAlignment = .center
    label.textColor = .lightGray
    label.numberOfLines = 0
    label.isHidden = true
    return label
  }()

  // MARK: - Life cycle

  public init(service: OrdersService) {
    self.service = service
    super.init(nibName: nil, bundle: nil)
    title = "Orders"
  }

  public required init?(coder aDecoder: NSCoder) {
    fatalError("init(coder:) has not been implemented")
  }

  deinit {
    search?.cancel()
  }

  override public func viewDidLoad() {
    super.viewDidLoad()
    view.backgroundColor = .white
    setUpViews()
    setUpNavigationItem()
  }

  override public func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    if orders.isEmpty { reload() }
  }

  override public func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    search?.cancel()
    if isMovingFromParent || isBeingDismissed {
      fader?.stopAnimation(true)
    }
  }

  private func setUpViews() {
    for subview in [tableView, emptyLabel, indicator] {
      subview.frame = view.bounds
      subview.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      view.addSubview(subview)
    }
    view.bringSubviewToFront(indicator)
  }

  private func setUpNavigationItem() {
    let reload = UIBarButtonItem(
      title: "Reload",
      primaryAction: UIAction { [weak self] _ in
        self?.reload()
      })
    navigationItem.rightBarButtonItem = reload
    navigationItem.title = title
  }

  // MARK: - Loading

  public func reload() {
    page = 0
    isAtEnd = false
    load { [weak self] new in
      self?.orders = new
    }
  }

  private func loadNextPage() {
    guard !isLoading, !isAtEnd else { return }
    page += 1
    load { [weak self] new in
      self?.orders.append(contentsOf: new)
    }
  }

  private func load(_ keep: @escaping ([Order]) -> Void) {
    guard !isLoading else { return }
    isLoading = true
    navigationItem.rightBarButtonItem?.isEnabled = false
    let (page, service) = (self.page, self.service)
    DispatchQueue.global(qos: .userInitiated).async {
      service.loadOrders(page: page) { result in
        DispatchQueue.main.async { [weak self] in
          guard let self = self else { return }
          self.isLoading = false
          self.refreshControl.endRefreshing()
          self.navigationItem.rightBarButtonItem?.isEnabled = true
          switch result {
          case .success(let new):
            self.isAtEnd = new.isEmpty
            keep(new)
            self.update()
          case .failure(let error):
            self.show(error)
          }
        }
      }
    }
  }

  private func searchLater() {
    search?.cancel()
    let item = DispatchWorkItem { [weak self] in
      self?.update()
    }
    search = item
    DispatchQueue.main.asyncAfter(deadline: .now() + Constants.searchDelay, execute: item)
  }

  private func update() {
    let found = orders.filter { order in
      guard let query = query, !query.isEmpty else { return true }
      return order.title.lowercased().contains(query.lowercased())
    }
    visible = [found.filter { !$0.isPaid }, found.filter { $0.isPaid }]
    emptyLabel.isHidden = !found.isEmpty
    tableView.reloadData()
  }

  // MARK: - Paying

  private func pay(_ order: Order, at indexPath: IndexPath) {
    service.pay(order) { result in
      DispatchQueue.main.async { [weak self] in
        guard let self = self else { return }
        switch result {
        case .success(let paid):
          self.move(paid, from: indexPath)
        case .failure(let error):
          self.show(error)
        }
      }
    }
  }

  private func move(_ order: Order, from indexPath: IndexPath) {
    guard let index = orders.firstIndex(where: { $0.number == order.number }) else { return }
    orders[index] = order
    let section = Section.paid.rawValue
    let target = IndexPath(row: visible[section].count, section: section)
    tableView.beginUpdates()
    visible[indexPath.section].remove(at: indexPath.row)
    visible[target.section].append(order)
    tableView.deleteRows(at: [indexPath], with: .fade)
    tableView.insertRows(at: [target], with: .fade)
    tableView.endUpdates()
  }

  private func askToPay(_ order: Order, at indexPath: IndexPath) {
    let alert = UIAlertController(
      title: "Pay?", message: order.title, preferredStyle: .actionSheet)
    alert.addAction(
      UIAlertAction(title: "Pay", style: .default) { [weak self] _ in
        self?.pay(order, at: indexPath)
      })
    alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
    present(alert, animated: true)
  }

  // MARK: - Errors

  private func show(_ error: OrdersError) {
    let message: String
    switch error {
    case .offline: message = "There is no connection."
    case .notFound: message = "There is no such order."
    }
    let alert = UIAlertController(title: "Sorry", message: message, preferredStyle: .alert)
    let again = UIAlertAction(title: "Try again", style: .default) { [weak self] _ in
      self?.reload()
    }
    alert.addAction(again)
    alert.addAction(UIAlertAction(title: "Cancel", style: .cancel, handler: nil))
    present(alert, animated: true, completion: nil)
  }

  // MARK: - Indicator

  private func showIndicator() {
    indicator.startAnimating()
    fade(to: 0.5)
  }

  private func hideIndicator() {
    fade(to: 1) { [weak self] in
      self?.indicator.stopAnimating()
    }
  }

  private func fade(to alpha: CGFloat, completion: (() -> Void)? = nil) {
    fader?.stopAnimation(true)
    let animator = UIViewPropertyAnimator(duration: Constants.fade, curve: .easeInOut) {
      self.tableView.alpha = alpha
    }
    animator.addCompletion { position in
      if position == .end { completion?() }
    }
    animator.startAnimation()
    fader = animator
  }
}

// MARK: - UITableViewDataSource

extension OrdersViewController: UITableViewDataSource {
  public func numberOfSections(in tableView: UITableView) -> Int {
    return Section.allCases.count
  }

  public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    return visible[section].count
  }

  public func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell =
      tableView.dequeueReusableCell(withIdentifier: Constants.cellIdentifier) as? OrderCell
      ?? OrderCell(style: .subtitle, reuseIdentifier: Constants.cellIdentifier)
    cell.order = visible[indexPath.section][indexPath.row]
    return cell
  }
}

// MARK: - UITableViewDelegate

extension OrdersViewController: UITableViewDelegate {
  public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    tableView.deselectRow(at: indexPath, animated: true)
    let order = visible[indexPath.section][indexPath.row]
    if order.isPaid {
      delegate?.ordersViewController(self, didSelect: order)
    } else {
      askToPay(order, at: indexPath)
    }
  }
}

// MARK: - Cell

public class OrderCell: UITableViewCell {
  public var order: Order? {
    didSet { update() }
  }

  override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
    super.init(style: style, reuseIdentifier: reuseIdentifier)
    accessoryType = .disclosureIndicator
  }

  required init?(coder aDecoder: NSCoder) {
    fatalError("init(coder:) has not been implemented")
  }

  private func update() {
    guard let order = order else { return }
    textLabel?.text = "\(order.number): \(order.title)"
  }
}
