import StatyHistory
import StatyReport

// The place where two sessions part, and what stands around it.
extension DifferenceReport {
  /// What the one side has there.
  func side(
    _ letter: String, _ event: HistorySide.Event?, _ side: HistorySide
  ) -> String {
    guard let event else { return "  \(letter)  nothing more\n" }
    let instance =
      event.meaning.instance == 0 ? "" : " (the object of #\(event.meaning.instance))"
    let refusal = event.meaning.refusal.map { ": \(RefusalWords.text($0))" } ?? ""
    let what = "\(side.words.what(event.row)) \(side.words.visit(event.row.visit, event.row.state))"
    let lines = TextWrap.fitting(
      "\(event.row.seq)  \(Decimal.moment(event.row.time))  \(what.trimmed)\(instance)\(refusal)",
      width: width - 5)
    return lines.enumerated().map {
      ($0.offset == 0 ? "  \(letter)  " : "     ") + $0.element + "\n"
    }
    .joined()
  }

  /// What both have before it.
  func before(
    _ key: ControllerKey, _ event: HistorySide.Event?, _ side: HistorySide
  ) throws -> String {
    guard let event else { return "" }
    let rows = try side.rows(of: key, before: event.row.seq, most: 6)
    return block("Before it, in both (as in \(side === one ? "A" : "B"))", rows, side)
  }

  /// What the one side has after it.
  func after(
    _ letter: String, _ key: ControllerKey, _ event: HistorySide.Event?, _ side: HistorySide
  ) throws -> String {
    guard let event else { return "" }
    let rows = try side.rows(of: key, after: event.row.seq, most: 5)
    return block("After it, in \(letter)", rows, side)
  }

  private func block(_ title: String, _ rows: [EventRow], _ side: HistorySide) -> String {
    if rows.isEmpty { return "" }
    let lines = side.words.lines(rows, width: width - 4)
    return "\n  \(title):\n" + lines.map { "    \($0)\n" }.joined()
  }
}

extension HistorySide {
  /// The events of a controller that come before one.
  fileprivate func rows(
    of key: ControllerKey, before seq: Int64, most: Int
  ) throws -> [EventRow] {
    let events = try history.reader.events(
      session: session.id, from: max(session.firstSeq, seq.clampedAdding(-1_000)),
      through: seq.clampedAdding(-1))
    var rows: [EventRow] = []
    while let row = try events.next() {
      guard keys[row.controller] == key else { continue }
      rows.append(row)
      if rows.count > most { rows.removeFirst() }
    }
    return rows
  }

  /// The events of a controller that come after one.
  fileprivate func rows(
    of key: ControllerKey, after seq: Int64, most: Int
  ) throws -> [EventRow] {
    let events = try history.reader.events(
      session: session.id, from: seq.clampedAdding(1), through: seq.clampedAdding(1_000))
    var rows: [EventRow] = []
    while rows.count < most, let row = try events.next() {
      if keys[row.controller] == key { rows.append(row) }
    }
    return rows
  }
}
