/// A state that enters and exits with `async` functions.
///
/// The state has entered or exited when the function returns. The functions run on the actor that
/// creates the state, which must be the controller's actor.
///
/// If it is told to exit while it enters, because a deadline has passed, the task of `enter` is cancelled and `exit`
/// runs. If `enter` returns later, `exit` runs once more, behind the first, so that nothing is left that was shown
/// meanwhile: it must do nothing where nothing is shown. It does not run again if it waits for the user, who closes what
/// comes late, nor if the state was told to enter again.
public final class AsyncState<Target>: ScreenState {
  public let name: StateName
  public let awaitsUser: Bool
  // Weak, because the actor may own the controller, which keeps its last state.
  private weak let isolation: (any Actor)?
  private let enter: nonisolated(nonsending) (Target) async -> Void
  private let exit: nonisolated(nonsending) (Target) async -> Void
  /// How often it was told to enter, and which of these it was not told to exit since; 0 for none.
  private var (entries, shown) = (0, 0)
  /// The last of them, until `enter` has returned.
  private var entering: (entry: Int, task: Task<Void, Never>)?
  /// The last run of `exit`, but for those of what was shown too late.
  private var exiting: Task<Void, Never>?
  /// Removes what was shown too late.
  private var removingLate: Task<Void, Never>?

  /// Creates a state from two functions.
  ///
  /// - Parameters:
  ///   - name: the name of the state in recordings.
  ///   - awaitsUser: whether `exit` returns only when the user has closed it.
  ///   - isolation: the actor that the functions run on.
  ///   - enter: shows the state on the target.
  ///   - exit: removes the state from the target.
  public init(
    _ name: StateName, awaitsUser: Bool = false, isolation: isolated any Actor = #isolation,
    enter: nonisolated(nonsending) @escaping (Target) async -> Void,
    exit: nonisolated(nonsending) @escaping (Target) async -> Void
  ) {
    self.name = name
    self.awaitsUser = awaitsUser
    self.isolation = isolation
    self.enter = enter
    self.exit = exit
  }

  public func enter(on target: Target, visit: Visit) {
    entries += 1
    let entry = entries
    shown = entry
    entering = (
      entry,
      run(
        Step(
          function: enter, target: target, previous: removingLate,
          done: { self.hasEntered(entry, on: target, visit) }))
    )
  }

  public func exit(from target: Target, visit: Visit) {
    // The actor asks for this in its `deinit`: nothing can run on it any more.
    if isolation == nil { return visit.exited() }
    shown = 0
    entering.take()?.task.cancel()
    exiting = run(
      Step(function: exit, target: target, previous: removingLate, done: visit.exited))
  }

  private func hasEntered(_ entry: Int, on target: Target, _ visit: Visit) {
    if entering?.entry == entry { entering = nil }
    // What is shown again is removed when that exits.
    let isGivenUp = shown == 0
    visit.entered()
    guard isGivenUp, !awaitsUser else { return }
    removingLate = run(
      Step(function: exit, target: target, previous: exiting, isWanted: { self.shown == 0 }))
  }

  @discardableResult
  private func run(_ step: Step) -> Task<Void, Never> {
    guard let isolation else {
      preconditionFailure(
        """
        Incorrect actor executor assumption: the async state '\(name)' was made on another actor than its \
        controller lives on, which is gone. Make both in the same isolation.
        """)
    }
    isolation.preconditionIsolated(
      """
      The async state '\(name)' was made on another actor than its controller lives on. \
      Make both in the same isolation.
      """)
    return Task { [isolation] in await step.run(on: isolation) }
  }

  // Sendable: made on `isolation`, as checked above, and used only by `run` there.
  private struct Step: @unchecked Sendable {
    let function: nonisolated(nonsending) (Target) async -> Void
    let target: Target
    /// What has to end first.
    let previous: Task<Void, Never>?
    var isWanted = { true }
    var done = {}

    func run(on isolation: isolated any Actor) async {
      await previous?.value
      guard isWanted() else { return }
      await function(target)
      done()
    }
  }
}
