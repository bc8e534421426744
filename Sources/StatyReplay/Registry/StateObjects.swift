import Staty
import StatyHistory

/// The state objects that an app's own controller is given, each with the script that plays it.
///
/// None is forgotten: whoever made a request may keep its object, and request it again at any time.
final class StateObjects {
  struct Member {
    let object: AnyObject
    let script: ReplayState
  }

  // Unchecked: used by one replay, and no access lasts while an app's code runs.
  @exclusivity(unchecked) private var objects: [ObjectIdentifier: Member] = [:]
  /// By the recorded numbers of objects.
  @exclusivity(unchecked) private var instances: [UInt32: Member] = [:]
  @exclusivity(unchecked) private var visits: [UInt32: Member] = [:]
  /// Called when the controller tells a state to enter or exit, by an app that may keep the state longer
  /// than the replay.
  @exclusivity(unchecked) var told: (ReplayState) -> Void = { _ in }

  /// The object of a request, one for each recorded object.
  ///
  /// - Parameter instance: the recorded number of the object; 0 if each request has a new one.
  func object(
    _ instance: UInt32, _ name: StateName, _ payload: String?, _ requests: ReplaySubject.Requests
  ) -> AnyObject {
    if instance != 0, let known = instances[instance] { return known.object }
    let script = ReplayState(name: name, payload: payload)
    let object = requests.makeState(script)
    script.play(object, told: told)
    let member = Member(object: object, script: script)
    objects[ObjectIdentifier(object)] = member
    if instance != 0 { instances[instance] = member }
    return object
  }

  /// Notes an event of a visit of an object.
  ///
  /// - Parameters:
  ///   - object: the object; `nil` if its number is enough.
  ///   - instance: the recorded number of the object; 0 if it is not known.
  func note(
    _ kind: EventKind, _ visit: UInt32, about object: AnyObject?, instance: UInt32 = 0
  ) {
    let known = instance == 0 ? nil : instances[instance]
    guard let member = known ?? object.flatMap({ objects[ObjectIdentifier($0)] }) else { return }
    if instance != 0, known == nil { instances[instance] = member }
    member.script.note(kind, visit)
    visits[visit] = member
  }

  /// The state object of a visit and its script; `nil` if it is one of the controller's own.
  subscript(visit: UInt32) -> Member? { visits[visit] }
}
