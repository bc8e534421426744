/// What a table shows.
@preconcurrency @MainActor public protocol UITableViewDataSource: NSObjectProtocol {
  func numberOfSections(in tableView: UITableView) -> Int
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell
}

extension UITableViewDataSource {
  public func numberOfSections(in tableView: UITableView) -> Int { 1 }
}

/// The delegate of a table, asked for heights and told of taps.
@preconcurrency @MainActor public protocol UITableViewDelegate: NSObjectProtocol {
  func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
  func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat
}

extension UITableViewDelegate {
  public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
  public func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
    44
  }
}

/// A row of a table.
@preconcurrency @MainActor open class UITableViewCell: UIView {
  public enum CellStyle: Int, Sendable {
    case `default`, value1, value2, subtitle
  }

  public enum AccessoryType: Int, Sendable {
    case none, disclosureIndicator
  }

  open var accessoryType = AccessoryType.none
  public let textLabel: UILabel? = UILabel()
  public let reuseIdentifier: String?

  public init(style: CellStyle, reuseIdentifier: String?) {
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: .zero)
  }

  public required init?(coder: NSCoder) {
    fatalError("The double has no archives.")
  }
}

/// A table of rows in sections.
///
/// A data source has their numbers.
@preconcurrency @MainActor open class UITableView: UIView {
  public enum Style: Int, Sendable {
    case plain, grouped, insetGrouped
  }

  public enum RowAnimation: Int, Sendable {
    case fade, right, left, top, bottom, none, middle
    case automatic = 100
  }

  public enum ScrollPosition: Int, Sendable {
    case none, top, middle, bottom
  }

  public let style: Style
  open weak var delegate: (any UITableViewDelegate)?
  open var allowsSelection = true
  open var rowHeight: CGFloat = 44
  open var refreshControl: UIRefreshControl?
  open weak var dataSource: (any UITableViewDataSource)? {
    didSet { if block == nil { counts = nil } }
  }

  /// The number of rows in each section; `nil` if the table has to ask its data source.
  private var counts: [Int]?
  private var block: UpdateBlock?
  private var depth = 0

  public init(frame: CGRect, style: Style) {
    self.style = style
    super.init(frame: frame)
  }

  public required init?(coder: NSCoder) {
    fatalError("The double has no archives.")
  }

  open var numberOfSections: Int { known().count }

  open func numberOfRows(inSection section: Int) -> Int { known()[section] }

  open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? {
    let known = known()
    guard known.indices.contains(indexPath.section), indexPath.row < known[indexPath.section] else {
      return nil
    }
    return dataSource?.tableView(self, cellForRowAt: indexPath)
  }

  open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? { nil }

  open func deselectRow(at indexPath: IndexPath, animated: Bool) {}

  open func reloadData() {
    counts = nil
    _ = known()
  }

  open func insertRows(at paths: [IndexPath], with animation: RowAnimation) {
    update { $0.insertedRows += paths }
  }

  open func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {
    update { $0.deletedRows += paths }
  }

  open func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    update { $0.insertedSections.formUnion(sections) }
  }

  open func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    update { $0.deletedSections.formUnion(sections) }
  }

  open func reloadRows(at paths: [IndexPath], with animation: RowAnimation) {}
  open func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {}

  open func moveRow(at path: IndexPath, to other: IndexPath) {
    update {
      $0.deletedRows.append(path)
      $0.insertedRows.append(other)
    }
  }

  open func moveSection(_ section: Int, toSection other: Int) {
    update {
      $0.deletedSections.insert(section)
      $0.insertedSections.insert(other)
    }
  }

  open func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {
    beginUpdates()
    updates?()
    endUpdates()
    completion?(true)
  }

  open func scrollToRow(at path: IndexPath, at position: ScrollPosition, animated: Bool) {
    let known = known()
    if !known.indices.contains(path.section) || path.row >= known[path.section] {
      UIKitDouble.raise("NSRangeException", "Row \(path.row) is beyond the bounds.")
    }
  }

  open func selectRow(at path: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {}

  /// Taps a row, as a user does.
  public func tap(_ indexPath: IndexPath) {
    if allowsSelection { delegate?.tableView(self, didSelectRowAt: indexPath) }
  }

  private func known() -> [Int] {
    if let counts { return counts }
    let asked = ask()
    counts = asked
    return asked
  }

  private func ask() -> [Int] {
    guard let dataSource else { return [0] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.tableView(self, numberOfRowsInSection: $0)
    }
  }
}

// MARK: Updates

extension UITableView {
  public func beginUpdates() {
    if depth == 0 { block = UpdateBlock(before: known()) }
    depth += 1
  }

  /// Ends a block.
  ///
  /// At the end of the outermost one the rows must add up.
  public func endUpdates() {
    guard depth > 0 else {
      return UIKitDouble.raise(
        "NSInternalInconsistencyException", "endUpdates called without a matching beginUpdates")
    }
    depth -= 1
    guard depth == 0, let block else { return }
    self.block = nil
    let after = ask()
    if let reason = block.inconsistency(with: after) {
      UIKitDouble.raise("NSInternalInconsistencyException", reason)
    }
    counts = after
  }

  /// The depth of nested update blocks.
  public var updateDepth: Int { depth }

  /// Makes a change.
  ///
  /// Outside of a block, the change is its own block.
  fileprivate func update(_ change: (inout UpdateBlock) -> Void) {
    beginUpdates()
    if var block {
      change(&block)
      self.block = block
    }
    endUpdates()
  }
}

extension IndexPath {
  public init(row: Int, section: Int) {
    self.init(indexes: [section, row])
  }

  public var section: Int { self[0] }
  public var row: Int { self[1] }
}
