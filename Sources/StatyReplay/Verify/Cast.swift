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
  }

  /// How a controller's events were recorded.
  enum Maker {
    /// Without the calls in which they happened.
    case silent
    /// By one of our controllers.
    case ours
    /// By an app's own controller, or by one of an unknown kind.
    case other
  }

  private(set) var parts: [Int32: Part] = [:]
  /// The numbers of the classes that are run again.
  private(set) var opaque: Set<Int32> = []
  /// How the events of each controller were recorded, whether it is replayed or not.
  private(set) var makers: [Int32: Maker] = [:]

  init(
    _ records: [ControllerRecord], only: Set<Int32>?, registry: ControllerRegistry,
    with replacement: Replacement
  ) {
    for record in records {
      makers[record.id] = Maker(record, registry[record.kind])
      guard only?.contains(record.id) ?? true else { continue }
      let name = replacement.name(for: record.id, recorded: record.kind)
      let part = Part(
        record: record, name: name, entry: registry[name],
        discipline: registry.discipline(of: name) ?? record.knownDiscipline)
      parts[record.id] = part
      guard case .opaque = part.entry else { continue }
      opaque.insert(record.id)
    }
  }

  /// The value that finds the calls around each event of the session.
  var nesting: PlaceNesting {
    PlaceNesting(
      placed: Set(makers.filter { $0.value != .silent }.keys), classes: opaque.filter(isPlaced))
  }

  /// Whether the recorded events of a controller lie in the calls in which it makes them again.
  ///
  /// A class that replaces one of our controllers does not: that one's events lie in its own work.
  func isPlaced(_ id: Int32) -> Bool {
    makers[id] != .silent && (makers[id] != .ours || !opaque.contains(id))
  }

  /// Whether the controller can be made, and is of the recorded kind.
  func isSame(_ id: Int32) -> Bool {
    parts[id].map { $0.entry != nil && $0.name == $0.record.kind } ?? false
  }

  /// Whether the controller is included and can be made.
  func plays(_ id: Int32) -> Bool { parts[id]?.entry != nil }

  /// Begins to replay a controller that is a policy, or notes that it cannot be made.
  func begin(_ id: Int32, at seq: Int64, _ policies: inout PolicyReplay) {
    guard let part = parts[id], policies.settle(id, at: seq) else { return }
    guard case .policy(let make) = part.entry else {
      policies.result.add(.unknownController(controller: id, policy: part.name))
      return
    }
    policies.begin(part.record, make)
  }

  /// Notes a skipped event of a controller that may not be attached.
  func noteUnbegun(_ id: Int32, _ policies: inout PolicyReplay) {
    if plays(id) { policies.noteUnbegun(id) }
  }
}

extension Cast.Maker {
  /// - Parameter entry: how controllers of the recorded kind are made, if that is known.
  fileprivate init(_ record: ControllerRecord, _ entry: ControllerRegistry.Entry?) {
    self =
      if !record.comparability.hasCauses {
        .silent
      } else {
        switch entry {
        case .policy: .ours
        case .opaque, nil: .other
        }
      }
  }
}
