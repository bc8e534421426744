import Staty
import StatySQLite

/// The shown visits of the controllers of one session, as the writer keeps them.
struct SessionStanding {
  private var controllers: [Int32: Entry] = [:]
  private var changed: Set<Int32> = []

  private struct Entry {
    var standing = ControllerStanding()
    var stored: [StandingVisit] = []
    var hasEnded = false
  }

  /// The visits that the file has of a session.
  init(_ connection: Connection, session: Int64) throws {
    for (controller, rows) in try connection.standing(session: session) {
      controllers[controller] = Entry(standing: ControllerStanding(stored: rows), stored: rows)
    }
  }

  /// Takes rows, which are in order, with their details.
  mutating func take(_ rows: UnsafeBufferPointer<EventRow>, _ details: [EventDetail]) {
    var next = 0
    // Events of one controller are often adjacent: it is taken out of the dictionary while they
    // are.
    var controller: Int32 = 0
    var entry = Entry()
    for row in rows {
      guard Self.matters(row.kind), row.controller != 0 else { continue }
      if row.controller != controller {
        if controller != 0 { controllers[controller] = entry }
        controller = row.controller
        entry = controllers.removeValue(forKey: controller) ?? Entry()
        changed.insert(controller)
      }
      switch row.kind {
      case EventKind.detached.rawValue: entry.hasEnded = true
      default:
        while next < details.count, details[next].seq < row.seq { next += 1 }
        let hasPayload =
          next < details.count && details[next].seq == row.seq && details[next].payload != nil
        entry.standing.take(row, hasPayload: hasPayload)
      }
    }
    if controller != 0 { controllers[controller] = entry }
  }

  @inline(__always)
  private static func matters(_ kind: UInt8) -> Bool {
    // detached, enqueued, entered, exited, discarded, stood, moved
    1 << UInt32(kind & 31) & 0b11_0000_0001_1010_1100 as UInt32 != 0
  }

  /// Stores what has changed, and forgets controllers that are no longer recorded.
  mutating func store(_ connection: Connection) throws {
    for controller in changed {
      guard var entry = controllers[controller] else { continue }
      let rows = entry.standing.rows
      try connection.replace(entry.stored, by: rows, of: controller)
      entry.stored = rows
      controllers[controller] = entry.hasEnded ? nil : entry
    }
    changed.removeAll(keepingCapacity: true)
  }
}
