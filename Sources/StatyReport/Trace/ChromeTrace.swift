import Staty
package import StatyHistory
import StatyRules

/// A history as trace events in JSON, for Perfetto and `chrome://tracing`.
///
/// A session is a process, and a controller is a thread of it. A visit is an asynchronous span that
/// contains its phases as spans. Other events of a visit are instants in it. Events without an open
/// visit, findings and losses are instants of the controller or of the session. Times are relative
/// to the beginning of each session. Only open visits are kept in memory.
package struct ChromeTrace {
  private let reader: HistoryReader

  /// Creates a trace of a reader's file.
  package init(_ reader: HistoryReader) { self.reader = reader }

  /// Writes sessions in parts.
  package func write(_ sessions: [SessionRecord], to body: @escaping (String) throws -> Void) throws
  {
    let (names, sites) = (try reader.names(), try reader.sites())
    var line = TraceLine(body)
    try body("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")
    for session in sessions { try write(session, names, sites, &line) }
    try body("\n]}\n")
  }

  private func write(
    _ session: SessionRecord, _ names: [Int32: String], _ sites: [Int32: SiteRecord],
    _ line: inout TraceLine
  ) throws {
    let controllers = try reader.controllers(session: session.id)
    let findings = try HistoryCheck(reader).session(session.id).findings
    var trace = SessionTrace(session, controllers, findings, names, sites, line)
    try trace.begin()
    var events = try SessionEvents(reader, session: session)
    while try events.give(upTo: 1_000, to: &trace) { try trace.check() }
    events.giveRest(to: &trace)
    try trace.end()
    line = trace.line
  }
}

/// Writes trace events, one per line.
struct TraceLine {
  private let body: (String) throws -> Void
  private var isFirst = true

  init(_ body: @escaping (String) throws -> Void) { self.body = body }

  /// Writes an event.
  ///
  /// - Parameters:
  ///   - phase: the letter of the kind of trace event.
  ///   - name: the name.
  ///   - pid: the number of the process.
  ///   - tid: the number of the thread.
  ///   - time: the time in microseconds.
  ///   - rest: further keys, with values as JSON.
  ///   - arguments: the arguments that Perfetto shows, with values as JSON.
  mutating func write(
    _ phase: String, _ name: String, pid: Int64, tid: Int32, at time: Int64? = nil,
    _ rest: KeyValuePairs<String, String> = [:], arguments: [(String, String?)] = []
  ) throws {
    var text = isFirst ? "\n" : ",\n"
    isFirst = false
    text +=
      "{\"ph\":\"\(phase)\",\"name\":\(EmbeddedJSON.quoted(name)),\"pid\":\(pid),\"tid\":\(tid)"
    if let time { text += ",\"ts\":\(time)" }
    for (key, value) in rest { text += ",\"\(key)\":\(value)" }
    let known = arguments.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }
    if !known.isEmpty { text += ",\"args\":{\(known.joined(separator: ","))}" }
    try body(text + "}")
  }
}
