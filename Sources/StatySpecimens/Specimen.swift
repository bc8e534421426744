package import Staty

/// A model of a published controller, with its faults.
///
/// It is a class with a queue and flags of its own, as apps have them, and reports to a probe.
package protocol Specimen: SpecimenStateOwner, Recordable, SendableMetatype {
  /// The name under which it is recorded and replayed.
  static var name: String { get }

  /// The order in which its states enter, and whether several are shown at once.
  static var discipline: Discipline { get }

  /// The state names on which it bases decisions.
  static var namesRead: Set<StateName> { get }

  /// The probe that it reports to.
  var probe: ControllerProbe { get }

  /// A controller that has shown nothing yet.
  ///
  /// - Parameters:
  ///   - probe: the probe that it reports to.
  ///   - timer: where it defers steps to.
  init(probe: ControllerProbe, timer: any TransitionTimer)

  /// Requests a state.
  ///
  /// - Parameters:
  ///   - asked: the contextual destination, if the request names one.
  ///   - origin: the state that makes the request, if there is one.
  func request(_ state: any SpecimenState, asked: StateName?, by origin: (any SpecimenState)?)
}

extension Specimen {
  package static var discipline: Discipline { .inOrder }

  package static var namesRead: Set<StateName> { [] }

  package var events: EventSource { probe.events }

  /// Tells a state to enter or to exit, and reports it.
  func tell(_ order: ControllerProbe.Order, _ state: any SpecimenState) {
    state.owner = self
    probe.telling(order, state) {
      switch order {
      case .enter: state.enter()
      case .exit: state.exit()
      }
    }
  }
}

/// The specimens.
package enum Specimens {
  /// All specimens.
  package static let all: [any Specimen.Type] = [
    Staty2019.self, Presenter.self, Keyed2015.self, Container2020.self,
  ]
}
