import Staty
import StatyHistory

/// The state objects that an app's own controller is given, each with the script that plays it.
final class StateObjects {
  final class Member {
    let object: AnyObject
    let script: ReplayState
    /// The recorded number of the object; 0 if it has none.
    fileprivate let instance: UInt32
    fileprivate var lastVisit: UInt32 = 0
    /// Its visits that have not ended.
    fileprivate var open: Set<UInt32> = []
    /// How many weak references to the object there are, before the controller gets it.
    private let weakReferences: UInt

    fileprivate init(_ object: AnyObject, _ script: ReplayState, _ instance: UInt32) {
      (self.object, self.script, self.instance) = (object, script, instance)
      weakReferences = _getWeakRetainCount(object)
    }

    fileprivate var isHeldWeakly: Bool { _getWeakRetainCount(object) > weakReferences }
  }

  /// For how many later visits an object that has ended is remembered: late completions may arrive.
  private static let most: UInt32 = 4_096

  // Unchecked: used by one replay, and no access lasts while an app's code runs.
  @exclusivity(unchecked) private var objects: [ObjectIdentifier: Member] = [:]
  /// By the recorded numbers of objects.
  @exclusivity(unchecked) private var instances: [UInt32: Member] = [:]
  @exclusivity(unchecked) private var visits: [UInt32: Member] = [:]
  @exclusivity(unchecked) private var lastVisit: UInt32 = 0
  /// Whether something held a state weakly when it was told something.
  @exclusivity(unchecked) private(set) var isHeldWeakly = false

  /// The object of a request, one for each recorded object.
  ///
  /// - Parameters:
  ///   - instance: the recorded number of the object; 0 if each request has a new one.
  ///   - told: called when the controller tells the state to enter or exit.
  func object(
    _ instance: UInt32, _ name: StateName, _ payload: String?, _ requests: ReplaySubject.Requests,
    told: @escaping (ReplayState) -> Void
  ) -> AnyObject {
    if instance != 0, let known = instances[instance] { return known.object }
    let script = ReplayState(name: name, payload: payload)
    let member = Member(requests.makeState(script), script, instance)
    // The app may keep the state longer than the replay.
    script.told = { [weak self, weak member] script in
      if member?.isHeldWeakly ?? false { self?.isHeldWeakly = true }
      told(script)
    }
    objects[ObjectIdentifier(member.object)] = member
    if instance != 0 {
      instances[instance] = member
      if let old = instances[instance &- Self.most] { forget(old, at: instance &- Self.most) }
    }
    return member.object
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
    member.lastVisit = max(member.lastVisit, visit)
    let isNew = visit > lastVisit
    lastVisit = max(lastVisit, visit)
    if visits.updateValue(member, forKey: visit) == nil {
      if isNew { member.open.insert(visit) }
      forget(visit &- Self.most)
    }
    if kind == .exited || kind == .discarded {
      member.open.remove(visit)
      if visit &+ Self.most <= lastVisit { forget(visit) }
    }
  }

  /// Forgets a visit that has ended.
  private func forget(_ visit: UInt32) {
    guard let member = visits[visit], !member.open.contains(visit) else { return }
    visits[visit] = nil
    forget(member, at: visit)
  }

  /// Forgets an object, unless it has an open visit or had a later one than this.
  private func forget(_ member: Member, at visit: UInt32) {
    guard member.lastVisit <= visit, member.open.isEmpty else { return }
    objects[ObjectIdentifier(member.object)] = nil
    if member.instance != 0 { instances[member.instance] = nil }
  }

  /// The state object of a visit and its script; `nil` if it is one of the controller's own.
  subscript(visit: UInt32) -> Member? { visits[visit] }
}
