/// The changes of a table between `beginUpdates` and `endUpdates`.
///
/// As in UIKit, indices of deletions refer to the table before the block, and those of insertions
/// to the table after it, in any order of the calls.
struct UpdateBlock {
  let before: [Int]
  var insertedRows: [IndexPath] = []
  var deletedRows: [IndexPath] = []
  var insertedSections = IndexSet()
  var deletedSections = IndexSet()

  init(before: [Int]) {
    self.before = before
  }

  /// Why the data source's numbers after the block do not fit the changes, or `nil` if they do.
  func inconsistency(with after: [Int]) -> String? {
    deletionFault() ?? sectionFault(after) ?? insertionFault(after) ?? rowFault(after)
  }

  private func deletionFault() -> String? {
    for path in deletedRows {
      if path.section >= before.count {
        return "attempt to delete row \(path.row) from section \(path.section), but there are only "
          + "\(before.count) sections before the update"
      }
      if path.row >= before[path.section] {
        return "attempt to delete row \(path.row) from section \(path.section) which only contains "
          + "\(before[path.section]) rows before the update"
      }
    }
    if Set(deletedRows).count < deletedRows.count {
      return "attempt to perform a delete and a delete of the same row"
    }
    return nil
  }

  private func sectionFault(_ after: [Int]) -> String? {
    if let section = deletedSections.last, section >= before.count {
      return "attempt to delete section \(section), but there are only \(before.count) sections "
        + "before the update"
    }
    if after.count == before.count + insertedSections.count - deletedSections.count { return nil }
    return "Invalid update: invalid number of sections. The number of sections contained in the "
      + "table view after the update (\(after.count)) must be equal to the number of sections "
      + "contained in the table view before the update (\(before.count)), plus or minus the number "
      + "of sections inserted or deleted (\(insertedSections.count) inserted, "
      + "\(deletedSections.count) deleted)."
  }

  private func insertionFault(_ after: [Int]) -> String? {
    for path in insertedRows {
      if path.section >= after.count {
        return "attempt to insert row \(path.row) into section \(path.section), but there are only "
          + "\(after.count) sections after the update"
      }
      if path.row >= after[path.section] {
        return "attempt to insert row \(path.row) into section \(path.section), but there are only "
          + "\(after[path.section]) rows in section \(path.section) after the update"
      }
    }
    return nil
  }

  private func rowFault(_ after: [Int]) -> String? {
    let kept = before.indices.filter { !deletedSections.contains($0) }
    let places = after.indices.filter { !insertedSections.contains($0) }
    for (old, new) in zip(kept, places) {
      let inserted = insertedRows.count { $0.section == new }
      let deleted = deletedRows.count { $0.section == old }
      if after[new] == before[old] + inserted - deleted { continue }
      return
        "Invalid update: invalid number of rows in section \(new). The number of rows contained "
        + "in an existing section after the update (\(after[new])) must be equal to the number of "
        + "rows contained in that section before the update (\(before[old])), plus or minus the "
        + "number of rows inserted or deleted from that section (\(inserted) inserted, \(deleted) "
        + "deleted) and plus or minus the number of rows moved into or out of that section (0 moved "
        + "in, 0 moved out)."
    }
    return nil
  }
}
