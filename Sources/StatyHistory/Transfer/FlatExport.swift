import Staty
import StatyText

/// Writes sessions so that each line can be read alone, for engines that split a text.
///
/// A line has its session, its app and the version of the format. Times are whole nanoseconds since the session
/// began, and dates are in ISO 8601. Each session is a text of its own, which `HistoryImport` can read.
package struct FlatExport {
  private let reader: HistoryReader
  private let lines: HistoryLines

  /// An export of what this reader reads, which should have been verified before.
  package init(_ reader: HistoryReader) throws {
    self.reader = reader
    lines = try HistoryLines(reader)
  }

  /// Where a session's text belongs: folders that say `app` and `date`, and a file by its name.
  ///
  /// What could mean something to a file system is written as `%` and two digits.
  package static func place(of session: SessionRecord) -> [String] {
    let day = ISODate.date(day: session.wallTime / 86_400_000_000)
    return [
      "app=" + (session.app.isEmpty ? "__HIVE_DEFAULT_PARTITION__" : escaped(session.app)),
      "date=\(day)", escaped(session.uuid) + ".ndjson",
    ]
  }

  /// So long may a name be where three bytes stand for one, and drafts have longer names.
  private static let longest = 64

  private static func escaped(_ name: String) -> String {
    guard name.utf8.count > longest else { return escaped(name.utf8) }
    // What was cut off is still told apart; no other name has a `~`.
    let hash = String(Array(name.utf8).withUnsafeBytes(ContentHash.bytes), radix: 16)
    return escaped(name.utf8.prefix(longest - 20)) + "~" + hash
  }

  private static func escaped(_ bytes: some Sequence<UInt8>) -> String {
    var escaped = ""
    for byte in bytes {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        byte < 0x80 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      if isPlain || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: ".") && !escaped.isEmpty
      {
        escaped.unicodeScalars.append(scalar)
      } else {
        escaped += byte.percentEncoded
      }
    }
    return escaped
  }

  /// Hands the text of a session on, a part at a time.
  package func write(_ session: SessionRecord, _ put: (String) throws -> Void) throws {
    let anchors = try reader.anchors(session: session.id).sorted { $0.time < $1.time }
    var bytes: [UInt8] = []
    var head = TransferLine()
    head[.format] = .text(HistoryExport.format)
    head[.version] = .integer(HistoryExport.version)
    head[.sessions] = .integer(1)
    let controllers = try NamedControllers(reader.controllers(session: session.id))
    let policies = Dictionary(
      controllers.records.map { (ExactText(text: controllers.keys[$0.id] ?? $0.name), $0) }
    ) { $1 }
    func add(_ line: TransferLine) throws {
      JSONLineWriting.write(line, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
      guard bytes.count >= 64 << 10 else { return }
      try put(String(decoding: bytes, as: UTF8.self))
      bytes.removeAll(keepingCapacity: true)
    }
    try add(head)
    try lines.forEach(of: session) { try add(flat($0, session, anchors, policies)) }
    try put(String(decoding: bytes, as: UTF8.self))
  }

  private func flat(
    _ line: TransferLine, _ session: SessionRecord, _ anchors: [AnchorRecord],
    _ controllers: [ExactText: ControllerRecord]
  ) -> TransferLine {
    var line = line
    if line.type == .event { line[.type] = .text(TransferType.event.rawValue) }
    line[.version] = .integer(HistoryExport.version)
    line[.uuid] = .text(session.uuid)
    line[.app] = .text(session.app)
    line[.appVersion] = .text(session.appVersion)
    line[.os] = .text(session.os)
    if line.type == .session { line[.startedAt] = .text(ISODate.text(session.wallTime)) }
    if line.type == .event, case .integer(let time) = line[.tUs] {
      line[.tUs] = .absent
      line[.tNs] = .integer(time &* 1_000)
      let anchor = anchors.last { $0.time <= time } ?? anchors.first
      let wall = (anchor?.wallTime ?? session.wallTime) &- (anchor?.time ?? 0) &+ time
      line[.at] = .text(ISODate.text(wall))
    }
    if line.type == .event, case .text(let key) = line[.controller],
      let known = controllers[ExactText(text: key)]
    {
      line[.policy] = .text(known.policy)
      line[.discipline] = .text(Discipline(rawValue: known.discipline)?.word)
      line[.fidelity] = .text(Fidelity(rawValue: known.fidelity)?.word)
    }
    return line
  }
}
