/// Adapts a state that was written for a more general target than the controller's.
final class UpcastState<Base: ScreenState, Target>: ScreenState {
  private let base: Base
  private let upcast: (Target) -> Base.Target

  init(_ base: Base, _ upcast: @escaping (Target) -> Base.Target) {
    self.base = base
    self.upcast = upcast
  }

  var name: StateName { base.name }
  var coalescingKey: AnyHashable? { base.coalescingKey }
  var payload: StatePayload? { base.payload }
  var awaitsUser: Bool { base.awaitsUser }

  func enter(on target: Target, visit: Visit) {
    base.enter(on: upcast(target), visit: visit)
  }

  func exit(from target: Target, visit: Visit) {
    base.exit(from: upcast(target), visit: visit)
  }
}
