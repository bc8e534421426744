package import StatyHistory

/// What a history has touched of its controllers.
///
/// It goes over the file once, one event in memory at a time.
package struct HistoryCoverage {
  private let reader: HistoryReader

  /// A coverage by this reader's file.
  package init(_ reader: HistoryReader) {
    self.reader = reader
  }

  /// What a session has touched.
  ///
  /// - Parameter isMeant: which controllers are looked at.
  package func session(
    _ session: SessionRecord, where isMeant: (ControllerRecord) -> Bool = { _ in true }
  ) throws -> Coverage {
    try reader.consistently {
      let names = try reader.names()
      let controllers = try reader.controllers(session: session.id).filter(isMeant)
      var touched = SessionCoverage(controllers: controllers, firstSeq: session.keptSeq)
      touched.learn(names: names)
      var feed = try SessionFeed(reader, session: session)
      while try feed.take(upTo: .max, &touched) {}
      return touched.coverage(names: names)
    }
  }
}

extension Coverage {
  /// What all sessions of a history have touched.
  ///
  /// - Parameter path: where a recorder has written.
  /// - Throws: an error that says why the file cannot be read.
  public init(ofHistoryAt path: String) throws {
    self.init()
    let reader = try HistoryReader(path: path)
    let history = HistoryCoverage(reader)
    for session in try reader.sessions() { merge(try history.session(session)) }
  }
}
