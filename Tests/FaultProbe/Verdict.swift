import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatySQLite

/// Checks a history after all failures have ended.
enum Verdict {
  /// The number of sessions that were deleted because of a low limit.
  nonisolated(unsafe) private(set) static var removed = 0

  /// The first problem; `nil` if there is none.
  static func problem(at path: String, _ promise: Promise) -> String? {
    do {
      try recover(path)
      for mark in [HistoryFile.ringEnd, HistoryFile.unreadableRingMark] where promise.keepsPower {
        guard let ring = try neighbour(of: path, mark) else { continue }
        return "lost: no recorder could recover \(ring)"
      }
      // A recorder renames a damaged history and begins a new one.
      if let aside = try neighbour(of: path, "-damaged-") {
        return "corrupt: \(aside) was put aside"
      }
      let reader = try HistoryReader(path: path)
      if let fault = try reader.firstStorageFault() { return "corrupt: \(fault)" }
      for session in try reader.sessions() {
        if let damage = try ChainVerifier(reader).firstDamage(session: session.id) {
          return "corrupt: session \(session.id): \(damage)"
        }
        if let problem = try unaccounted(session, reader) { return problem }
        if promise.keepsPower, promise.before[session.uuid] == nil,
          let problem = try stripped(session, reader)
        {
          return problem
        }
      }
      return try broken(promise, reader)
    } catch {
      return "\(error)"
    }
  }

  /// Lets a recorder recover the old rings, which must succeed.
  private static func recover(_ path: String) throws {
    var options = RecorderOptions(app: "afterwards")
    options.eventsPerThread = 64
    options.retention = Retention()
    let recorder = try HistoryRecorder(at: path, options: options)
    recorder.mark("afterwards")
    try recorder.flush(.durable)
    recorder.close()
  }

  /// A file next to a history whose name begins with the history's.
  private static func neighbour(of path: String, _ suffix: String) throws -> String? {
    let file = URL(fileURLWithPath: path)
    return try FileManager.default.contentsOfDirectory(
      atPath: file.deletingLastPathComponent().path
    ).first { $0.hasPrefix(file.lastPathComponent + suffix) }
  }

  /// The sessions of a history, by their UUIDs.
  static func sessions(at path: String) -> [String: Promise.Before] {
    do {
      let reader = try HistoryReader(path: path)
      defer { try? reader.close() }
      return try Dictionary(
        uniqueKeysWithValues: reader.sessions().map {
          ($0.uuid, Promise.Before(events: try rows(reader.events(session: $0.id))))
        })
    } catch {
      fail("\(path): \(error)")
    }
  }

  /// Whether `observed` is not the sum of `stored` and `lost`; each is counted independently.
  private static func unaccounted(
    _ session: SessionRecord, _ reader: HistoryReader
  ) throws -> String? {
    let lost = try reader.losses(session: session.id).reduce(0) { $0 + $1.count }
    let events = try count(reader.events(session: session.id))
    guard session.observed != events + lost else { return nil }
    return """
      unaccounted: session \(session.id) observed \(session.observed), \
      has \(events), lost \(lost)
      """
  }

  /// Whether an event is incomplete: a mark without its text, or a state without its name or its controller's.
  private static func stripped(
    _ session: SessionRecord, _ reader: HistoryReader
  ) throws -> String? {
    let names = try reader.names()
    let controllers = try Dictionary(
      uniqueKeysWithValues: reader.controllers(session: session.id).map { ($0.id, $0.name) })
    let events = try reader.events(session: session.id)
    while let row = try events.next() {
      let name: String?
      let known: Set<String>
      if row.kind == EventKind.mark.rawValue {
        name = try reader.detail(of: row.seq)?.note?.split(separator: " ").first.map(String.init)
        known = ["note", "afterwards"]
      } else if row.visit == 0 {
        name = controllers[row.controller]
        known = ["stage", "probe"]
      } else {
        name = names[row.state].map {
          "\($0.prefix { $0 != " " }) of \(controllers[row.controller] ?? "an unknown controller")"
        }
        known = ["loading of stage", "content of stage", "alert of stage", "asked of probe"]
      }
      if !known.contains(name ?? "") {
        return "stripped: session \(session.id), event \(row.seq) is of \(name ?? "nothing")"
      }
    }
    return nil
  }

  /// The promised events that are missing.
  private static func broken(_ promise: Promise, _ reader: HistoryReader) throws -> String? {
    let sessions = try reader.sessions()
    for (uuid, before) in promise.before where !before.mayBeRemoved {
      guard let session = sessions.first(where: { $0.uuid == uuid }) else {
        return "lost: session \(uuid), which was there before"
      }
      guard try rows(reader.events(session: session.id)) == before.events else {
        return "changed: session \(uuid), which was there before"
      }
    }
    for (uuid, share) in promise.sessions {
      guard let session = sessions.first(where: { $0.uuid == uuid }) else {
        // A deleted session was complete if the next one's numbers continue after it. Only the first session of a
        // file is deleted here, and its numbers begin with 1.
        let isRemoved = sessions.first.map { $0.firstSeq > share.observed } ?? false
        if share.mayBeRemoved, isRemoved {
          removed += 1
          continue
        }
        return "lost: session \(uuid), of which \(share.observed) events were promised"
      }
      let last = session.firstSeq + share.observed - 1
      let kept = max(0, last - session.firstSeq + 1)
      let events = try count(reader.events(session: session.id, through: last))
      if events < kept - share.lost {
        return "lost: session \(session.id) has \(events) of \(kept) events that were promised"
      }
    }
    return nil
  }

  private static func count(_ events: EventCursor) throws -> Int64 {
    var number: Int64 = 0
    while try events.next() != nil { number += 1 }
    return number
  }

  private static func rows(_ events: EventCursor) throws -> [EventRow] {
    var rows: [EventRow] = []
    while let row = try events.next() { rows.append(row) }
    return rows
  }
}
