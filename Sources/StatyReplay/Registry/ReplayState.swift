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
  /// The recorded payload, if there is one.
  public let payload: String?
  /// Called when the recording says that the state has entered or exited.
  public var onCompletion: ((Completion) -> Void)?

  /// The context of the controller that the state belongs to.
  weak var context: ReplayContext?
  /// Called when the controller tells the state to enter or exit.
  var told: (ReplayState) -> Void = { _ in }
  /// Whether it was told to enter, and has neither entered nor exited since.
  private(set) var isComing = false
  /// Whether it was told to exit, and has not exited since.
  private var isGoing = false
  /// What it was told last, by the completion that answers it.
  private(set) var order = Completion.entered
  /// How many calls of `enter` and `exit` have not returned.
  private(set) var calls = 0

  init(name: StateName, payload: String?) {
    self.name = name
    self.payload = payload
  }

  /// Call this when the controller tells the state to enter.
  ///
  /// What was recorded inside of that call happens before this returns.
  public func enter() {
    isComing = true
    order = .entered
    beTold()
  }

  /// Call this when the controller tells the state to exit.
  ///
  /// What was recorded inside of that call happens before this returns.
  public func exit() {
    isGoing = true
    order = .exited
    beTold()
  }

  /// Whether it was told to do this, and has not reported it.
  func owes(_ completion: Completion) -> Bool { completion == .entered ? isComing : isGoing }

  private func beTold() {
    calls += 1
    told(self)
    calls -= 1
  }

  /// The recording says that the state has entered or exited.
  func complete(_ completion: Completion) {
    isComing = false
    if completion == .exited { isGoing = false }
    guard let onCompletion else { return }
    guard let context else { return onCompletion(completion) }
    context.calling { onCompletion(completion) }
  }
}
