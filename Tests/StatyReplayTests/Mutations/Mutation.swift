import Foundation
import StatisticsOracle
import Staty
import StatyHistory
import StatySQLite

/// One change to a recording that leaves all else as it was.
enum Mutation: CustomStringConvertible {
  case delete(EventRow)
  case duplicate(EventRow)
  case swap(EventRow, EventRow)

  var description: String {
    func name(_ row: EventRow) -> String {
      "\(row.seq) (\(EventKind(rawValue: row.kind)?.text ?? "?") #\(row.visit) c\(row.controller))"
    }
    return switch self {
    case .delete(let row): "without \(name(row))"
    case .duplicate(let row): "twice \(name(row))"
    case .swap(let one, let other): "\(name(one)) for \(name(other))"
    }
  }

  /// Whether it changes what a controller decided, and not what it was told.
  var isOfOutputs: Bool {
    switch self {
    case .delete(let row), .duplicate(let row), .swap(let row, _): row.side == .output
    }
  }

  /// Every change to a recording: each event taken out, doubled, and in the place of each of the
  /// next ones of the same controller and side; outputs also in the place of each of the next ones of
  /// others.
  ///
  /// - Parameters:
  ///   - reach: how many of the next ones.
  ///   - across: how many of others' next ones.
  static func all(of recording: PlainRecording, reach: Int, across: Int) -> [Mutation] {
    let rows = recording.rows.filter { ($0.side == .input && $0.kind > 2) || $0.side == .output }
    return rows.enumerated().flatMap { place, row -> [Mutation] in
      let next = rows[(place + 1)...].filter {
        $0.controller == row.controller && $0.side == row.side
      }.prefix(reach)
      let others = rows[(place + 1)...].filter {
        $0.controller != row.controller && $0.side == .output && row.side == .output
      }.prefix(across)
      return [.delete(row), .duplicate(row)]
        + (next + others).filter { Self.canSwap(row, $0) }.map { .swap(row, $0) }
    }
  }

  /// An event cannot stand before its cause, and one in the place of an equal one changes nothing.
  private static func canSwap(_ one: EventRow, _ other: EventRow) -> Bool {
    var moved = other
    (moved.seq, moved.time) = (one.seq, one.time)
    return moved != one && other.cause < one.seq
  }
}

extension RecordedHistory {
  /// Numbers the first session's events so that there is room behind each.
  func spread() throws {
    try edit(
      ["event", "asking", "detail"].flatMap { table in
        ["UPDATE \(table) SET seq = -4 * seq", "UPDATE \(table) SET seq = -seq"]
      } + [
        "UPDATE event SET inside = ((inside >> 2) << 4) | (inside & 3)",
        "UPDATE event SET ref = 4 * ref WHERE what & 31 <> 3",
      ], isSealed: true)
  }

  /// A copy with one change, sealed if that is wanted.
  func mutated(_ mutation: Mutation, isSealed: Bool = true) throws -> RecordedHistory {
    let copy = try RecordedHistory()
    try FileManager.default.copyItem(atPath: path, toPath: copy.path)
    try copy.edit(mutation.statements, isSealed: isSealed)
    return copy
  }

  private func edit(_ statements: [String], isSealed: Bool) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("BEGIN")
    for statement in statements { try connection.execute(statement) }
    try connection.execute("COMMIT")
    // Through the same connection: to open a file again takes longer than to change it.
    if isSealed { try HistoryWriter(connection: connection).reseal(session: 1) }
    // All of it into the file itself, which is what is copied.
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try connection.close()
  }
}

extension Mutation {
  /// The change in SQL.
  fileprivate var statements: [String] {
    switch self {
    case .delete(let row):
      ["event", "asking", "detail"].map { "DELETE FROM \($0) WHERE seq = \(row.seq)" }
    case .duplicate(let row): duplication(row.seq)
    case .swap(let one, let other): exchange(one.seq, other.seq)
    }
  }

  private func duplication(_ seq: Int64) -> [String] {
    [
      """
      INSERT INTO event SELECT t, what, visit, state, inside + (1 << 2), ref + (what & 31 <> 3),
        seq + 1
      FROM event WHERE seq = \(seq)
      """,
      "INSERT INTO asking SELECT seq + 1, instance, origin FROM asking WHERE seq = \(seq)",
      """
      INSERT INTO detail SELECT seq + 1, priority, equality, answers, asked, objection, refusal,
        refused_from, refused_needs, step, age, note, payload FROM detail WHERE seq = \(seq)
      """,
    ]
  }

  /// What two events say changes places; their numbers and times stay.
  private func exchange(_ one: Int64, _ other: Int64) -> [String] {
    let away = -one
    let tables = ["event", "asking", "detail"].flatMap { table in
      [(one, away), (other, one), (away, other)].map {
        "UPDATE \(table) SET seq = \($0.1) WHERE seq = \($0.0)"
      }
    }
    return [
      "CREATE TEMP TABLE moment AS SELECT seq, t FROM event WHERE seq IN (\(one), \(other))"
    ] + tables + [
      "UPDATE event SET t = (SELECT t FROM moment m WHERE m.seq = event.seq) "
        + "WHERE seq IN (\(one), \(other))",
      "UPDATE event SET inside = inside - (\(other - one) << 2) WHERE seq = \(one)",
      "UPDATE event SET inside = inside + (\(other - one) << 2) WHERE seq = \(other)",
      "UPDATE event SET ref = ref - \(other - one) WHERE seq = \(one) AND what & 31 <> 3",
      "UPDATE event SET ref = ref + \(other - one) WHERE seq = \(other) AND what & 31 <> 3",
      // No event says that it lies inside itself.
      "UPDATE event SET inside = NULL WHERE inside >> 2 = 0",
      "DROP TABLE moment",
    ]
  }
}
