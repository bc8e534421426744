package import Staty

/// Everything that is known of a controller before its first event.
package struct ControllerOpening: Sendable {
  package var id: Int32
  /// The name under which it is recorded; empty if that is not known.
  package var name = ""
  package var isTrack = false
  package var discipline: Discipline
  package var fidelity: Fidelity
  /// `false` if salvage could not verify the fidelity, and assumes the lowest.
  package var isVerified = true
  /// `false` if its visits at the beginning are not known.
  package var isKnown = true
  /// Whether it is a track that has had events before: what it shows is known only if it says so.
  package var isLate = false
  /// Whether it is a path that says that it holds nothing.
  package var isEmpty = false
  package var isWithholding = false
  package var isTornDown = false
  package var lastVisit: UInt32 = 0
  package var routes: [SnapshotRecord.Route]?
  package var mirrors: [TrackMirror] = []
  /// The names of states that a track leaves again.
  package var transient: Set<String> = []
}

extension ControllerOpening {
  /// A controller without any known event before the first one that is read.
  package init(unknown id: Int32) {
    self.init(id: id, discipline: .atOnce, fidelity: .full, isKnown: false)
  }

  /// The opening that the file holds.
  package init(_ record: ControllerRecord) {
    // A value that no version has written is judged as the one that demands least.
    self.init(
      id: record.id, discipline: record.knownDiscipline,
      fidelity: Fidelity(rawValue: record.fidelity) ?? .threeKind,
      isVerified: record.policy != ControllerRecord.unverifiedPolicy)
    (name, isTrack) = (record.name, record.isTrack)
    guard let snapshot = record.opening else {
      isKnown = false
      return
    }
    (isLate, isEmpty) = (snapshot.isLate == true, snapshot.isEmpty == true)
    isWithholding = snapshot.isWithholding
    isTornDown = snapshot.isTornDown
    lastVisit = snapshot.lastVisit
    routes = snapshot.routes
    mirrors = snapshot.mirrors ?? []
    transient = Set(snapshot.transient ?? [])
  }

  /// The opening of a live controller.
  package init(_ snapshot: ControllerSnapshot, id: Int32) {
    self.init(
      id: id, isTrack: snapshot.discipline == .moves, discipline: snapshot.discipline,
      fidelity: snapshot.fidelity,
      isLate: snapshot.isLate, isEmpty: snapshot.isLate && snapshot.isEmpty,
      isWithholding: snapshot.standing.isWithholding,
      isTornDown: snapshot.standing.isTornDown, lastVisit: snapshot.lastVisit,
      routes: snapshot.standing.routes?.routes.map { SnapshotRecord.Route($0) },
      mirrors: snapshot.mirrors, transient: Set(snapshot.transient.map(\.description)))
  }
}

extension ControllerRecord {
  /// The routes that the controller keeps to; none if it has none.
  var routes: [SnapshotRecord.Route]? {
    snapshot.contains("\"routes\"") ? SnapshotRecord(snapshot)?.routes : nil
  }

  /// The tracks that should show the same as the controller's track.
  package var mirrors: [TrackMirror] {
    snapshot.contains("\"mirrors\"") ? SnapshotRecord(snapshot)?.mirrors ?? [] : []
  }

  /// The snapshot; an empty object means that the controller was at its beginning.
  package var opening: SnapshotRecord? {
    snapshot == "{}" ? SnapshotRecord() : SnapshotRecord(snapshot)
  }
}
