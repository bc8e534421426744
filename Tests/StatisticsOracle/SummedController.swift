import StatyHistory

/// What follows from all that one controller did.
struct SummedController {
  /// How long one visit of a state did something.
  struct Stay {
    let name: String
    let state: String
    let isOpen: Bool
    /// In microseconds; none if that is not known.
    let time: Int64?
  }

  /// A move, and how long it took if it was completed.
  struct TimedMove {
    let name: String
    let move: FollowedMove
    let time: Int64?
    let isDeclared: Bool?
  }

  let controller: FollowedController
  let lastTime: Int64
  /// What the session lost.
  let losses: [LossRecord]

  private var name: String { controller.record.name }
  private var until: Int64 { controller.detached?.time ?? lastTime }
  private var visits: [FollowedVisit] { controller.visits.values.sorted { $0.visit < $1.visit } }

  private func isUncertain(_ visit: FollowedVisit) -> Bool {
    visit.gone == nil
      && losses.contains {
        $0.firstSeq > visit.seen && $0.firstSeq < controller.detached?.seq ?? .max
      }
  }

  var stays: [Stay] {
    visits.compactMap { visit in
      guard let since = visit.entered ?? (visit.wasIn ? visit.since : nil) else {
        return nil
      }
      let isUncertain = isUncertain(visit)
      return Stay(
        name: name, state: visit.state, isOpen: visit.gone == nil && !isUncertain,
        time: isUncertain ? nil : max(0, (visit.gone ?? until) - since))
    }
  }

  var waits: [Stay] {
    visits.compactMap { visit in
      let begun = visit.asked ?? (visit.stood == 0 ? visit.since : nil)
      guard let begun else { return nil }
      if let told = visit.told ?? visit.entered {
        return Stay(name: name, state: visit.state, isOpen: false, time: max(0, told - begun))
      }
      if visit.gone != nil || visit.dismissed != nil || isUncertain(visit) { return nil }
      return Stay(name: name, state: visit.state, isOpen: true, time: max(0, until - begun))
    }
  }

  var timedMoves: [TimedMove] {
    controller.moves.map { move in
      let visit = controller.visits[move.visit]!
      var time: Int64?
      if let asked = visit.asked, let entered = visit.entered { time = max(0, entered - asked) }
      return TimedMove(name: name, move: move, time: time, isDeclared: isDeclared(move))
    }
  }

  private func isDeclared(_ move: FollowedMove) -> Bool? {
    controller.snapshot?.routes?.contains {
      $0.to == move.state && ($0.isAnywhere == true || $0.from == move.from)
    }
  }

  var slowest: [String] {
    controller.moves.compactMap { move in
      let visit = controller.visits[move.visit]!
      guard let asked = visit.asked, visit.entered != nil else { return nil }
      let parts = parts(visit, behind: move.before)
      let total = Double(parts.reduce(0, +)) / 1_000
      return [
        name, "\(move.visit)", move.from ?? "-", move.state, cell(asked), "\(total)",
        parts.map(cell).joined(separator: "|"),
      ].joined(separator: "|")
    }
  }

  /// Walks through the time of a move, and takes off what each part of it took.
  private func parts(_ visit: FollowedVisit, behind before: FollowedVisit?) -> [Int64] {
    let asked = visit.asked!
    let end = max(asked, visit.entered!)
    let told = visit.told.map { min(max($0, asked), end) }
    var now = asked
    func advance(to time: Int64) -> Int64 {
      let next = min(max(now, time), told ?? end)
      defer { now = next }
      return next - now
    }
    var parts: [Int64] = [0, 0]
    if let before {
      // One that was leaving when recording began was told to before.
      let dismissed = before.dismissed ?? (before.stood == 3 ? 0 : nil)
      parts[0] = advance(to: dismissed ?? before.gone ?? end)
      parts[1] = advance(to: before.gone ?? end)
    }
    parts.append(told.map { $0 - now } ?? 0)
    parts.append(end - (told ?? now))
    return parts
  }

  var stuck: [String] {
    if controller.isTornDown { return [] }
    let open = visits.filter { $0.gone == nil && $0.stood != 4 && !isUncertain($0) }
    let ahead = open.filter { $0.reason != "waiting" }.max {
      (come($0), $0.firstSeq) < (come($1), $1.firstSeq)
    }
    return open.compactMap { visit in
      let since: Int64?
      switch visit.reason {
      case "in": return nil
      case "exiting": since = visit.dismissed ?? visit.since
      case "entering": since = visit.told ?? visit.since
      default: since = visit.asked ?? (visit.stood == 0 ? visit.since : nil)
      }
      return [
        name, "\(visit.visit)", visit.state, visit.reason,
        since.map { cell(max(0, until - $0)) } ?? "-", waitingFor(visit, behind: ahead),
      ].joined(separator: "|")
    }
  }

  /// When it entered the stage, as far as that was recorded.
  private func come(_ visit: FollowedVisit) -> Int64 {
    visit.told ?? visit.entered ?? (visit.stood == nil ? .min : visit.since)
  }

  private func waitingFor(_ visit: FollowedVisit, behind ahead: FollowedVisit?) -> String {
    let isThreeKind = controller.record.fidelity == 3
    switch visit.reason {
    case "entering": return "entered of \(visit.visit) \(visit.state)"
    case "exiting": return "exited of \(visit.visit) \(visit.state)"
    default: break
    }
    // At once, and on a stack, nothing waits for what has entered.
    let waitsForAll = controller.record.discipline <= 2
    if let ahead, waitsForAll || ahead.reason == "entering" || ahead.reason == "exiting" {
      let event =
        switch ahead.reason {
        case "entering": "entered"
        case "exiting": "exited"
        default: isThreeKind ? "exited" : "exiting"
        }
      return "\(event) of \(ahead.visit) \(ahead.state)"
    }
    if controller.snapshot?.isWithholding == true, !controller.hasResumed { return "resumed" }
    if !losses.isEmpty { return "-" }
    return "\(isThreeKind ? "entered" : "entering") of \(visit.visit) \(visit.state)"
  }
}

extension FollowedVisit {
  /// Whether the snapshot says that it was in.
  var wasIn: Bool { stood == 2 || stood == 3 }

  /// Whether it was told to exit when it had come: before, it is not exiting.
  private var isLeaving: Bool {
    guard let lastExit else { return false }
    if let come = come ?? (stood ?? 0 > 0 ? firstSeq : nil) { return lastExit > come }
    return asked == nil && stood == nil
  }

  /// How far it got.
  var reason: String {
    if stood == 3 || isLeaving { return "exiting" }
    if entered != nil || stood == 2 { return "in" }
    return told != nil || stood == 1 ? "entering" : "waiting"
  }
}
