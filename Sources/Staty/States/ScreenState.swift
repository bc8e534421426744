/// A condition of a screen that can come in and leave, each of which may take time.
///
/// A state does its work on a target and says when it is done:
///
/// ```swift
/// final class LoadingState<Target: LoadingProvider>: ScreenState {
///   func enter(on target: Target, visit: Visit) {
///     target.showIndicator()
///     visit.entered()
///   }
///
///   func exit(from target: Target, visit: Visit) {
///     target.hideIndicator(completion: visit.exited)
///   }
/// }
/// ```
///
/// What a state needs of its target it states as a constraint: a target that does not provide it
/// does not compile.
public protocol ScreenState<Target>: ErasedState {
  /// What the state is shown on.
  associatedtype Target

  /// Comes in, and says `visit.entered()` when that is done.
  ///
  /// At any later time the state may say `visit.exited()`: it has left by itself, as an alert
  /// does when somebody closes it.
  func enter(on target: Target, visit: Visit)

  /// Leaves, and says `visit.exited()` when that is done.
  ///
  /// Called only after the state said that it is in, unless a deadline skipped it.
  func exit(from target: Target, visit: Visit)
}

extension ScreenState {
  /// By default the name of the state's type.
  public var name: StateName { StateName(of: Self.self) }
  /// By default none: only requests with the same object ask for the same.
  public var coalescingKey: AnyHashable? { nil }

  /// By default nothing.
  public var payload: StatePayload? { nil }
}
