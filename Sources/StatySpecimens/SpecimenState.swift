package import Staty

/// A state as the specimens know it: told to enter and to exit, and reports when it has.
package protocol SpecimenState: AnyObject {
  /// The state's name.
  var name: StateName { get }
  /// The controller that it reports to.
  var owner: (any SpecimenStateOwner)? { get set }

  /// The controller tells it to enter.
  func enter()
  /// The controller tells it to leave.
  func exit()
}

/// A controller that a state reports to.
package protocol SpecimenStateOwner: AnyObject {
  /// The state is in.
  func didEnter(_ state: any SpecimenState)
  /// The state is out.
  func didExit(_ state: any SpecimenState)
}

extension SpecimenState {
  /// Reports that it has entered, or exited.
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
  /// What it does when it is told to enter.
  package var onEnter: (PlayedState) -> Void = { _ in }
  /// What it does when it is told to exit.
  package var onExit: (PlayedState) -> Void = { _ in }

  /// A state that does nothing yet.
  package init(_ name: StateName) {
    self.name = name
  }

  package func enter() { onEnter(self) }
  package func exit() { onExit(self) }
}
