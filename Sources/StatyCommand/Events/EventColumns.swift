import StatyHistory
import StatyReport

/// The columns in which events are listed.
enum EventColumns {
  /// For reading: times since the session began, a visit as `#2 alert`, the rest in words.
  case people(hasSession: Bool, hasController: Bool)
  /// For programs: the columns of the view `history`, and the few that it leaves out.
  case view

  var names: [String] {
    switch self {
    case .people(let hasSession, let hasController):
      (hasSession ? ["session"] : []) + ["seq", "time", "event", "visit"]
        + (hasController ? ["controller"] : []) + ["cause", "detail"]
    case .view:
      [
        "session", "seq", "controller", "visit", "state", "kind", "reason", "t_ms", "at", "cause",
        "origin", "thread", "payload", "site", "note",
      ]
    }
  }

  /// The columns that matter most if there is little room.
  ///
  /// The number of an event is unique in the whole file, that of a visit in its controller.
  var foremost: [String] {
    guard case .people(_, let hasController) = self else { return [] }
    return ["seq", "event", "visit"] + (hasController ? ["controller"] : [])
  }

  /// The widest cells that later rows may have, by the names of these sessions.
  func hints(_ sessions: [ListedSession]) -> [Int] {
    guard case .people(let hasSession, let hasController) = self else { return [] }
    func widest(_ texts: some Sequence<String>) -> Int {
      min(24, texts.map(DisplayWidth.of).max() ?? 0)
    }
    let last = sessions.map { $0.record.lastSeq ?? 0 }.max() ?? 0
    let time = sessions.map { Decimal.moment($0.record.lastTime).count }.max() ?? 0
    let names = sessions.flatMap { $0.words.controllers.values.map(\.name.visible) }
    return (hasSession ? [0] : []) + ["\(last)".count, time, 20, 0]
      + (hasController ? [widest(names)] : []) + ["\(last)".count, 0]
  }

  /// A row.
  func cells(_ event: ListedEvent, of session: ListedSession) -> [Cell] {
    let words = EventCells(event, session)
    switch self {
    case .people(let hasSession, let hasController):
      return (hasSession ? [.whole(session.record.id)] : [])
        + [.whole(event.seq), words.moment, words.what, words.visitAndState]
        + (hasController ? [words.controller] : []) + [words.cause, words.detail]
    case .view:
      return [
        .whole(session.record.id), .whole(event.seq), words.controller, words.visit, words.state,
        words.kind, words.reason, words.milliseconds, words.at, words.cause, words.origin,
        words.thread, words.payload, words.site, words.note,
      ]
    }
  }
}
