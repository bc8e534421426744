import StatySQLite

extension HistoryReader {
  /// The text of a name; none if the number stands for nothing.
  package func name(_ number: Int32) throws(HistoryError) -> String? {
    try asHistoryError {
      let rows = try connection.prepare("SELECT text FROM name WHERE id = ?1")
      try rows.bind(Int64(number), at: 1)
      return try rows.step() ? try rows.string(at: 0) : nil
    }
  }

  /// The highest number of a name; 0 if there is none.
  package func lastName() throws(HistoryError) -> Int32 {
    try asHistoryError {
      let rows = try connection.prepare("SELECT max(id) FROM name")
      defer { rows.reset() }
      return try rows.step() ? Int32(clamping: rows.int64(at: 0)) : 0
    }
  }

  /// All names by their numbers.
  package func names() throws(HistoryError) -> [Int32: String] {
    if let names = steady?.names { return names }
    return try asHistoryError {
      let rows = try connection.prepare("SELECT id, text FROM name")
      var names: [Int32: String] = [:]
      while try rows.step() {
        guard let number = Int32(exactly: rows.int64(at: 0)) else { continue }
        names[number] = try rows.string(at: 1)
      }
      steady?.names = names
      return names
    }
  }

  /// All places in the code by their numbers.
  package func sites() throws(HistoryError) -> [Int32: SiteRecord] {
    if let sites = steady?.sites { return sites }
    return try asHistoryError {
      let rows = try connection.prepare("SELECT id, file, line FROM site")
      var sites: [Int32: SiteRecord] = [:]
      while try rows.step() {
        guard let number = Int32(exactly: rows.int64(at: 0)) else { continue }
        sites[number] = SiteRecord(file: try rows.string(at: 1) ?? "", line: rows.int64(at: 2))
      }
      steady?.sites = sites
      return sites
    }
  }

  /// What a session lost, in order of the numbers.
  package func losses(session: Int64) throws(HistoryError) -> [LossRecord] {
    let record = try self.session(session)
    return try asHistoryError {
      try connection.losses(of: record)
    }
  }

  /// The readings of the wall clock in a session, in the order of time.
  package func anchors(session: Int64) throws(HistoryError) -> [AnchorRecord] {
    try asHistoryError {
      let rows = try connection.prepare(
        "SELECT t_us, wall_us FROM anchor WHERE session = ?1 ORDER BY t_us")
      try rows.bind(session, at: 1)
      var anchors: [AnchorRecord] = []
      var order = ReadingOrder("the readings of the clock in session \(session)")
      while try rows.step() {
        try order.check(rows.int64(at: 0))
        anchors.append(AnchorRecord(time: rows.int64(at: 0), wallTime: rows.int64(at: 1)))
      }
      return anchors
    }
  }
}
