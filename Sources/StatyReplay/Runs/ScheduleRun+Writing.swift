import Staty
package import StatyHistory

// A schedule that was played is a history like any other.
extension ScheduleRun {
  /// The app name of a history that was made from a schedule.
  static let appName = "staty explore"

  /// Writes what happened into a file, which must not be there yet.
  ///
  /// - Throws: a `HistoryError`.
  public func write(to path: String) throws {
    let writer = try HistoryWriter(path: path)
    try write(writer)
    try writer.close()
  }

  /// Writes what happened as a session of its own.
  ///
  /// - Parameters:
  ///   - name: the app name of the session.
  ///   - last: the number of the last event that the file already holds.
  /// - Returns: the number of its own last event.
  @discardableResult
  package func write(
    _ writer: HistoryWriter, asApp name: String = ScheduleRun.appName, after last: Int64 = 0
  ) throws(HistoryError) -> Int64 {
    let session = try writer.beginSession(
      SessionOpening(
        uuid: sessionName(asApp: name), app: name, appVersion: "", os: "", pid: 0, wallTime: 0,
        firstSeq: last + 1))
    // First, so that they keep their numbers.
    var states: [Int32: Int32] = [0: 0]
    for (number, name) in names.sorted(by: { $0.key < $1.key }) {
      states[number] = try writer.intern(name: name)
    }
    var numbers: [Int32: Int32] = [:]
    for record in controllers {
      numbers[record.id] = try writer.addController(
        session: session, name: record.name, policy: record.policy, discipline: record.discipline,
        fidelity: record.fidelity, snapshot: record.snapshot)
    }
    let rows = events.map { $0.renumbered(numbers, states, after: last) }
    let details = details.map { $0.renumbered(states, after: last) }
    try rows.withUnsafeBufferPointer { rows throws(HistoryError) in
      _ = try writer.append(rows, details: details, to: session)
    }
    try writer.endSession(session, .clean)
    return rows.last?.seq ?? last
  }

  /// The name of the session that it is written as.
  ///
  /// Equal runs have equal names, so that nothing in the file depends on the time of writing.
  package func sessionName(asApp name: String = ScheduleRun.appName) -> String {
    var digest = ReplayDigest()
    for record in controllers {
      for text in [record.name, record.policy, record.snapshot] { digest.add(text) }
    }
    // Steps alone are not enough: they name requests by number.
    for step in schedule { digest.add("\(step)") }
    for row in events {
      digest.add(UInt64(row.kind) << 32 | UInt64(row.visit))
      digest.add(names[row.state] ?? "")
    }
    let digits = String(digest.value, radix: 16)
    // A minimized run was recorded before.
    let prefix = name == Self.minimizedAppName ? "minimized-" : "explored-"
    return prefix + String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension EventRow {
  fileprivate func renumbered(
    _ controllers: [Int32: Int32], _ states: [Int32: Int32], after last: Int64
  ) -> EventRow {
    var row = self
    row.seq += last
    row.renameCauses { $0 + last }
    row.controller = controllers[controller] ?? controller
    row.state = states[state] ?? 0
    return row
  }
}

extension EventDetail {
  fileprivate func renumbered(_ states: [Int32: Int32], after last: Int64) -> EventDetail {
    var detail = self
    detail.seq += last
    detail.asked = states[asked] ?? 0
    detail.refusedFrom = states[refusedFrom] ?? 0
    detail.refusedNeeds = states[refusedNeeds] ?? 0
    return detail
  }
}
