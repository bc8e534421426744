package import Staty

/// A state as the specimens know it: told to come in and to leave, and says when it has.
package protocol SpecimenState: AnyObject {
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
package protocol SpecimenStateOwner: AnyObject {
  /// The state is in.
  func didEnter(_ state: any SpecimenState)
  /// The state is out.
  func didExit(_ state: any SpecimenState)
}

extension SpecimenState {
  /// Says that it is in, or out.
  package func say(_ completion: Completion) {
    switch completion {
    case .entered: owner?.didEnter(self)
    case .exited: owner?.didExit(self)
    }
  }
}

/// A state that does what a scenario says.
package final class PlayedState: SpecimenState {
  /// When a state does something that it was told.
  package enum Pace: Sendable {
    /// Before the call returns.
    case atOnce
    /// So long after the call.
    case after(Duration)
    /// Not at all.
    case never
  }

  package let name: StateName
  package weak var owner: (any SpecimenStateOwner)?
  /// What it does when it is told to come in.
  package var onEnter: (PlayedState) -> Void = { _ in }
  /// What it does when it is told to leave.
  package var onExit: (PlayedState) -> Void = { _ in }

  /// A state that does nothing yet.
  package init(_ name: StateName) {
    self.name = name
  }

  package func enter() { onEnter(self) }
  package func exit() { onExit(self) }
}
