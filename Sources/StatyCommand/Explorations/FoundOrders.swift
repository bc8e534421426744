import StatyHistory
import StatyReplay

/// The orders that searches have found, as they are to be written into one history: the shortest of
/// all, or each.
struct FoundOrders {
  private let isForEach: Bool
  private var chosen: [SessionExploration] = []
  private var searched = 0

  /// - Parameter isForEach: whether each search was for an order for each rule.
  init(isForEach: Bool) {
    self.isForEach = isForEach
  }

  mutating func take(_ exploration: SessionExploration) {
    searched += 1
    guard let steps = exploration.result.schedule?.count, !exploration.played.isEmpty else {
      return
    }
    if isForEach { return chosen.append(exploration) }
    if steps < chosen.first?.result.schedule?.count ?? .max { chosen = [exploration] }
  }

  /// Writes them, and says whose they are where that is not plain.
  func write(into out: OutputHistory, _ run: ToolRun) throws {
    let path = out.path.visible
    guard let shortest = chosen.first else {
      return run.note("Note: no order that breaks a rule was found, so '\(path)' is not written.")
    }
    var written: Set<String> = []
    var last: Int64 = 0
    for played in chosen.flatMap(\.played) {
      // Of two sessions the same order may have come.
      guard written.insert(played.sessionName()).inserted else { continue }
      last = try played.write(out.writer, after: last)
    }
    try out.close()
    if written.count > 1 {
      run.note("Note: '\(path)' holds \(Decimal.count(written.count, "order")), a session each.")
    } else if searched > 1 {
      run.note(
        "Note: '\(path)' is the shortest order that was found, that of "
          + "\(shortest.history.called), session \(shortest.session.id).")
    }
  }
}
