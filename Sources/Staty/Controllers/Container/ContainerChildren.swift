/// The children that a container presents, and how far each has appeared.
///
/// Every call that tells the host of a child's appearance goes through here, so a child cannot be
/// told the same thing twice or in the wrong order: a call that does not fit is not made.
struct ContainerChildren<Child: Hashable> {
  /// How far a child, or the container itself, has appeared.
  enum Appearance {
    case hidden, appearing, shown, disappearing
  }

  /// A step of the host that brings the children into a new order.
  enum Step {
    case add(Child, Int)
    case move(Child, Int)
  }

  /// Everybody who is present, lowest first.
  private(set) var all: [Child] = []
  private var appearances: [Child: Appearance] = [:]

  func appearance(of child: Child) -> Appearance? { appearances[child] }

  /// Notes that a child is told something.
  ///
  /// - Returns: whether it may be: `appearing` and `disappearing` may turn into each other, as
  ///   they do when the container's own appearing or disappearing is reversed.
  mutating func change(_ child: Child, to new: Appearance) -> Bool {
    guard let old = appearances[child] else { return false }
    let fits =
      switch new {
      case .appearing: old == .hidden || old == .disappearing
      case .shown: old == .appearing
      case .disappearing: old == .shown || old == .appearing
      case .hidden: old == .disappearing
      }
    if fits { appearances[child] = new }
    return fits
  }

  mutating func remove(_ child: Child) {
    all.removeAll { $0 == child }
    appearances[child] = nil
  }

  /// Takes in those who are new and orders those who stay as the state lists them.
  ///
  /// Those who go keep their place above whoever was right below them.
  mutating func arrange(_ listed: [Child]) -> [Step] {
    let staying = Set(listed)
    var goal = listed
    for (place, child) in all.enumerated() where !staying.contains(child) {
      let below = place == 0 ? nil : goal.firstIndex(of: all[place - 1])
      goal.insert(child, at: below.map { $0 + 1 } ?? 0)
    }
    var steps: [Step] = []
    for (place, child) in goal.enumerated() {
      if appearances[child] == nil {
        appearances[child] = .hidden
        all.insert(child, at: place)
        steps.append(.add(child, place))
      } else if all[place] != child {
        all.removeAll { $0 == child }
        all.insert(child, at: place)
        steps.append(.move(child, place))
      }
    }
    return steps
  }
}
