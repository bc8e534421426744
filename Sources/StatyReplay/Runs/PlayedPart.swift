import Staty
import StatyHistory

// A controller of a recording, as it is played.
extension Cast.Part {
  /// Whether it is of another kind than the recorded one.
  var isReplaced: Bool { name != record.kind }

  /// The fidelity of its played events: the recorded one, or full for a replacement.
  var playedFidelity: Fidelity {
    isReplaced ? .full : record.knownFidelity
  }

  /// The record of the played controller.
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
  /// - Throws: what its factory throws, or a `ReplayDoubt`.
  func player(_ snapshot: SnapshotRecord, in run: ScheduleRun) throws -> (any Player)? {
    switch entry {
    case .policy(let make): PolicyPlayer(record.id, make, snapshot, run)
    case .opaque(let factory): try OpaquePlayer(self, factory, snapshot, run)
    case nil: nil
    }
  }

  /// Its snapshot when its recording begins, and the requests that were waiting then; `nil` if the
  /// snapshot cannot be read.
  ///
  /// Another kind of controller cannot continue with the recorded line, which may not fit. So
  /// waiting requests are made again.
  var standing: (played: SnapshotRecord, waiting: [SnapshotRecord.Request])? {
    guard var snapshot = SnapshotRecord(record.snapshot),
      snapshot.lastVisit < RecordedInput.firstInserted
    else { return nil }
    if case .opaque = entry {
      // Only our own controllers wait for a target, and only they report it.
      snapshot.isWithholding = false
    }
    guard isReplaced else { return (snapshot, []) }
    let waiting = snapshot.waiting
    snapshot.waiting = []
    snapshot.standing = Array(snapshot.standing.suffix(1))
    return (snapshot, waiting)
  }
}
