import Staty
import StatySQLite

// What makes a file smaller, and how large it is.
extension HistoryWriter {
  /// Removes a session with everything that only it has.
  package func remove(session: Int64) throws(HistoryError) {
    try writing {
      let record = try connection.session(session)
      for table in ["event", "asking", "detail", "visit"] {
        try connection.run(
          "DELETE FROM \(table) WHERE seq BETWEEN ?1 AND ?2", record.firstSeq, record.lastOwnSeq)
      }
      for table in ["chain", "loss"] {
        try connection.run(
          "DELETE FROM \(table) WHERE first_seq BETWEEN ?1 AND ?2", record.firstSeq,
          record.lastOwnSeq)
      }
      try connection.run(
        "DELETE FROM route WHERE controller IN (SELECT id FROM controller WHERE session = ?1)",
        session)
      (ledgers[session], followings[session], endFindings[session]) = (nil, nil, nil)
      unfollowed.remove(session)
      for table in ["anchor", "alias", "continuation", "controller", "finding"] {
        try connection.run("DELETE FROM \(table) WHERE session = ?1", session)
      }
      try connection.run("DELETE FROM session WHERE id = ?1", session)
    }
  }

  /// Removes the names and the places in the code that belong to no session any more.
  ///
  /// Only a tool may do that, as the last thing that it writes: a recorder knows names that no event has yet.
  package func removeUnused() throws(HistoryError) {
    try writing {
      try connection.run(
        """
        DELETE FROM site WHERE id NOT IN (
          SELECT coalesce(ref, 0) FROM event WHERE what & 31 = \(EventKind.enqueued.rawValue)
          UNION SELECT id FROM alias WHERE kind = \(AliasKind.site.rawValue))
        """)
      try connection.run(
        """
        DELETE FROM name WHERE id NOT IN (
          SELECT coalesce(state, 0) FROM event UNION SELECT coalesce(state, 0) FROM visit
          UNION SELECT coalesce("from", 0) FROM visit UNION SELECT coalesce(state, 0) FROM finding
          UNION SELECT name FROM controller UNION SELECT policy FROM controller
          UNION SELECT "to" FROM route UNION SELECT "from" FROM route
          UNION SELECT coalesce(asked, 0) FROM detail
          UNION SELECT coalesce(refused_from, 0) FROM detail
          UNION SELECT coalesce(refused_needs, 0) FROM detail
          UNION SELECT id FROM alias WHERE kind = \(AliasKind.name.rawValue))
        """)
    }
    catalog = try asHistoryError { try Catalog(connection) }
  }

  /// The bytes of the file and its log, including free pages.
  package func fileBytes() throws(HistoryError) -> Int64 {
    try asHistoryError { (try connection.integerPragma("page_count") ?? 0) * 4_096 }
  }

  /// Makes the file smaller by some of its free pages.
  ///
  /// It does nothing for a file that was made without auto-vacuum.
  package func giveBack(pages: Int) throws(HistoryError) {
    try asHistoryError { try connection.execute("PRAGMA incremental_vacuum(\(pages))") }
  }

  /// The bytes of the file's pages in use.
  package func usedBytes() throws(HistoryError) -> Int64 {
    try asHistoryError {
      let pages = try connection.integerPragma("page_count")
      let free = try connection.integerPragma("freelist_count")
      return ((pages ?? 0) - (free ?? 0)) * 4_096
    }
  }
}
