import LibC
import Staty
import StatyHistory
import StatyReading

/// How reliable a recording is.
enum Soundness {
  /// The fidelity of a controller, in words.
  static func fidelity(_ controller: ControllerRecord) -> String {
    Fidelity(rawValue: controller.fidelity)?.word ?? "unknown (\(controller.fidelity))"
  }

  /// How a session ended, in words.
  static func end(_ session: SessionRecord) -> String {
    switch session.ended {
    case .clean: "ended clean"
    case .suspended: "killed in the background"
    case .killed: "ended by a crash or a kill"
    case .continued: "continued in the next session"
    case .open: "not ended"
    case nil: "ended in an unknown way"
    }
  }

  /// The losses of a session, in one sentence.
  static func gaps(_ losses: [LossRecord]) -> String {
    guard let first = losses.first else { return "No event is missing." }
    let count = losses.reduce(0) { $0 &+ $1.count }
    let gaps = losses.count == 1 ? "" : " in \(losses.count) gaps"
    return "\(LossNote.missing(count))\(gaps), the first at \(first.firstSeq): "
      + "\(first.reason.visible)."
  }
}

extension OpenHistory {
  /// Fails if a session differs from what was stored.
  func verify(_ session: SessionRecord) throws { try reader.verify(session, of: path) }

  /// Reports which of the listed sessions differ from what was stored.
  ///
  /// Listed sessions are not judged, and a user who searches for damage wants to see them.
  func noteDamage(_ sessions: [SessionRecord], _ run: ToolRun) {
    // It takes a while, and the note would not be shown.
    if run.isQuiet { return }
    for session in sessions {
      do {
        try reader.consistently { try verify(session) }
      } catch {
        let failure = Failure(error, doing: "Verifying '\(path)', session \(session.id)")
        run.note("Note: \(failure.message.visible) What is shown is not what was recorded.")
      }
    }
  }
}

extension OpenHistory {
  /// Reports how many events are not in the file yet: the cause of a crash may be among them.
  func noteWaiting(_ run: ToolRun) {
    guard recorder == nil else { return }
    run.noteWaiting(beside: real)
    guard access(real + "-wal", F_OK) == 0, let logBreak = HistoryFile.logBreak(of: real) else {
      return
    }
    run.note("Note: \(logBreak.words) They may be lost; see 'doctor'.")
  }
}

extension ToolRun {
  /// The same for a file that no process records into.
  func noteWaiting(beside real: String) {
    // Of thousands of files, few have a ring.
    guard access(real + HistoryFile.ringEnd, F_OK) == 0 else { return }
    let rings = Neighbours(of: real).rings.filter { $0.waiting > 0 }
    if rings.isEmpty { return }
    let waiting = rings.reduce(0) { $0 + $1.waiting }
    let wasKilled = rings.contains { $0.end?.ended != .clean }
    note(
      "Note: \(Decimal.count(waiting, "event")) \(wasKilled ? "of a killed process " : "")"
        + "\(waiting == 1 ? "waits" : "wait") next to the file until the app records into it again; "
        + "see 'doctor'.")
  }
}

extension HistoryCheck.Result {
  /// How the findings stored in the session differ from those of the rules; none if they do not.
  func contradiction(in reader: HistoryReader) throws -> String? {
    guard case .contradicted(let sentence) = try StoredFindings(self, in: reader) else {
      return nil
    }
    return "the findings stored in it are not those that the rules find. \(sentence)"
  }
}

extension HistoryReader {
  /// Fails if a session differs from what was stored.
  func verify(_ session: SessionRecord, of path: String) throws {
    guard let damage = try ChainVerifier(self).firstDamage(session: session.id) else { return }
    throw Failure(
      status: .badData,
      message: "Verifying '\(path)', session \(session.id): the history is damaged: "
        + "\(damage.description).",
      advice: Failure.damageAdvice)
  }
}
