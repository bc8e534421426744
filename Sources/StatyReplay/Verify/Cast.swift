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
    /// The order that it is held to when it is played.
    let discipline: Discipline
  }

  /// Who recorded the events of a controller, and how.
  enum Maker {
    /// It is not said where they happened.
    case silent
    /// A controller of ours.
    case ours
    /// An app's own controller, or one of a kind that is not known.
    case other
  }

  private(set) var parts: [Int32: Part] = [:]
  /// The numbers of those that are run again.
  private(set) var opaque: Set<Int32> = []
  /// Who recorded what each did, replayed or not.
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

  /// What knows which calls are under way when something happens.
  var nesting: PlaceNesting {
    PlaceNesting(
      placed: Set(makers.filter { $0.value != .silent }.keys), classes: opaque.filter(isPlaced))
  }

  /// Whether the events of a controller say where they happened, as it would make them when it is run
  /// again: what was recorded of a policy is done in the policy's own work.
  func isPlaced(_ id: Int32) -> Bool {
    makers[id] != .silent && (makers[id] != .ours || !opaque.contains(id))
  }

  /// Whether the controller can be made, and as the kind that was recorded.
  func isSame(_ id: Int32) -> Bool {
    parts[id].map { $0.entry != nil && $0.name == $0.record.kind } ?? false
  }

  /// Whether the controller is meant and can be made.
  func plays(_ id: Int32) -> Bool { parts[id]?.entry != nil }

  /// A controller that is a policy, or that nobody can make, is replayed from here on.
  func begin(_ id: Int32, at seq: Int64, _ policies: inout PolicyReplay) {
    guard let part = parts[id], policies.settle(id, at: seq) else { return }
    guard case .policy(let make) = part.entry else {
      policies.result.add(.unknownController(controller: id, policy: part.name))
      return
    }
    policies.begin(part.record, make)
  }

  /// An event of a controller is gone past that may never have begun.
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
