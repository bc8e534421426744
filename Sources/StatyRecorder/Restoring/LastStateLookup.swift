import Foundation
import StatyHistory
import StatySQLite

/// Looks up the last state of a controller in the file and in the rings of killed processes next to it.
package struct LastStateLookup: Sendable {
  let controller: String
  /// The recording session, which is ignored.
  let current: String
  let path: String

  /// A lookup in the history at `path`.
  package init(controller: String, current: String, path: String) {
    self.controller = controller
    self.current = current
    self.path = path
  }

  /// Looks up the state with a new connection.
  ///
  /// The rings are opened before the file. So if a ring does not exist any more, the file has its events. If it
  /// exists, some or all of its events may be in the file too; these are skipped in the ring.
  package func find() throws -> LastState? {
    let rings = oldRings()
    guard FileManager.default.fileExists(atPath: path) else { return try find(in: rings, nil) }
    let connection = try Connection(path: path, mode: .readOnly)
    // The recorder's own thread may be opening the file at the same time.
    connection.setShortBusyTimeout(milliseconds: 100)
    try connection.configureForReading()
    return try find(rings, HistoryReader(ownFile: connection))
  }

  /// Looks up the state with the writer's connection, after the old rings are recovered.
  func find(through reader: HistoryReader) throws -> LastState? {
    try find([], reader)
  }

  /// Whether the writer's connection may succeed after this failure.
  func canWriterHelp(after error: any Error) -> Bool {
    switch error {
    case let error as SQLiteError: error.isTransient
    // The writer migrates the file.
    case HistoryError.older: true
    case HistoryError.failed(let error), HistoryError.refused(.sqlite(let error)):
      error.isTransient
    default: false
    }
  }

  private func find(_ rings: [RecoveredRing], _ reader: HistoryReader) throws -> LastState? {
    try reader.consistently {
      if let left = try find(in: rings, reader) { return left }
      guard let (session, visit) = try reader.shownVisit(of: controller, except: current) else {
        return nil
      }
      return try state(visit, in: session, reader)
    }
  }

  /// Sessions with events in a ring are newer than those that are completely in the file.
  private func find(in rings: [RecoveredRing], _ reader: HistoryReader?) throws -> LastState? {
    for ring in rings {
      if let state = try RingVisits(ring, reader)?.lastState(of: controller) { return state }
    }
    return nil
  }

  private func state(
    _ visit: ShownVisit, in session: SessionRecord, _ reader: HistoryReader
  ) throws -> LastState? {
    guard let state = try reader.name(visit.state) else { return nil }
    let time = try reader.wallTime(at: visit.exited ?? visit.entered, in: session)
    // A long session is continued in others. The last one has the ending.
    let run = try reader.lastSession(ofRun: session.run ?? session.uuid) ?? session
    return LastState(
      state: state, payload: try reader.detail(of: visit.seq)?.payload.flatMap(storedText),
      wasShown: visit.exited == nil, at: Date(microseconds: time), session: run.uuid,
      // No other process can be recording, so a session that has not ended was killed.
      ended: run.ended.flatMap { $0 == .open ? nil : $0 } ?? .killed)
  }

  /// The readable rings of killed processes, the newest first.
  private func oldRings() -> [RecoveredRing] {
    HistoryPlace.oldRings(of: path).compactMap { try? FlightRing.peek(path: $0) }
      .sorted { $0.session.wallMicroseconds > $1.session.wallMicroseconds }
  }
}

/// A payload as text; `nil` if it was left out.
func storedText(_ payload: [UInt8]) -> String? {
  payload == EventDetail.payloadLeftOut ? nil : String(decoding: payload, as: UTF8.self)
}

extension Date {
  init(microseconds: Int64) {
    self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000)
  }
}

extension SQLiteError {
  /// Whether another connection held a lock.
  fileprivate var isTransient: Bool { code == .busy || code == .locked }
}
