/// What is still to happen in a what-if replay, in the order of time.
///
/// At equal times the event that was recorded earlier comes first, so that a replay without changes
/// follows the recording; then the item that was added earlier.
struct Agenda {
  struct Item {
    /// Microseconds since the session began.
    let time: Int64
    /// The number of the recorded event that it plays; the largest if it plays none.
    let seq: Int64
    fileprivate var order = 0
    let run: () -> Void
  }

  // A heap: no item comes after those at twice its place.
  private var items: [Item] = []
  private var count = 0

  /// The time of the next item; `nil` if there is none.
  var nextTime: Int64? { items.first?.time }

  /// Adds an item.
  mutating func add(at time: Int64, seq: Int64?, _ run: @escaping () -> Void) {
    count += 1
    items.append(Item(time: time, seq: seq ?? .max, order: count, run: run))
    var place = items.count - 1
    while place > 0, isEarlier(place, (place - 1) / 2) {
      items.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes the next item.
  mutating func next() -> Item? {
    guard let first = items.first else { return nil }
    items.swapAt(0, items.count - 1)
    items.removeLast()
    var place = 0
    while let smaller = smallerChild(of: place), isEarlier(smaller, place) {
      items.swapAt(smaller, place)
      place = smaller
    }
    return first
  }

  private func smallerChild(of place: Int) -> Int? {
    let left = 2 * place + 1
    guard left < items.count else { return nil }
    return left + 1 < items.count && isEarlier(left + 1, left) ? left + 1 : left
  }

  private func isEarlier(_ one: Int, _ other: Int) -> Bool {
    (items[one].time, items[one].seq, items[one].order)
      < (items[other].time, items[other].seq, items[other].order)
  }
}
