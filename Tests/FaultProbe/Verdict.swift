import Foundation
import Staty
import StatyHistory
import StatyRecorder
import StatySQLite

/// What is wrong with a history, once whatever failed fails no more.
enum Verdict {
  /// How many sessions somebody was allowed to remove, and had removed.
  nonisolated(unsafe) private(set) static var removed = 0

  /// The first thing that is wrong; none if nothing is.
  static func problem(at path: String, _ promise: Promise) -> String? {
    do {
      try recover(path)
      if promise.keepsPower, let ring = try neighbour(of: path, "-ring") {
        return "lost: nobody could bring in \(ring)"
      }
      // What a recorder finds damaged it puts aside, and begins anew.
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

  /// Lets a recorder bring in what was left behind, which it must be able to.
  private static func recover(_ path: String) throws {
    var options = RecorderOptions(app: "afterwards")
    options.eventsPerThread = 64
    options.retention = Retention()
    let recorder = try HistoryRecorder(at: path, options: options)
    recorder.mark("afterwards")
    try recorder.flush(.durable)
    recorder.close()
  }

  /// A file beside a history whose name begins with that one's.
  private static func neighbour(of path: String, _ suffix: String) throws -> String? {
    let file = URL(fileURLWithPath: path)
    return try FileManager.default.contentsOfDirectory(
      atPath: file.deletingLastPathComponent().path
    ).first { $0.hasPrefix(file.lastPathComponent + suffix) }
  }

  /// What is in a history, by its sessions' names everywhere.
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

  /// Whether what was observed is not stored and lost, each counted on its own.
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

  /// Whether an event has not all that was told of it: a note its text, a state its name and that of
  /// its controller.
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
          "\($0.prefix { $0 != " " }) of \(controllers[row.controller] ?? "nobody")"
        }
        known = ["loading of stage", "content of stage", "alert of stage", "asked of probe"]
      }
      if !known.contains(name ?? "") {
        return "stripped: session \(session.id), event \(row.seq) is of \(name ?? "nothing")"
      }
    }
    return nil
  }

  /// What was promised and is not there.
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
        // Whoever removed it had it: the next one's numbers go on behind it. Only the first session of a
        // file is ever removed here, and its numbers begin with 1.
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
