import Staty
package import StatyHistory

/// A history as a single HTML page without external resources.
///
/// Names from the file are only data: they are in JSON blocks in which no tag can begin, and the
/// page inserts them only as text. The content security policy allows only the page's script and
/// style, by a nonce that is new on each page.
package struct ReportPage {
  /// A session of the file.
  package struct Session {
    /// The session's record.
    var record: SessionRecord
    /// The time of its beginning, ISO 8601 in UTC.
    var started: String
    /// The number of lost events.
    var lost: Int64
    /// Whether its events are on the page.
    var isHere: Bool
    /// The verdict on its replay as JSON, if it was replayed.
    var replay: String?
    /// How else it can end as JSON, if that was searched.
    var outcomes: String?

    /// Creates a session.
    package init(
      record: SessionRecord, started: String, lost: Int64, isHere: Bool, replay: String?,
      outcomes: String? = nil
    ) {
      self.record = record
      self.started = started
      self.lost = lost
      self.isHere = isHere
      (self.replay, self.outcomes) = (replay, outcomes)
    }
  }

  private let reader: HistoryReader
  private let file: String
  private let made: String
  private let sessions: [Session]
  private let most: Int

  /// Creates a page of a history.
  ///
  /// - Parameters:
  ///   - reader: the reader of the history.
  ///   - file: the name of the file.
  ///   - made: the name of the tool that writes the page.
  ///   - sessions: the sessions in the page's menu. The last one with events on the page is shown
  ///     first.
  ///   - most: the highest number of events of a session.
  package init(
    _ reader: HistoryReader, file: String, made: String, sessions: [Session], most: Int
  ) {
    self.reader = reader
    self.file = file
    self.made = made
    self.sessions = sessions
    self.most = most
  }

  /// Writes the page in parts.
  ///
  /// - Parameters:
  ///   - isMeant: whether a controller is shown.
  ///   - body: writes a part.
  package func write(
    where isMeant: (ControllerRecord) -> Bool, to body: (String) throws -> Void
  ) throws {
    let template = PageTemplate()
    try body(template.head)
    try writeData(isMeant, body)
    try body(template.tail)
  }

  private func writeData(
    _ isMeant: (ControllerRecord) -> Bool, _ body: (String) throws -> Void
  ) throws {
    try body("<script type=\"application/json\" id=\"facts\">\(facts)</script>\n")
    for session in sessions where session.isHere {
      try body("<script type=\"application/json\" id=\"session-\(session.record.id)\">")
      var content = try PageSession(
        reader, session.record, isMeant, most: most, replay: session.replay,
        outcomes: session.outcomes)
      try content.write(to: body)
      try body("</script>\n")
    }
  }

  private var facts: String {
    let shown = sessions.last(where: \.isHere)?.record.id ?? 0
    return "{\"file\":\(EmbeddedJSON.quoted(file)),\"made\":\(EmbeddedJSON.quoted(made)),"
      + "\"shown\":\(shown),\"kinds\":\(Self.kinds),\"reasons\":\(Self.reasons),"
      + "\"sessions\":[\(sessions.reversed().map(\.json).joined(separator: ","))]}"
  }

  private static let lastKind = EventKind.allCases.map(\.rawValue).max() ?? 0

  /// The names of event kinds, by their numbers.
  private static var kinds: String {
    EmbeddedJSON.list((0...lastKind).map { EventKind(rawValue: $0)?.text ?? "" })
  }

  /// The names of reasons, by the numbers of their kinds and their codes.
  private static var reasons: String {
    let lists = (0...lastKind).map { number in
      EmbeddedJSON.list(
        (UInt8(0)...15).map { code in
          EventKind(rawValue: number).flatMap { EventReason(kind: $0, code: code)?.text } ?? ""
        })
    }
    return "[\(lists.joined(separator: ","))]"
  }
}

extension ReportPage.Session {
  fileprivate var json: String {
    let texts: KeyValuePairs = [
      "app": record.app, "version": record.appVersion, "os": record.os, "started": started,
      "ended": record.ended?.rawValue ?? "",
    ]
    let parts = texts.map { "\"\($0)\":\(EmbeddedJSON.quoted($1))" }.joined(separator: ",")
    return
      "{\"id\":\(record.id),\"first\":\(record.firstSeq),\(parts),\"duration\":\(record.endTime),"
      + "\"events\":\(record.stored),\"lost\":\(lost),\"isHere\":\(isHere)}"
  }
}
