/// A state of a screen, which enters and exits on a target.
///
/// Both may take time.
///
/// A state does its work on the target and reports when it is done:
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
/// Declare what a state needs from its target as a generic constraint. Then the compiler checks
/// that the target provides it.
public protocol ScreenState<Target>: ErasedState {
  /// The type of the object that the state is shown on.
  associatedtype Target

  /// Shows the state, and calls `visit.entered()` when it has entered.
  ///
  /// The state can call `visit.exited()` at any later time if it exits by itself, such as an alert
  /// that the user closes.
  func enter(on target: Target, visit: Visit)

  /// Removes the state, and calls `visit.exited()` when it has exited.
  ///
  /// It is called only after `visit.entered()`, unless a deadline skipped the state.
  func exit(from target: Target, visit: Visit)
}

extension ScreenState {
  /// The name of the state's type.
  public var name: StateName { StateName(of: Self.self) }
  /// `nil`: only requests with the same object are for the same state.
  public var coalescingKey: AnyHashable? { nil }

  /// `nil`: only the name is recorded.
  public var payload: StatePayload? { nil }

  /// `false`: told to exit, it exits soon.
  public var awaitsUser: Bool { false }
}
