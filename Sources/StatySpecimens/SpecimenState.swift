package import Staty

/// A state of a specimen, which is told to enter and to exit, and reports when it has.
package protocol SpecimenState: AnyObject {
  /// The state's name.
  var name: StateName { get }
  /// The controller that it reports to.
  var owner: (any SpecimenStateOwner)? { get set }

  /// Tells it to enter.
  func enter()
  /// Tells it to exit.
  func exit()
}

/// A controller that a state reports to.
package protocol SpecimenStateOwner: AnyObject {
  /// The state has entered.
  func didEnter(_ state: any SpecimenState)
  /// The state has exited.
  func didExit(_ state: any SpecimenState)
}

extension SpecimenState {
  /// Reports that it has entered, or exited.
  package func complete(_ completion: Completion) {
    switch completion {
    case .entered: owner?.didEnter(self)
    case .exited: owner?.didExit(self)
    }
  }
}

/// A state that behaves as a scenario says.
package final class PlayedState: SpecimenState {
  /// When a state answers a call.
  package enum Pace: Sendable {
    /// Before the call returns.
    case atOnce
    /// A time after the call.
    case after(Duration)
    /// Not at all.
    case never
  }

  package let name: StateName
  package weak var owner: (any SpecimenStateOwner)?
  /// Called when it is told to enter.
  package var onEnter: (PlayedState) -> Void = { _ in }
  /// Called when it is told to exit.
  package var onExit: (PlayedState) -> Void = { _ in }

  /// A state that does nothing yet.
  package init(_ name: StateName) {
    self.name = name
  }

  package func enter() { onEnter(self) }
  package func exit() { onExit(self) }
}
