import Testing
import UIKit

@MainActor private final class Rows: NSObject, UITableViewDataSource {
  var counts: [Int]

  init(_ counts: Int...) {
    self.counts = counts
    super.init()
  }

  func numberOfSections(in tableView: UITableView) -> Int { counts.count }
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    counts[section]
  }
  func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    UITableViewCell(style: .default, reuseIdentifier: "row \(indexPath.row)")
  }
}

@MainActor @Suite struct TableTests {
  private let table = UITableView(frame: .zero, style: .plain)

  private func path(_ row: Int, _ section: Int = 0) -> IndexPath {
    IndexPath(row: row, section: section)
  }

  /// UIKit's message for an update that ends with these rows.
  private func fault(
    from rows: Rows, to counts: [Int], _ update: () -> Void
  ) -> String? {
    table.dataSource = rows
    _ = table.numberOfSections
    let raised = UIKitDouble.exceptions {
      table.beginUpdates()
      update()
      rows.counts = counts
      table.endUpdates()
    }
    #expect(raised.allSatisfy { $0.name == "NSInternalInconsistencyException" })
    return raised.first?.reason
  }

  @Test func `Rows that add up are accepted`() {
    UIKitDouble.reset()
    let rows = Rows(2, 1)
    let fault = fault(from: rows, to: [3, 1]) {
      table.deleteRows(at: [path(1)], with: .top)
      table.insertRows(at: [path(0), path(2)], with: .bottom)
    }
    #expect(fault == nil)
    #expect(table.numberOfRows(inSection: 0) == 3)
    #expect(table.cellForRow(at: path(2))?.reuseIdentifier == "row 2")
    #expect(table.cellForRow(at: path(3)) == nil)
  }

  @Test func `A row too many is an exception with UIKit's message`() {
    UIKitDouble.reset()
    let fault = fault(from: Rows(0), to: [2]) { table.insertRows(at: [path(0)], with: .fade) }
    #expect(
      fault
        == "Invalid update: invalid number of rows in section 0. The number of rows contained in an "
        + "existing section after the update (2) must be equal to the number of rows contained in "
        + "that section before the update (0), plus or minus the number of rows inserted or deleted "
        + "from that section (1 inserted, 0 deleted) and plus or minus the number of rows moved "
        + "into or out of that section (0 moved in, 0 moved out).")
  }

  @Test func `Wrong numbers of sections and rows that do not exist are exceptions`() {
    UIKitDouble.reset()
    #expect(fault(from: Rows(1), to: [1, 1]) {}?.contains("invalid number of sections") ?? false)
    #expect(
      fault(from: Rows(1), to: [0]) { table.deleteRows(at: [path(1)], with: .fade) }
        == "attempt to delete row 1 from section 0 which only contains 1 rows before the update")
    #expect(
      fault(from: Rows(1), to: [2]) { table.insertRows(at: [path(2)], with: .fade) }
        == "attempt to insert row 2 into section 0, but there are only 2 rows in section 0 after the "
        + "update")
    #expect(
      fault(from: Rows(1), to: [1]) { table.deleteRows(at: [path(0, 3)], with: .fade) }?
        .hasPrefix("attempt to delete row 0 from section 3") ?? false)
    #expect(
      fault(from: Rows(1), to: [1]) { table.insertRows(at: [path(0, 3)], with: .fade) }?
        .hasPrefix("attempt to insert row 0 into section 3") ?? false)
    #expect(
      fault(from: Rows(2), to: [0]) { table.deleteRows(at: [path(0), path(0)], with: .fade) }?
        .hasPrefix("attempt to perform a delete and a delete") ?? false)
    #expect(
      fault(from: Rows(2), to: []) { table.deleteSections(IndexSet(integer: 1), with: .fade) }?
        .hasPrefix("attempt to delete section 1") ?? false)
  }

  @Test func `Sections are inserted and deleted with their rows`() {
    UIKitDouble.reset()
    let fault = fault(from: Rows(1, 2), to: [2, 4]) {
      table.deleteSections(IndexSet(integer: 0), with: .fade)
      table.insertSections(IndexSet(integer: 1), with: .fade)
    }
    #expect(fault == nil)
  }

  @Test func `Only the end of the outermost block checks the rows`() {
    UIKitDouble.reset()
    let rows = Rows(0)
    table.dataSource = rows
    table.beginUpdates()
    table.beginUpdates()
    rows.counts = [1]
    table.endUpdates()
    #expect(table.updateDepth == 1)
    table.insertRows(at: [path(0)], with: .fade)
    table.endUpdates()
    #expect(table.numberOfRows(inSection: 0) == 1)
  }

  @Test func `To scroll to a row that does not exist is an exception`() {
    let table = UITableView(frame: .zero, style: .plain)
    let raised = UIKitDouble.exceptions {
      table.scrollToRow(at: IndexPath(row: 0, section: 0), at: .top, animated: true)
    }
    #expect(raised.map(\.name) == ["NSRangeException"])
  }

  @Test func `endUpdates without beginUpdates is an exception`() {
    UIKitDouble.reset()
    #expect(UIKitDouble.exceptions { table.endUpdates() }.count == 1)
  }

  @Test func `A change outside of a block is checked at once`() {
    UIKitDouble.reset()
    let rows = Rows(1)
    table.dataSource = rows
    _ = table.numberOfSections
    #expect(UIKitDouble.exceptions { table.insertRows(at: [path(1)], with: .fade) }.count == 1)
  }

  @Test func `A data source that is set in a block must fit the rows before the block`() {
    UIKitDouble.reset()
    table.dataSource = Rows(2)
    let (first, second) = (Rows(2), Rows(1))
    table.dataSource = first
    table.beginUpdates()
    table.deleteRows(at: [path(0), path(1)], with: .fade)
    table.dataSource = second
    table.insertRows(at: [path(0)], with: .fade)
    table.endUpdates()
    #expect(table.numberOfRows(inSection: 0) == 1)
    table.dataSource = first
    #expect(table.numberOfRows(inSection: 0) == 2)
  }

  @Test func `A pull starts one refresh until that has ended`() {
    UIKitDouble.reset()
    let control = UIRefreshControl()
    var pulls = 0
    control.addAction(UIAction { _ in pulls += 1 }, for: .valueChanged)
    control.pull()
    control.pull()
    #expect(pulls == 1)
    control.endRefreshing()
    control.pull()
    #expect(pulls == 2)
    control.sendActions(for: .touchUpInside)
    #expect(pulls == 2)
  }
}
