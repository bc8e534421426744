import Staty
import StatyHistory

// A controller of a recording, as it is played.
extension Cast.Part {
  /// Whether it is of another kind than the one that was recorded.
  var isReplaced: Bool { name != record.kind }

  /// How much is reported when it is played: what was recorded, or all of it by another kind.
  var playedFidelity: Fidelity {
    isReplaced ? .full : record.knownFidelity
  }

  /// The record of what is played.
  var played: ControllerRecord {
    var played = record
    if !record.isTrack || isReplaced { played.policy = name }
    played.discipline = discipline.rawValue
    played.fidelity = playedFidelity.rawValue
    if let standing { played.snapshot = standing.played.text }
    return played
  }

  /// The controller in a run that plays it; `nil` if it cannot be made.
  ///
  /// - Throws: what its factory throws, or a `PlayerError`.
  func player(_ snapshot: SnapshotRecord, in host: any PlayerHost) throws -> (any Player)? {
    switch entry {
    case .policy(let make): PolicyPlayer(record.id, make, snapshot, host)
    case .opaque(let factory): try OpaquePlayer(self, factory, snapshot, host)
    case nil: nil
    }
  }

  /// More visits no session has had; the numbers of those to come must be numbers, too.
  private static let mostVisits: UInt32 = 1 << 31

  /// Where it stands when it comes in, and who asks for what waited there; `nil` if that cannot be
  /// read.
  ///
  /// One kind cannot take up another's line: it may have no room for it. So whoever waited asks
  /// again.
  var standing: (played: SnapshotRecord, waiting: [SnapshotRecord.Request])? {
    guard var snapshot = SnapshotRecord(record.snapshot), snapshot.lastVisit < Self.mostVisits
    else { return nil }
    if case .opaque = entry {
      // Only our own controllers wait for a target, and only they tell of it.
      snapshot.isWithholding = false
    }
    guard isReplaced else { return (snapshot, []) }
    let waiting = snapshot.waiting
    snapshot.waiting = []
    snapshot.standing = Array(snapshot.standing.suffix(1))
    return (snapshot, waiting)
  }
}

extension Ask {
  /// The request of a visit that waited when its controller came in.
  init(_ request: SnapshotRecord.Request) {
    self.init(StateName(request.state))
    visit = request.visit
    instance = request.instance ?? request.visit
    priority = request.priority ?? 0
    equality = request.equality
    answers = request.answers ?? 0
  }
}
