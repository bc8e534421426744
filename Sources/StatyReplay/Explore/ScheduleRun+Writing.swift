import Staty
public import StatyHistory

// A schedule that was played is a history like any other.
extension ScheduleRun {
  /// What a history that was made of a schedule is called where others have their app's name.
  public static let appName = "staty explore"

  /// Writes what happened into a file, which must not be there yet.
  ///
  /// - Throws: a `HistoryError`.
  public func write(to path: String) throws(HistoryError) {
    let writer = try HistoryWriter(path: path)
    try write(writer)
    try writer.close()
  }

  /// Writes what happened as a session of its own.
  ///
  /// - Parameter name: what it is to be called where others have their app's name.
  public func write(
    _ writer: HistoryWriter, asApp name: String = ScheduleRun.appName
  ) throws(HistoryError) {
    let session = try writer.beginSession(
      SessionOpening(
        uuid: Self.uuid(schedule), app: name, appVersion: "", os: "", pid: 0, wallTime: 0,
        firstSeq: 1))
    // First, so that they keep their numbers.
    var states: [Int32: Int32] = [0: 0]
    for (number, name) in names.sorted(by: { $0.key < $1.key }) {
      states[number] = try writer.intern(name: name)
    }
    var numbers: [Int32: Int32] = [:]
    for record in controllers {
      numbers[record.id] = try writer.addController(
        session: session, name: record.name, policy: record.policy, fidelity: record.fidelity,
        snapshot: record.snapshot)
    }
    let rows = events.map { $0.renumbered(numbers, states) }
    let details = details.map { $0.renumbered(states) }
    try rows.withUnsafeBufferPointer { rows throws(HistoryError) in
      _ = try writer.append(rows, details: details, to: session)
    }
    try writer.endSession(session, .clean)
  }

  /// Equal schedules have equal names: nothing in the file depends on when it was written.
  private static func uuid(_ schedule: Schedule) -> String {
    var digest = ReplayDigest()
    for step in schedule { digest.add("\(step)") }
    let digits = String(digest.value, radix: 16)
    return "explored-" + String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension EventRow {
  fileprivate func renumbered(_ controllers: [Int32: Int32], _ states: [Int32: Int32]) -> EventRow {
    var row = self
    row.controller = controllers[controller] ?? controller
    row.state = states[state] ?? 0
    return row
  }
}

extension EventDetail {
  fileprivate func renumbered(_ states: [Int32: Int32]) -> EventDetail {
    var detail = self
    detail.asked = states[asked] ?? 0
    detail.refusedFrom = states[refusedFrom] ?? 0
    detail.refusedNeeds = states[refusedNeeds] ?? 0
    return detail
  }
}
