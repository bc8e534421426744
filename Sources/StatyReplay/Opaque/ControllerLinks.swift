/// Knows which controllers drove each other, be it by way of others.
struct ControllerLinks {
  /// Leads from a controller to another of those it is linked to, and at last to one for them all.
  private var next: [Int32: Int32] = [:]

  /// Something happened at the one in something that happened at the other.
  mutating func join(_ one: Int32, _ other: Int32) {
    guard one != other else { return }
    let (first, second) = (shorten(one), shorten(other))
    if first != second { next[first] = second }
  }

  /// Whether these are linked.
  func areLinked(_ one: Int32, _ other: Int32) -> Bool { last(one) == last(other) }

  private func last(_ controller: Int32) -> Int32 {
    var controller = controller
    while let further = next[controller] { controller = further }
    return controller
  }

  /// The same, and every step on the way leads there at once from now on.
  private mutating func shorten(_ controller: Int32) -> Int32 {
    let last = last(controller)
    var controller = controller
    while let further = next[controller], further != last {
      next[controller] = last
      controller = further
    }
    return last
  }
}
