/// A container's transition that is in progress.
struct ContainerMove<State, Child: Hashable> {
  /// The visit that enters with this transition.
  let visit: Visit
  /// The state before.
  let previous: State?
  let animated: Bool
  /// Children that were not there before.
  let appearing: [Child]
  /// Visible children that will be removed.
  let disappearing: [Child]

  var isAnimationOver = false
  var animation: (any ContainerAnimation)?
}
