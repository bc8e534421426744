public import Staty

/// A state object of a recording, played from the recording.
///
/// There is one for each object that was recorded. The app's own state class stands in front of it:
///
/// ```swift
/// final class ScriptedState: CheckoutState {
///   let script: ReplayState
///   weak var delegate: (any CheckoutStateDelegate)?
///
///   init(_ script: ReplayState) {
///     self.script = script
///     script.onCompletion = { [unowned self] completion in
///       completion == .entered ? delegate?.didEnter(self) : delegate?.didExit(self)
///     }
///   }
///
///   func enter() { script.enter() }
///   func exit() { script.exit() }
/// }
/// ```
public final class ReplayState {
  /// The state's recorded name.
  public let name: StateName
  /// What was recorded of it beyond its name, if it was.
  public let payload: String?
  /// Called when the recording says that the state is in, or out.
  public var onCompletion: ((Completion) -> Void)?

  /// Whose state it is.
  weak var context: ReplayContext?
  /// Told when the controller tells the state something.
  var told: (ReplayState) -> Void = { _ in }
  /// Whether it was told to enter since it was last in or out.
  var isComing = false
  /// What it was told last, by what it says when it has done it.
  private(set) var order = Completion.entered
  /// How many calls of `enter` and `exit` have not returned.
  private(set) var calls = 0

  init(name: StateName, payload: String?) {
    self.name = name
    self.payload = payload
  }

  /// The controller tells the state to come in.
  ///
  /// What was recorded inside of that happens before this returns.
  public func enter() {
    isComing = true
    order = .entered
    beTold()
  }

  /// The controller tells the state to leave; as ``enter()``.
  public func exit() {
    order = .exited
    beTold()
  }

  private func beTold() {
    calls += 1
    told(self)
    calls -= 1
  }

  /// The recording says so.
  func complete(_ completion: Completion) {
    isComing = false
    guard let onCompletion else { return }
    guard let context else { return onCompletion(completion) }
    context.calling { onCompletion(completion) }
  }
}
