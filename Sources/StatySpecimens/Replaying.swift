import Staty
public import StatyReplay

// The adapters are here and not in StatyReplay, which does not depend on the specimens: they are
// registered from outside, like an app's own controllers.

extension ControllerRegistry {
  /// A registry of the built-in policies and the specimens.
  public static var withSpecimens: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.registerSpecimens()
    return registry
  }

  /// Adds the specimens by their names.
  public mutating func registerSpecimens() {
    for specimen in Specimens.all { register(specimen) }
  }

  private mutating func register<S: Specimen>(_ specimen: S.Type) {
    register(S.name, discipline: S.discipline, reading: S.namesRead) { context in
      let controller = S(probe: context.probe, timer: context.scheduler)
      return context.subject(makeState: ScriptedState.init) { state, request in
        controller.request(state, asked: request.asked, by: nil)
      }
    }
  }
}

/// A specimen's state, played from a recording.
private final class ScriptedState: SpecimenState {
  let script: ReplayState
  weak var owner: (any SpecimenStateOwner)?
  var name: StateName { script.name }

  init(_ script: ReplayState) {
    self.script = script
    script.onCompletion = { [unowned self] in complete($0) }
  }

  func enter() { script.enter() }
  func exit() { script.exit() }
}
