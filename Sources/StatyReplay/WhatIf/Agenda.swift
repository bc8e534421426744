/// What is still to happen on a recording's clock, in the order of time.
///
/// At equal times the event that was recorded earlier comes first, so that a replay without changes
/// follows the recording; then the item that was added earlier.
struct Agenda<Element> {
  struct Item {
    /// Microseconds since the session began.
    let time: Int64
    /// The number of the recorded event that it plays; the largest if it plays none.
    let seq: Int64
    let element: Element

    fileprivate func isBefore(_ other: Item) -> Bool { (time, seq) < (other.time, other.seq) }
  }

  // The next one is the last: what is added during a run is mostly due soon.
  private var items: [Item]

  /// An agenda of these items, in any order.
  init(_ items: [Item]) {
    // Sorting keeps the order of equal ones.
    self.items = items.sorted { $0.isBefore($1) }.reversed()
  }

  /// Adds an item.
  mutating func add(_ item: Item) {
    var (low, high) = (0, items.count)
    while low < high {
      let middle = (low + high) / 2
      if item.isBefore(items[middle]) { low = middle + 1 } else { high = middle }
    }
    items.insert(item, at: low)
  }

  /// Removes the next item.
  mutating func next() -> Item? { items.popLast() }
}
