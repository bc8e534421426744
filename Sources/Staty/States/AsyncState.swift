/// A state that enters and exits with `async` functions.
///
/// The state has entered or exited when the function returns. The functions run on the actor that
/// creates the state, which must be the controller's actor.
///
/// If a deadline gives it up while it enters, the task of `enter` is cancelled, and `exit` runs when that
/// has returned.
public final class AsyncState<Target>: ScreenState {
  public let name: StateName
  public let awaitsUser: Bool
  // Weak, because the actor may own the controller, which keeps its last state.
  private weak let isolation: (any Actor)?
  private let enter: nonisolated(nonsending) (Target) async -> Void
  private let exit: nonisolated(nonsending) (Target) async -> Void
  /// What enters, until it has.
  private var entering: Task<Void, Never>?

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
    entering = run(
      Step(function: enter, target: target) {
        self.entering = nil
        visit.entered()
      })
  }

  public func exit(from target: Target, visit: Visit) {
    // The actor asks for this in its `deinit`: nothing can run on it any more.
    if isolation == nil { return visit.exited() }
    let before = entering.take()
    before?.cancel()
    run(Step(function: exit, target: target, done: visit.exited), behind: before)
  }

  @discardableResult
  private func run(_ step: Step, behind before: Task<Void, Never>? = nil) -> Task<Void, Never> {
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
    return Task { [isolation] in
      await before?.value
      await step.run(on: isolation)
    }
  }

  // Sendable: made on `isolation`, as checked above, and used only by `run` there.
  private struct Step: @unchecked Sendable {
    let function: nonisolated(nonsending) (Target) async -> Void
    let target: Target
    let done: () -> Void

    func run(on isolation: isolated any Actor) async {
      await function(target)
      done()
    }
  }
}
