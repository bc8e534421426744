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

  /// What a page needs to follow a history that is recorded.
  package struct Live {
    /// The name of the script next to the page that has what is new.
    package let script: String
    /// When this page was written: a later one has a higher number.
    package let base: Int64
    /// What to say of it, if there is something.
    package let note: String?

    package init(script: String, base: Int64, note: String?) {
      (self.script, self.base, self.note) = (script, base, note)
    }
  }

  private let reader: HistoryReader
  private let file: String
  private let made: String
  private let sessions: [Session]
  private let most: Int
  private let live: Live?

  /// Creates a page of a history.
  ///
  /// - Parameters:
  ///   - reader: the reader of the history.
  ///   - file: the name of the file.
  ///   - made: the name of the tool that writes the page.
  ///   - sessions: the sessions in the page's menu. The last one with events on the page is shown
  ///     first.
  ///   - most: the highest number of events of a session.
  ///   - live: how it follows the history; `nil` if it does not.
  package init(
    _ reader: HistoryReader, file: String, made: String, sessions: [Session], most: Int,
    live: Live? = nil
  ) {
    self.reader = reader
    self.file = file
    self.made = made
    self.sessions = sessions
    self.most = most
    self.live = live
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
    try body("<script type=\"application/json\" id=\"facts\">\(facts)</script>\n")
    for session in sessions where session.isHere {
      try body("<script type=\"application/json\" id=\"session-\(session.record.id)\">")
      var content = try PageSession(
        reader, session.record, isMeant, most: most, replay: session.replay,
        outcomes: session.outcomes)
      try content.write(to: body)
      try body("</script>\n")
    }
    try body(template.tail)
  }

  private var facts: String {
    let shown = sessions.last(where: \.isHere)?.record.id ?? 0
    return "{\"file\":\(EmbeddedJSON.quoted(file)),\"made\":\(EmbeddedJSON.quoted(made)),"
      + "\"live\":\(live?.json ?? "null"),\"shown\":\(shown),\"kinds\":\(Self.kinds),\"reasons\":\(Self.reasons),"
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

extension ReportPage.Live {
  fileprivate var json: String {
    "{\"script\":\(EmbeddedJSON.quoted(script)),\"base\":\(base),\"note\":\(EmbeddedJSON.quoted(note))}"
  }
}

// MARK: Following

extension ReportPage {
  /// What is new in a session, for a page that has its events up to a place.
  ///
  /// - Parameters:
  ///   - session: the session as it is now.
  ///   - base: how many events the page had when it was written.
  ///   - earlier: where the last growth ended.
  ///   - isMeant: whether a controller is shown.
  /// - Returns: the JSON, and where it ends; `nil` if the events before are not the same any more.
  package static func growth(
    of session: Session, _ reader: HistoryReader, base: Int64, after earlier: PageEnd?,
    where isMeant: (ControllerRecord) -> Bool
  ) throws -> (json: String, end: PageEnd)? {
    var content = try PageSession(
      reader, session.record, isMeant, most: Int(max(0, session.record.stored - base)),
      after: earlier ?? PageEnd(count: 0, seq: 0))
    var json = "\"record\":\(session.json),\"growth\":"
    try content.write { json += $0 }
    // A file with fewer events is another one.
    let isShorter = content.end.count < earlier?.count ?? 0
    return content.isContinued && !isShorter ? (json, content.end) : nil
  }

  /// The text of the script that a page reads while it follows a history.
  ///
  /// - Parameters:
  ///   - tick: a number that changes with each text.
  ///   - version: a number that changes with what is new.
  ///   - base: when the page was written that the growth goes on from.
  ///   - session: the `uuid` of the session that is followed; empty if there is none yet.
  ///   - says: what to say, if there is something.
  ///   - isOver: whether no other text will follow.
  ///   - growth: what is new.
  package static func script(
    tick: Int, version: Int, base: Int64, session: String, says: String?, isOver: Bool,
    growth: String
  ) -> String {
    "staty({\"tick\":\(tick),\"version\":\(version),\"base\":\(base),"
      + "\"uuid\":\(EmbeddedJSON.quoted(session)),\"says\":\(EmbeddedJSON.quoted(says)),"
      + "\"isOver\":\(isOver)\(growth.isEmpty ? "" : ",")\(growth)})\n"
  }
}

extension ReportPage.Session {
  fileprivate var json: String {
    let texts: KeyValuePairs = [
      "app": record.app, "version": record.appVersion, "os": record.os, "started": started,
      "ended": record.ended?.rawValue ?? "", "uuid": record.uuid,
    ]
    let parts = texts.map { "\"\($0)\":\(EmbeddedJSON.quoted($1))" }.joined(separator: ",")
    return
      "{\"id\":\(record.id),\"first\":\(record.firstSeq),\(parts),\"duration\":\(record.endTime),"
      + "\"events\":\(record.stored),\"lost\":\(lost),\"isHere\":\(isHere)}"
  }
}
