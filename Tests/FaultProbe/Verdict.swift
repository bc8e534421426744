import Foundation
import StatyHistory
import StatyRecorder
import StatySQLite

/// What is wrong with a history, once whatever failed fails no more.
enum Verdict {
  /// The first thing that is wrong; none if nothing is.
  static func problem(at path: String, _ promise: Promise) -> String? {
    do {
      try recover(path)
      let reader = try HistoryReader(path: path)
      if let fault = try reader.firstStorageFault() { return "corrupt: \(fault)" }
      for session in try reader.sessions() {
        if let damage = try ChainVerifier(reader).firstDamage(session: session.id) {
          return "corrupt: session \(session.id): \(damage)"
        }
        if let problem = try unaccounted(session, reader) { return problem }
      }
      return try broken(promise, reader)
    } catch {
      return "\(error)"
    }
  }

  /// Lets a recorder bring in what was left behind, which it must be able to.
  private static func recover(_ path: String) throws {
    var options = RecorderOptions(app: "afterwards")
    options.eventsPerThread = 64
    let recorder = try HistoryRecorder(at: path, options: options)
    recorder.mark("afterwards")
    try recorder.flush(.durable)
    recorder.close()
  }

  /// Whether what was observed is not stored and lost, each counted on its own.
  private static func unaccounted(
    _ session: SessionRecord, _ reader: HistoryReader
  ) throws -> String? {
    let lost = try reader.losses(session: session.id).reduce(0) { $0 + $1.count }
    let events = try count(reader.events(session: session.id))
    let cut = (session.cut.map { Int64($0.events) } ?? 0)
    guard session.observed != events + cut + lost else { return nil }
    return """
      unaccounted: session \(session.id) observed \(session.observed), \
      has \(events), cut \(cut), lost \(lost)
      """
  }

  /// What was promised and is not there.
  private static func broken(_ promise: Promise, _ reader: HistoryReader) throws -> String? {
    let sessions = try reader.sessions()
    for (app, share) in promise.sessions {
      guard let session = sessions.first(where: { $0.app == app }) else {
        // Whoever removed it had it: the next one's numbers go on behind it.
        let isRemoved = sessions.first.map { $0.firstSeq > share.observed } ?? false
        if share.mayBeRemoved, isRemoved { continue }
        return "lost: session \(app), of which \(share.observed) events were promised"
      }
      let last = session.firstSeq + share.observed - 1
      let kept = max(0, last - session.keptSeq + 1)
      let events = try count(reader.events(session: session.id, through: last))
      if events < kept - share.lost {
        return "lost: session \(app) has \(events) of \(kept) events that were promised"
      }
    }
    return nil
  }

  private static func count(_ events: EventCursor) throws -> Int64 {
    var number: Int64 = 0
    while try events.next() != nil { number += 1 }
    return number
  }
}
