public import Staty

/// A state as the specimens know it: told to come in and to leave, and says when it has.
public protocol SpecimenState: AnyObject {
  /// The state's name.
  var name: StateName { get }
  /// Whom it says it to.
  var owner: (any SpecimenStateOwner)? { get set }

  /// The controller tells it to come in.
  func enter()
  /// The controller tells it to leave.
  func exit()
}

/// Whom a state tells that it is in or out.
public protocol SpecimenStateOwner: AnyObject {
  /// The state is in.
  func didEnter(_ state: any SpecimenState)
  /// The state is out.
  func didExit(_ state: any SpecimenState)
}

extension SpecimenState {
  /// Says that it is in, or out.
  public func say(_ completion: Completion) {
    switch completion {
    case .entered: owner?.didEnter(self)
    case .exited: owner?.didExit(self)
    }
  }
}

/// A state that does what a scenario says.
public final class PlayedState: SpecimenState {
  /// When a state does something that it was told.
  public enum Pace: Sendable {
    /// Before the call returns.
    case atOnce
    /// So long after the call.
    case after(Duration)
    /// Not at all.
    case never
  }

  public let name: StateName
  public weak var owner: (any SpecimenStateOwner)?
  /// What it does when it is told to come in.
  public var onEnter: (PlayedState) -> Void = { _ in }
  /// What it does when it is told to leave.
  public var onExit: (PlayedState) -> Void = { _ in }

  /// A state that does nothing yet.
  public init(_ name: StateName) {
    self.name = name
  }

  public func enter() { onEnter(self) }
  public func exit() { onExit(self) }
}
