import StatyHistory
import StatyReport

/// The columns in which events are listed.
struct EventColumns {
  private let isForPeople: Bool
  private let columns: [Column]

  private typealias Column = (name: String, cell: KeyPath<EventCells, Cell>)

  /// The columns for a format.
  ///
  /// For reading: times since the session began, a visit as `#2 alert`, the rest in words. For
  /// programs: the columns of the view `history`, and the note of a mark.
  init(_ format: RowFormat, hasSession: Bool = true, hasController: Bool = true) {
    let people: [Column] = [
      ("session", \.sessionNumber), ("seq", \.seq), ("time", \.moment), ("event", \.what),
      ("visit", \.visitAndState), ("controller", \.controller), ("cause", \.cause),
      ("detail", \.detail),
    ]
    let view: [Column] = [
      ("session", \.sessionNumber), ("seq", \.seq), ("controller", \.controller),
      ("visit", \.visit), ("state", \.state), ("kind", \.kind), ("reason", \.reason),
      ("t_ms", \.milliseconds), ("at", \.at), ("cause", \.cause), ("inside", \.inside),
      ("part", \.part), ("origin", \.origin), ("priority", \.priority), ("thread", \.thread),
      ("payload", \.payload), ("site", \.site), ("note", \.note),
    ]
    isForPeople = format.isForPeople
    let isLeftOut = ["session": !hasSession, "controller": !hasController]
    columns = isForPeople ? people.filter { isLeftOut[$0.name] != true } : view
  }

  /// The table for rows of these sessions.
  func table(_ sessions: [ListedSession]) -> RowTable {
    let names = columns.map(\.name)
    guard isForPeople else { return RowTable(names) }
    let last = "\(sessions.map { $0.record.lastSeq ?? 0 }.max() ?? 0)".count
    let time = sessions.map { Decimal.moment($0.record.lastTime).count }.max() ?? 0
    let controllers = sessions.flatMap { $0.words.controllers.values.map(\.name.visible) }
    let hints = [
      "seq": last, "time": time, "event": 20, "cause": last,
      "controller": min(24, controllers.map(DisplayWidth.of).max() ?? 0),
    ]
    // The number of an event is unique in the whole file, that of a visit in its controller.
    return RowTable(
      names, foremost: ["seq", "event", "visit", "controller"].filter(names.contains),
      hints: names.map { hints[$0] ?? 0 })
  }

  /// A row.
  func cells(_ event: ListedEvent, of session: ListedSession) -> [Cell] {
    let cells = EventCells(event, session)
    return columns.map { cells[keyPath: $0.cell] }
  }
}
