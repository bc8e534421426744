public import Staty
package import StatyHistory

/// How to make the controllers that recordings name.
///
/// It knows the policies that this package brings. An app adds its own:
///
/// ```swift
/// var registry = ControllerRegistry()
/// registry.register(policy: "newest-first") { StagedPolicy<NewestFirst>() }
/// registry.register("checkout") { context in
///   let checkout = CheckoutController(probe: context.probe)
///   return context.subject(makeState: ScriptedStep.init) { step, _ in checkout.show(step) }
/// }
/// ```
///
/// The name is the one that is recorded: the policy's own, or that of the `ControllerProbe`.
///
/// Controllers of the main actor are registered on it, where the closures are on it, too, and replayed on
/// it, which the compiler sees to:
///
/// ```swift
/// extension ControllerRegistry {
///   @MainActor static var shop: ControllerRegistry {
///     var registry = ControllerRegistry()
///     registry.register("checkout") { context in … }
///     return registry
///   }
/// }
/// ```
public struct ControllerRegistry {
  /// Makes an opaque controller that reports through the context's probe.
  public typealias Factory = (ReplayContext) throws -> ReplaySubject

  enum Entry {
    case policy((PolicySnapshot) -> PolicySubject)
    case opaque(Factory)
  }

  private var entries: [String: Entry] = [:]
  /// The disciplines that were registered.
  private var disciplines: [String: Discipline] = [:]
  private var read: [String: Set<StateName>] = [:]
  /// The new names of renamed cases, by the old ones.
  private var renamed: [String: String] = [:]
  /// Watches the calls of controllers' own code.
  package var vigil: ReplayVigil?

  /// A registry of the policies that this package brings.
  public init() {
    register(policy: "queue") { QueuePolicy() }
    register(policy: "latest") { LatestPolicy() }
    register(policy: "immediate") { ImmediatePolicy() }
    register(policy: "reject") { RejectPolicy() }
    register(policy: "priority") { PriorityPolicy() }
    register(policy: "coalesce") { CoalescePolicy() }
    ours = Set(entries.keys)
  }

  /// The models of plain async code, by the names of their tracks: what makes one.
  package private(set) var models: [(tracks: [String], make: Any)] = []

  /// Adds a model, or replaces the one with the same tracks.
  package mutating func register(model tracks: [String], make: Any) {
    models.removeAll { $0.tracks == tracks }
    models.append((tracks, make))
  }

  /// The names of the policies that this package brings, unless they were replaced.
  private(set) var ours: Set<String> = []

  /// Every name that a controller can be made by, in the order of the alphabet.
  package var names: [String] { (entries.keys + models.flatMap(\.tracks)).sorted() }

  /// The state names on which controllers of a kind base decisions: with others they behave
  /// differently.
  package func names(readBy kind: String) -> Set<StateName> { read[kind] ?? [] }

  /// The registered discipline of a kind of controller; `nil` if none was given, and the recorded
  /// one applies.
  package func discipline(of kind: String) -> Discipline? { disciplines[kind] }

  /// Whether a controller can be made by this name.
  package func contains(_ name: String) -> Bool { entries[name] != nil }

  /// Whether an app's own class or model is made under this name.
  package func makesOwn(_ kind: String) -> Bool { contains(kind) && !ours.contains(kind) }

  /// Whether every track that a track mirrors can be made: without it, a run breaks no mirror.
  package func playsMirrors(of id: Int32, among records: [ControllerRecord]) -> Bool {
    let pairs = Set(records.first { $0.id == id }?.mirrors.map(\.pair) ?? [])
    return records.allSatisfy { record in
      contains(record.kind) || !record.mirrors.contains { pairs.contains($0.pair) }
    }
  }

  /// A registry in which one name makes what another makes, as if the bug were fixed that way.
  ///
  /// The discipline stays the same.
  package func making(_ name: String, like kind: String) -> ControllerRegistry {
    var registry = self
    guard kind != name else { return registry }
    registry.entries[name] = entries[kind]
    registry.read[name] = read[kind]
    registry.ours.remove(name)
    return registry
  }

  subscript(name: String) -> Entry? {
    guard case .opaque(let factory) = entries[name], vigil != nil || !renamed.isEmpty else {
      return entries[name]
    }
    return .opaque { [vigil, renamed] context in
      (context.vigil, context.renamed) = (vigil, renamed)
      guard let vigil else { return try factory(context) }
      return try vigil.during(context.controller, context.clock.now) { try factory(context) }
    }
  }

  /// Says that a case was renamed after it was recorded.
  ///
  /// A replay reads the old name as the new one, in states, elements of paths and messages of all
  /// controllers and tracks.
  ///
  /// ```swift
  /// registry.rename("ready", to: "loaded")
  /// ```
  public mutating func rename(_ old: StateName, to new: StateName) {
    renamed[old.description] = new.description
  }

  /// The names of a history, as they are today.
  func current(_ names: [Int32: String]) -> [Int32: String] {
    renamed.isEmpty ? names : names.mapValues(current)
  }

  /// The controllers of a history with the names of today in their snapshots.
  func current(_ records: [ControllerRecord]) -> [ControllerRecord] {
    if renamed.isEmpty { return records }
    return records.map { record in
      guard var snapshot = SnapshotRecord(record.snapshot) else { return record }
      snapshot.renameStates(current)
      var record = record
      record.snapshot = snapshot.text
      return record
    }
  }

  private func current(_ name: String) -> String { renamed[name] ?? name }
}

extension ControllerRegistry {
  /// Adds a policy, or replaces the one of that name.
  ///
  /// - Parameter make: makes the policy at its beginning. If a recording began later, or has
  ///   routes, the policy's own `init(restoring:)` is used.
  public mutating func register<Policy: TransitionPolicy>(
    policy name: String, _ make: @escaping () -> Policy
  ) {
    ours.remove(name)
    read[name] = nil
    disciplines[name] = Policy.discipline
    entries[name] = .policy { snapshot in
      if snapshot.routes != nil {
        PolicySubject(RoutedPolicy<Policy>(restoring: snapshot))
      } else if snapshot == PolicySnapshot() {
        PolicySubject(make())
      } else {
        PolicySubject(Policy(restoring: snapshot))
      }
    }
  }

  /// Adds an opaque controller, a class with a discipline of its own, or replaces the one of that
  /// name.
  ///
  /// Several names may make variants of one recorded kind, such as a faulty one and a fixed one.
  ///
  /// - Parameters:
  ///   - discipline: in which order it lets its states enter. `nil` for the recorded discipline or,
  ///     if none was recorded, the order of the requests.
  ///   - names: the state names on which it bases decisions. Redaction keeps them: without them, a
  ///     replay of the history would differ.
  public mutating func register(
    _ name: String, discipline: Discipline? = nil, reading names: Set<StateName> = [],
    _ factory: @escaping Factory
  ) {
    ours.remove(name)
    read[name] = names
    disciplines[name] = discipline
    entries[name] = .opaque(factory)
  }
}
