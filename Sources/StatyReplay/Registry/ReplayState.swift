public import Staty
import StatyHistory

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
  /// Whether what ``onCompletion`` reports was done to the end, such as an animation.
  ///
  /// It is `true` unless the class recorded the completion with `finished: false`, or a search tries
  /// that.
  public private(set) var hasFinished = true

  /// How the code of the controller that the state belongs to is called.
  var ownCode: OwnCode?
  /// Called when the controller tells the state to enter or exit.
  private var told: (ReplayState) -> Void = { _ in }
  // The replay's `StateObjects` hold it to the end. A weak reference would make every use of it slower.
  private unowned(unsafe) var object: AnyObject?
  /// How many weak references to the object there were, before the controller got it.
  private var weakReferences: UInt = 0
  /// Whether it was told to enter, and has neither entered nor exited since.
  private(set) var isComing = false
  /// Whether it was told to exit, and has not exited since.
  private var isGoing = false
  /// What it was told last, by the completion that answers it.
  private(set) var order = Completion.entered
  /// The visits of it that the controller reported last, by what it reported; 0 if none.
  private var visits: (asked: UInt32, entering: UInt32, exiting: UInt32) = (0, 0, 0)

  init(name: StateName, payload: String?) {
    self.name = name
    self.payload = payload
  }

  /// Begins to play an object.
  ///
  /// - Parameter told: called when the controller tells the state to enter or exit.
  func play(_ object: AnyObject, told: @escaping (ReplayState) -> Void) {
    (self.object, self.told) = (object, told)
    weakReferences = _getWeakRetainCount(object)
  }

  /// Whether something holds the object weakly that did not at first; asked only during the replay.
  var isHeldWeakly: Bool { object.map { _getWeakRetainCount($0) > weakReferences } ?? false }

  /// Call this when the controller tells the state to enter.
  ///
  /// What was recorded inside of that call happens before this returns.
  public func enter() {
    isComing = true
    order = .entered
    told(self)
  }

  /// Call this when the controller tells the state to exit.
  ///
  /// What was recorded inside of that call happens before this returns.
  public func exit() {
    isGoing = true
    order = .exited
    told(self)
  }

  /// Whether it was told to do this, and has not reported it.
  func owes(_ completion: Completion) -> Bool { completion == .entered ? isComing : isGoing }

  /// Notes that the controller reported an event of one of its visits.
  func note(_ kind: EventKind, _ visit: UInt32) {
    switch kind {
    case .enqueued: visits.asked = visit
    case .entering: visits.entering = visit
    case .exiting: visits.exiting = visit
    default: break
    }
  }

  /// The visit that it was told about last; 0 if the controller reported none.
  var visit: UInt32 {
    let visit = order == .entered ? visits.entering : visits.exiting
    return visit == 0 ? visits.asked : visit
  }

  /// The recording says that the state has entered or exited.
  func complete(_ completion: Completion, isFinished: Bool) {
    isComing = false
    hasFinished = isFinished
    if completion == .exited { isGoing = false }
    guard let onCompletion else { return }
    guard let ownCode else { return onCompletion(completion) }
    ownCode.call { onCompletion(completion) }
  }
}
