package import Staty
package import StatyHistory
import StatyText

/// A divergence in words; nothing that comes from the file can control a terminal.
package struct DivergenceWords {
  private let divergence: Divergence
  /// The known names of states, by their visits.
  private var states: [VisitNumber: String] = [:]

  /// - Parameters:
  ///   - rows: the events around it, which hold the names of the visits' states.
  ///   - name: the text of a name by its number.
  package init(_ divergence: Divergence, around rows: [EventRow], name: (Int32) -> String?) {
    self.divergence = divergence
    for row in rows where row.visit != 0 && row.controller == divergence.controller {
      if let name = name(row.state) { states[VisitNumber(row.visit)] = name }
    }
    let standing = divergence.standing
    for request in standing.standing.map(\.request) + standing.waiting {
      states[request.visit] = request.state.description
    }
  }

  /// A visit with its state's name: `#2 content`.
  ///
  /// - Parameter name: what the state is called, if recording and replay differ in that.
  private func visit(_ visit: VisitNumber, named name: StateName? = nil) -> String {
    "#\(visit.rawValue)"
      + ((name?.description ?? states[visit]).map { " " + $0.escapedForOneLine } ?? "")
  }

  /// What is recorded: `exiting #1 loading, in the handling of event 10`; `nothing` if nothing is.
  package var recorded: String { side(divergence.difference.recorded) }

  /// What the replay did.
  package var replayed: String {
    switch divergence.difference.kind {
    case .moved: "the same, but " + Self.handling(divergence.difference.replayed?.cause ?? 0)
    case .reordered: side(divergence.difference.replayed) + ", and the recorded one only later"
    default: side(divergence.difference.replayed)
    }
  }

  private func side(_ output: Output?) -> String {
    guard let output else { return "nothing" }
    let text =
      output.kind.text + output.why
      + (output.visit.rawValue == 0 ? "" : " " + visit(output.visit, named: output.name))
    return output.cause == 0 ? text : text + ", " + Self.handling(output.cause)
  }

  private static func handling(_ cause: Int64) -> String {
    cause == 0 ? "in the handling of none" : "in the handling of event \(cause)"
  }

  /// What was on the stage when the replay diverged.
  package var onStage: String {
    let standing = divergence.standing.standing.map { "\(visit($0.request.visit)) (\($0.phase))" }
    return standing.isEmpty ? "nothing" : standing.joined(separator: ", ")
  }

  /// What was pending when the replay diverged.
  package var pending: String {
    let pending = divergence.standing.waiting
    if pending.isEmpty { return "nothing" }
    return pending.prefix(8).map { visit($0.visit) }.joined(separator: ", ")
      + (pending.count > 8 ? " and \(pending.count - 8) more" : "")
  }

  /// The divergence in one sentence, without its full stop.
  package var sentence: String {
    let (recorded, replayed) = (divergence.difference.recorded, divergence.difference.replayed)
    let done = replayed.map { deed($0).past } ?? ""
    let told = recorded.map { deed($0).third } ?? ""
    switch divergence.difference.kind {
    case .missing:
      return "the replay did not \(recorded.map { deed($0).base + Self.when($0) } ?? "")"
    case .extra: return "the replay \(done)\(replayed.map(Self.when) ?? ""), which is not recorded"
    case .different, .stray: return "the recording \(told), but the replay \(done)"
    case .moved:
      return "the replay \(done), too, but \(Self.place(replayed)) and not \(Self.place(recorded))"
    case .reordered: return "the recording \(told), but the replay first \(done)"
    }
  }

  private static func when(_ output: Output) -> String {
    output.cause > 0 ? " when it handled event \(output.cause)" : ""
  }

  private static func place(_ output: Output?) -> String {
    guard let cause = output?.cause, cause > 0 else { return "by itself" }
    return "when it handled event \(cause)"
  }

  /// What a controller did, as the verb of a sentence: `tell #2 to exit`, `told #2 …`, `tells #2 …`.
  private func deed(_ output: Output) -> (base: String, past: String, third: String) {
    let visit = visit(output.visit, named: output.name)
    let (base, past, rest) =
      switch output.kind {
      case .entering: ("tell", "told", "\(visit) to enter")
      case .exiting: ("tell", "told", "\(visit) to exit")
      case .discarded: ("discard", "discarded", "\(visit)\(output.why)")
      case .enqueued: ("request", "requested", visit)
      case .entered: ("accept", "accepted", "that \(visit) has entered")
      case .exited: ("accept", "accepted", "that \(visit) has exited")
      case .stray: ("call", "called", "a completion of \(visit) stray\(output.why)")
      case .cancelled: ("cancel", "cancelled", output.visit.rawValue == 0 ? "all" : visit)
      case .resumed: ("run", "ran", "a step that it had put off")
      case .calling: ("call", "called", "out")
      case .moved: ("move", "moved", "to \(visit)")
      case .received:
        (
          "receive", "received",
          output.name.map { "'\($0.description.escapedForOneLine)'" } ?? "a message"
        )
      case .attached, .detached, .deadline, .mark, .lost, .stood, .sent:
        ("report", "reported", "'\(output.kind.text)' of \(visit)\(output.why)")
      }
    return ("\(base) \(rest)", "\(past) \(rest)", "\(base)s \(rest)")
  }
}

extension Output {
  /// Why it was done, and the reason of a rejection: ` (rejected: busy)`.
  fileprivate var why: String {
    guard let reason = EventReason(kind: kind, code: reason) else { return "" }
    return " (\(reason.text)\(refusal.map { ": \($0.words)" } ?? ""))"
  }
}

extension Refusal {
  /// Why a request was rejected, as a part of a sentence.
  package var words: String {
    switch self {
    case .busy: "busy"
    case .noRoute(let from):
      "no route from \(from.map { "'\($0.description.escapedForOneLine)'" } ?? "the beginning")"
    case .guarded(_, let guarding): "'\(guarding.description.escapedForOneLine)' refused"
    case .context(_, let needs): "it needs '\(needs.description.escapedForOneLine)'"
    case .objection(.unknownState): "the controller knows no such state"
    case .objection(.staleOrigin): "the state that requested it had exited"
    case .objection(.inUseElsewhere): "its object is in use by another controller"
    }
  }
}
