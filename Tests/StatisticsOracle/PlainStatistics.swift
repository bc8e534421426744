package import StatyHistory

/// What the views that sum up and compare must say, computed without them: each event is looked at
/// once, in order, as a reader with a pencil would.
package struct PlainStatistics {
  /// The rows of each view, their cells joined by `|`, in no order.
  package private(set) var rows: [String: [String]] = [:]

  /// Computes them for a whole file.
  package init(_ reader: HistoryReader) throws {
    let names = try reader.names()
    for session in try reader.sessions() {
      let losses = try reader.losses(session: session.id)
      var followed: [Int32: FollowedController] = [:]
      for record in try reader.controllers(session: session.id) {
        followed[record.id] = FollowedController(record)
      }
      let events = try reader.events(session: session.id)
      var gaps = losses[...]
      while let row = try events.next() {
        while let gap = gaps.first, gap.firstSeq < row.seq {
          for id in followed.keys { followed[id]!.lose(gap) }
          gaps.removeFirst()
        }
        followed[row.controller]?.take(row, state: names[row.state] ?? "")
      }
      let controllers = followed.keys.sorted().map {
        SummedController(
          controller: followed[$0]!, lastTime: session.endTime, losses: losses)
      }
      add(session.id, controllers)
    }
  }

  private mutating func add(_ session: Int64, _ controllers: [SummedController]) {
    for (view, rows) in [
      ("dwell", Self.dwell(controllers)), ("waits", Self.waits(controllers)),
      ("transitions", Self.transitions(controllers)),
      ("slowest", controllers.flatMap(\.slowest)), ("stuck", controllers.flatMap(\.stuck)),
    ] {
      self.rows[view, default: []] += rows.map { "\(session)|" + $0 }
    }
  }

  private static func dwell(_ controllers: [SummedController]) -> [String] {
    let stays = controllers.flatMap(\.stays)
    return Dictionary(grouping: stays) { [$0.name, $0.state] }.map { key, stays in
      let times = stays.compactMap(\.time)
      let total = times.isEmpty ? "-" : cell(times.reduce(0, +))
      return [
        key[0], key[1], "\(stays.count)", "\(stays.count { $0.isOpen })",
        "\(stays.count - times.count)", total, mean(times), percentile(50, times),
        percentile(95, times), times.max().map(cell) ?? "-",
      ].joined(separator: "|")
    }
  }

  private static func waits(_ controllers: [SummedController]) -> [String] {
    let waits = controllers.flatMap(\.waits)
    return Dictionary(grouping: waits) { [$0.name, $0.state] }.map { key, waits in
      let times = waits.compactMap(\.time)
      return [
        key[0], key[1], "\(waits.count)", "\(waits.count { $0.isOpen })", mean(times),
        percentile(50, times), percentile(95, times), times.max().map(cell) ?? "-",
      ].joined(separator: "|")
    }
  }

  private static func transitions(_ controllers: [SummedController]) -> [String] {
    let moves = controllers.flatMap(\.timedMoves)
    let starts = Dictionary(grouping: moves) { [$0.name, $0.move.from] }.mapValues(\.count)
    return Dictionary(grouping: moves) { [$0.name, $0.move.from, $0.move.state] }.map {
      key, moves in
      let times = moves.compactMap(\.time)
      let all = starts[[key[0], key[1]]]!
      return [
        key[0]!, key[1] ?? "-", key[2]!, "\(moves.count)",
        "\(100.0 * Double(moves.count) / Double(all))", percentile(50, times),
        percentile(95, times), times.max().map(cell) ?? "-",
        moves.last!.isDeclared.map { $0 ? "1" : "0" } ?? "-",
      ].joined(separator: "|")
    }
  }

  private static func mean(_ times: [Int64]) -> String {
    if times.isEmpty { return "-" }
    return "\(Double(times.reduce(0, +)) / Double(times.count) / 1_000)"
  }

  /// Nearest rank: the value with that place among the sorted ones, rounded up.
  private static func percentile(_ percent: Int, _ times: [Int64]) -> String {
    if times.isEmpty { return "-" }
    return cell(times.sorted()[(percent * times.count + 99) / 100 - 1])
  }
}

/// A time as a view gives it.
func cell(_ microseconds: Int64) -> String { "\(Double(microseconds) / 1_000)" }
