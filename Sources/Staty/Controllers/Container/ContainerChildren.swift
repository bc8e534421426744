/// The children that a container presents, with the appearance of each.
///
/// All appearance calls for a child pass through here. A call that would be a duplicate or out of
/// order is not made.
struct ContainerChildren<Child: Hashable> {
  /// The appearance of a child, or of the container itself.
  enum Appearance {
    case hidden, appearing, shown, disappearing
  }

  /// A change of the host's children.
  enum Step {
    case add(Child, Int)
    case move(Child, Int)
  }

  /// All present children, lowest first.
  private(set) var all: [Child] = []
  private var appearances: [Child: Appearance] = [:]

  func appearance(of child: Child) -> Appearance? { appearances[child] }

  /// Changes the appearance of a child, if the change is allowed.
  ///
  /// - Returns: whether it is allowed. `appearing` and `disappearing` can follow each other,
  ///   because the container's own appearing or disappearing can be reversed.
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

  /// Adds new children, and puts the children that stay into the order of the list.
  ///
  /// A child that is about to be removed stays directly above the child that was below it.
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
