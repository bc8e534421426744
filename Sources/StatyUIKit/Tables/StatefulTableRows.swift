#if canImport(UIKit)
  public import UIKit

  /// The rows of a table's state: the part of ``StatefulTableViewState`` that UIKit calls.
  ///
  /// It is a separate class because `StatefulTableViewState` is generic. Objective-C finds optional
  /// methods only in non-generic classes and their subclasses, so the conformances are here.
  @MainActor
  open class StatefulTableRows: NSObject, UITableViewDataSource, UITableViewDelegate {
    /// The table that shows the rows, or showed them last.
    final weak var knownTable: UITableView?

    /// Creates the rows of a state.
    public override init() {
      super.init()
    }

    /// The number of sections, 1 by default.
    open func numberOfSections(in tableView: UITableView) -> Int { 1 }

    /// The number of rows in a section, which each state must override.
    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      missing("tableView(_:numberOfRowsInSection:)")
      return 0
    }

    /// The cell of a row, which each state must override.
    open func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      missing("tableView(_:cellForRowAt:)")
      return UITableViewCell(style: .default, reuseIdentifier: nil)
    }

    /// Called when a user selects a row; does nothing by default.
    open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}

    /// The height of a row, by default the table's `rowHeight`.
    open func tableView(
      _ tableView: UITableView, heightForRowAt indexPath: IndexPath
    ) -> CGFloat { tableView.rowHeight }

    private func missing(_ function: String) {
      assertionFailure("\(type(of: self)) must override \(function): it is a table's data source.")
    }
  }
#endif
