import Staty
import StatyHistory

/// Where a controller stood when its recording began, in the form in which the model takes it in.
struct ControllerOpening {
  /// A visit that was open, or the last one that was shown.
  struct Standing {
    var visit: UInt32
    var state: String
    var priority: Int32 = 0
    /// How far it is; `nil` while it waits.
    var phase: Phase?
  }

  /// A declared move; no `from` stands for the beginning.
  struct Move {
    var from: String?
    var isAnywhere = false
    var to: String
  }

  var id: Int32
  var discipline: Discipline
  var fidelity: Fidelity
  /// `false` if nothing is known of where it stood.
  var isKnown = true
  var standing: [Standing] = []
  /// Those that wait, in the order in which they were asked for.
  var waiting: [Standing] = []
  var isWithholding = false
  var isTornDown = false
  var lastVisit: UInt32 = 0
  var moves: [Move]?
}

/// What the rules have to know of a policy.
enum Discipline: UInt8, Sendable {
  /// One at a time, in the order in which they were asked for; others are discarded.
  case inOrder
  /// One at a time, the most urgent first.
  case byUrgency
  /// Everybody at once.
  case atOnce

  /// The discipline of the policy with this name; an app's own shows one at a time in order.
  init(policy: String) {
    switch policy {
    case "priority": self = .byUrgency
    // What is not known is judged as what says least.
    case "immediate", HistorySalvage.unverifiedPolicy: self = .atOnce
    default: self = .inOrder
    }
  }
}

extension ControllerOpening {
  /// The opening that the file says.
  init(_ record: ControllerRecord) {
    id = record.id
    discipline = Discipline(policy: record.policy)
    // What no version has written is judged as what says least.
    fidelity = Fidelity(rawValue: record.fidelity) ?? .threeKind
    guard let snapshot = SnapshotRecord(lenient: record.snapshot) else {
      isKnown = false
      return
    }
    standing = snapshot.standing.map(Standing.init)
    waiting = snapshot.waiting.map(Standing.init).sorted { $0.visit < $1.visit }
    isWithholding = snapshot.isWithholding
    isTornDown = snapshot.isTornDown
    lastVisit = snapshot.lastVisit
    moves = snapshot.routes?.map {
      Move(from: $0.from, isAnywhere: $0.isAnywhere ?? false, to: $0.to)
    }
  }

  /// The opening of a controller that is alive.
  init(_ snapshot: ControllerSnapshot, id: Int32) {
    self.id = id
    discipline = Discipline(policy: snapshot.policy.description)
    fidelity = snapshot.fidelity
    standing = snapshot.standing.standing.map { Standing($0.request, $0.phase) }
    waiting = snapshot.standing.waiting.map { Standing($0, nil) }.sorted { $0.visit < $1.visit }
    isWithholding = snapshot.standing.isWithholding
    isTornDown = snapshot.standing.isTornDown
    lastVisit = snapshot.lastVisit
    moves = snapshot.standing.routes?.routes.map { Move($0) }
  }
}

extension ControllerOpening.Standing {
  fileprivate init(_ request: SnapshotRecord.Request) {
    visit = request.visit
    state = request.state
    priority = request.priority ?? 0
    phase = request.phase.flatMap(Phase.init(rawValue:))
  }

  fileprivate init(_ request: Request, _ phase: Phase?) {
    visit = request.visit.rawValue
    state = request.state.description
    priority = request.priority
    self.phase = phase
  }
}

extension ControllerOpening.Move {
  fileprivate init(_ route: Route) {
    to = route.to.description
    switch route.start {
    case .beginning: break
    case .anywhere: isAnywhere = true
    case .state(let name): from = name.description
    }
  }
}

extension SnapshotRecord {
  /// The snapshot that this text says; an empty object says that the controller is at its
  /// beginning.
  fileprivate init?(lenient text: String) {
    if text == "{}" {
      self.init()
    } else {
      self.init(text)
    }
  }
}
