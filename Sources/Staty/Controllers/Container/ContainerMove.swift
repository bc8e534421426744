/// A transition of a container that is under way.
struct ContainerMove<State, Child: Hashable> {
  /// The visit that comes in by it.
  let visit: Visit
  /// The state before.
  let previous: State?
  let animated: Bool
  /// Children that were not there before.
  let arriving: [Child]
  /// Children that go, and are seen going.
  let leaving: [Child]

  var isAnimationOver = false
  var animation: (any ContainerAnimation)?
}
