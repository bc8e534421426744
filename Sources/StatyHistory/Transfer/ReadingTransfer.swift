import StatySQLite

/// A visit of which a cut history still says where it stood.
package struct KeptVisit {
  var visit: StandingVisit
  var payload: [UInt8]?
  var enteredTime: Int64?
  var exitedTime: Int64?
}

extension HistoryReader {
  /// How many payloads of a session were left out for want of room.
  func payloadsLeftOut(session: Int64) throws(HistoryError) -> Int64 {
    try asHistoryError {
      let rows = try connection.prepare("SELECT payloads_left_out FROM session WHERE id = ?1")
      try rows.bind(session, at: 1)
      defer { rows.reset() }
      return try rows.step() ? rows.int64(at: 0) : 0
    }
  }

  /// The visits that are stored of where a controller stands, with what was kept of events that
  /// were cut off.
  func keptStanding(controller: Int32) throws(HistoryError) -> [KeptVisit] {
    let visits = try standing(controller: controller)
    return try asHistoryError {
      try visits.map { visit in
        let rows = try connection.prepare(
          """
          SELECT payload, entered_us, exited_us FROM standing
          WHERE controller = ?1 AND visit = ?2
          """)
        try rows.bind(Int64(controller), at: 1)
        try rows.bind(Int64(visit.visit), at: 2)
        defer { rows.reset() }
        guard try rows.step() else { return KeptVisit(visit: visit) }
        return KeptVisit(
          visit: visit, payload: try rows.blob(at: 0),
          enteredTime: rows.isNull(at: 1) ? nil : rows.int64(at: 1),
          exitedTime: rows.isNull(at: 2) ? nil : rows.int64(at: 2))
      }
    }
  }
}
