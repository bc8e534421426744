import Staty
import StatyHistory

/// The controllers of a session, and how each is made again.
struct Cast {
  /// A controller and its part in the replay.
  struct Part {
    let record: ControllerRecord
    /// The name by which it is made.
    let name: String
    let entry: ControllerRegistry.Entry?
    /// The discipline that is checked when it is played.
    let discipline: Discipline
    /// Whether one of our controllers recorded it, with the calls in which its events happened.
    var isOurs = false

    /// Whether the recorded events of a class lie in the calls in which it makes them again.
    ///
    /// Those of one of our controllers lie in its own work, which a class does not repeat.
    var isPlaced: Bool { record.comparability.hasCauses && !isOurs }
  }

  private(set) var parts: [Int32: Part] = [:]
  /// The pairs of which one side says what the platform shows of a model that can be made, and nobody
  /// makes that side.
  private let shownPairs: Set<UInt32>
  /// The numbers of the classes that are run again.
  private(set) var opaque: Set<Int32> = []
  /// The controllers with events that say in which call they happened, replayed or not.
  private var placed: Set<Int32> = []

  /// - Parameter only: the numbers of the controllers that are played; `nil` for all.
  init(
    _ records: [ControllerRecord], only: Set<Int32>?, registry: ControllerRegistry,
    with replacement: Replacement
  ) throws(RegistryError) {
    try replacement.check(registry, records, only: only)
    let shown = Self.shown(records, registry)
    shownPairs = Set(
      records.filter { shown.contains($0.id) }.flatMap { $0.mirrors.map(\.pair) })
    for record in records {
      let hasCauses = record.comparability.hasCauses
      if hasCauses { placed.insert(record.id) }
      guard only?.contains(record.id) ?? true, !shown.contains(record.id) else { continue }
      let name = replacement.name(for: record.id, recorded: record.kind)
      var part = Part(
        record: record, name: name, entry: registry[name],
        discipline: registry.discipline(of: name) ?? record.knownDiscipline)
      if hasCauses, case .policy = registry[record.kind] { part.isOurs = true }
      parts[record.id] = part
      if case .opaque = part.entry { opaque.insert(record.id) }
    }
  }

  private static func shown(_ records: [ControllerRecord], _ registry: ControllerRegistry) -> Set<
    Int32
  > {
    let mirrored = records.filter { !$0.mirrors.isEmpty }
    let made = Set(mirrored.filter { registry[$0.kind] != nil }.flatMap { $0.mirrors.map(\.pair) })
    return Set(
      mirrored.filter { track in
        registry[track.kind] == nil && track.mirrors.contains { made.contains($0.pair) }
      }.map(\.id))
  }

  /// Whether the track that says what a track shows is not played: a run does not tell whether both agree.
  func isHalf(_ id: Int32) -> Bool {
    let pairs = Set(parts[id]?.record.mirrors.map(\.pair) ?? [])
    return !pairs.isDisjoint(with: shownPairs)
  }

  /// The value that finds the calls around each event of the session.
  var nesting: PlaceNesting {
    PlaceNesting(placed: placed, classes: opaque.filter { parts[$0]?.isPlaced ?? false })
  }

  /// Whether the controller can be made, and is of the recorded kind.
  func isSame(_ id: Int32) -> Bool {
    parts[id].map { $0.entry != nil && $0.name == $0.record.kind } ?? false
  }

  /// The classes of the recorded kinds.
  var sameClasses: Set<Int32> { opaque.filter(isSame) }

  /// Whether the controller is included and can be made.
  func plays(_ id: Int32) -> Bool { parts[id]?.entry != nil }
}
