import Foundation
import StatyHistory
import StatySQLite
import Synchronization

/// Looks for the last state of a controller in the file and in the rings that killed processes left next to it.
package struct LastStateLookup: Sendable {
  let controller: String
  /// The session that records now.
  let current: String
  let path: String

  /// A lookup in the history at `path`.
  package init(controller: String, current: String, path: String) {
    self.controller = controller
    self.current = current
    self.path = path
  }

  /// Looks through a connection of its own.
  ///
  /// The rings are opened first: one that is gone by then was brought in before, so the file, opened
  /// after, says what it said. One that is still there may have been brought in as well, or half of
  /// it; its events that are stored are passed over.
  package func find() throws -> LastState? {
    let rings = leftovers()
    guard FileManager.default.fileExists(atPath: path) else { return try find(in: rings, nil) }
    let connection = try Connection(path: path, mode: .readOnly)
    // The recorder's own thread is opening the file, too.
    connection.setShortBusyTimeout(milliseconds: 100)
    try connection.configureForReading()
    return try find(rings, HistoryReader(ownFile: connection))
  }

  /// Looks through the writer's connection, after it has brought in what was left.
  func find(through reader: HistoryReader) throws -> LastState? {
    try find([], reader)
  }

  /// Whether the writer may succeed where a reader of our own has failed.
  func isWorthAsking(after error: any Error) -> Bool {
    switch error {
    case let error as SQLiteError: error.isTransient
    // It brings the file up to date.
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

  /// The newest session that is not, or not wholly, in the file comes after all that are.
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
    // A long run is several sessions; the last of them says how it ended.
    let run = try reader.lastSession(ofRun: session.run ?? session.uuid) ?? session
    return LastState(
      state: state, payload: try reader.detail(of: visit.seq)?.payload.flatMap(storedText),
      wasIn: visit.exited == nil, at: Date(microseconds: time), session: run.uuid,
      // No other process can be recording: a session that has not ended was killed.
      ended: run.ended.flatMap { $0 == .open ? nil : $0 } ?? .killed)
  }

  /// What killed processes left, the newest first.
  ///
  /// One that is damaged is passed over.
  private func leftovers() -> [RecoveredRing] {
    HistoryPlace.leftovers(of: path).compactMap { try? FlightRing.peek(path: $0) }
      .sorted { $0.session.wallMicroseconds > $1.session.wallMicroseconds }
  }
}

/// A payload as text; `nil` if it was left out.
func storedText(_ payload: [UInt8]) -> String? {
  payload == EventDetail.payloadLeftOut ? nil : String(decoding: payload, as: UTF8.self)
}

/// A lookup that the writer is asked to make, and what it found.
final class LastStateAnswer: WriterQuestion {
  private let lookup: LastStateLookup
  private let state = Mutex<LastState?>(nil)

  init(_ lookup: LastStateLookup) {
    self.lookup = lookup
  }

  /// What was found.
  var found: LastState? { state.withLock { $0 } }

  /// Makes the lookup; a failure finds nothing.
  func look(through writer: HistoryWriter) {
    guard let reader = try? writer.reader(), let found = try? lookup.find(through: reader) else {
      return
    }
    state.withLock { $0 = found }
  }
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
