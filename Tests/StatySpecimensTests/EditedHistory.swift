import Staty
import StatyHistory
import StatyReading

/// The events of a recording's first session in memory, to be written again with changes.
///
/// The new numbers leave gaps. A removed event leaves its number unused, so that its consequences
/// point to nothing. A copy follows right after its original.
struct EditedHistory {
  private(set) var rows: [EventRow] = []
  private var details: [EventDetail] = []
  private var controllers: [ControllerRecord]
  private let names: [Int32: String]
  private static let spacing: Int64 = 4

  init(_ history: SpecimenHistory) throws {
    let reader = try HistoryReader(path: history.path)
    controllers = try reader.controllers(session: 1)
    names = try reader.names()
    let events = try reader.events(session: 1)
    while var row = try events.next() {
      row.seq *= Self.spacing
      row.renameCauses { $0 * Self.spacing }
      rows.append(row)
    }
    let cursor = try reader.details(session: 1)
    while var detail = try cursor.next() {
      detail.seq *= Self.spacing
      details.append(detail)
    }
  }

  /// The places of the outputs among ``rows``.
  var outputs: [Int] {
    rows.indices.filter { EventKind(rawValue: rows[$0].kind)?.side == .output }
  }

  mutating func remove(at place: Int) {
    let seq = rows.remove(at: place).seq
    details.removeAll { $0.seq == seq }
  }

  mutating func duplicate(at place: Int) {
    var row = rows[place]
    let detail = details.first { $0.seq == row.seq }
    row.seq += 1
    rows.insert(row, at: place + 1)
    if var detail {
      detail.seq += 1
      details.append(detail)
      details.sort { $0.seq < $1.seq }
    }
  }

  /// Exchanges the contents of two events, except their numbers and times.
  ///
  /// - Returns: whether that changes anything.
  mutating func swap(_ one: Int, _ other: Int) -> Bool {
    func says(_ place: Int, _ from: EventRow) -> EventRow {
      var row = from
      (row.seq, row.time) = (rows[place].seq, rows[place].time)
      return row
    }
    let (first, second) = (says(one, rows[other]), says(other, rows[one]))
    guard first != rows[one], first.cause < first.seq else { return false }
    (rows[one], rows[other]) = (first, second)
    return true
  }

  /// A copy with the only controller twice, each with its events on its own thread.
  ///
  /// - Parameter takesFirst: whether the next event is of the first of the two.
  func doubled(_ takesFirst: () -> Bool) -> EditedHistory {
    var mixed = self
    mixed.controllers = (0..<2).map { more in
      var controller = controllers[0]
      controller.id += Int32(more)
      return controller
    }
    (mixed.rows, mixed.details) = ([], [])
    var next = [0, 0]
    // The new number of each old one.
    var numbers: [[Int64: Int64]] = [[0: 0], [0: 0]]
    while next[0] < rows.count || next[1] < rows.count {
      let side = next[1] == rows.count || next[0] < rows.count && takesFirst() ? 0 : 1
      var row = rows[next[side]]
      next[side] += 1
      let seq = Int64(next[0] + next[1]) * Self.spacing
      if var detail = details.first(where: { $0.seq == row.seq }) {
        detail.seq = seq
        mixed.details.append(detail)
      }
      numbers[side][row.seq] = seq
      row.renameCauses { numbers[side][$0] ?? 0 }
      (row.seq, row.time, row.thread) = (seq, seq, UInt8(side + 1))
      row.controller += row.controller == 0 ? 0 : Int32(side)
      mixed.rows.append(row)
    }
    return mixed
  }

  /// Moves an event forward and onto another thread.
  ///
  /// Its consequences stay in their places.
  mutating func intrude(from place: Int, to earlier: Int) {
    var row = rows.remove(at: place)
    let seq = row.seq
    row.seq = rows[earlier].seq - 1
    row.time = rows[earlier].time
    row.thread += 1
    for index in rows.indices { rows[index].renameCauses { $0 == seq ? row.seq : $0 } }
    for index in details.indices where details[index].seq == seq { details[index].seq = row.seq }
    details.sort { $0.seq < $1.seq }
    rows.insert(row, at: earlier)
  }

  /// A copy without causes.
  var ordered: EditedHistory {
    var ordered = self
    for place in ordered.rows.indices { ordered.rows[place].renameCauses { _ in 0 } }
    return ordered
  }

  /// Writes the events as a new history.
  func write(
    ending: SessionEnd = .clean, _ change: (inout ControllerRecord) -> Void = { _ in }
  ) throws -> SpecimenHistory {
    let history = try SpecimenHistory()
    let writer = try HistoryWriter(path: history.path)
    let session = try writer.beginSession(
      SessionOpening(
        uuid: "edited", app: "edited", appVersion: "1", os: "", pid: 1, wallTime: 1, firstSeq: 1))
    var numbers: [Int32: Int32] = [0: 0]
    for var controller in controllers {
      change(&controller)
      numbers[controller.id] = try writer.addController(
        session: session, name: controller.name, policy: controller.policy,
        discipline: controller.discipline, fidelity: controller.fidelity,
        snapshot: controller.snapshot)
    }
    let states = try names.mapValues { try writer.intern(name: $0) }
    let rows = rows.map { row in
      var row = row
      row.controller = numbers[row.controller] ?? 0
      row.state = states[row.state] ?? 0
      row.site = 0
      return row
    }
    let details = details.map { detail in
      var detail = detail
      detail.asked = states[detail.asked] ?? 0
      detail.refusedFrom = states[detail.refusedFrom] ?? 0
      detail.refusedNeeds = states[detail.refusedNeeds] ?? 0
      return detail
    }
    _ = try rows.withUnsafeBufferPointer {
      try writer.append($0, details: details, to: session)
    }
    try writer.endSession(session, ending)
    try writer.close()
    return history
  }
}
