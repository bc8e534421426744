import Staty
import StatyHistory
import StatyReplay

/// The cells of one event's row.
struct EventCells {
  private let event: ListedEvent
  private let session: ListedSession
  private var row: EventRow? { event.row }
  private var saying: EventDetail? { event.detail }

  init(_ event: ListedEvent, _ session: ListedSession) {
    self.event = event
    self.session = session
  }

  var sessionNumber: Cell { .whole(session.record.id) }
  var seq: Cell { .whole(event.seq) }
  var moment: Cell { row.map { .moment($0.time) } ?? .nothing }
  var milliseconds: Cell { row.map { .milliseconds($0.time) } ?? .nothing }
  var at: Cell { row.map { .text(Decimal.date(session.wallTime($0.time))) } ?? .nothing }
  var thread: Cell { row.map { .whole($0.thread) } ?? .nothing }
  var visit: Cell { Self.some(row?.visit) }
  var cause: Cell { Self.some(row?.cause) }
  var inside: Cell { Self.some(row?.inside) }
  var part: Cell { .text(row.flatMap { $0.inside == 0 ? nil : $0.part.text }) }
  var origin: Cell { Self.some(saying?.origin) }
  var priority: Cell { Self.some(saying?.priority) }
  var state: Cell { name(row?.state) }
  var note: Cell { .text(saying?.note ?? event.loss.map(Self.words)) }

  var controller: Cell {
    .text(row.flatMap { session.words.controllers[$0.controller]?.name })
  }

  var kind: Cell {
    guard let row else { return .text(EventKind.lost.text) }
    return .text(EventKind(rawValue: row.kind)?.text)
  }

  var reason: Cell {
    guard let row else { return .text(event.loss?.reason) }
    guard let kind = EventKind(rawValue: row.kind) else { return .nothing }
    return .text(EventReason(kind: kind, code: row.reason)?.text)
  }

  /// What happened: `discarded (replaced)`.
  var what: Cell { .text(row.map(\.happening) ?? EventKind.lost.text) }

  var visitAndState: Cell {
    .text(
      row.flatMap {
        $0.visit == 0 && $0.state == 0 ? nil : session.words.visit($0.visit, $0.state)
      })
  }

  var site: Cell { .text(row.flatMap(session.words.site)) }

  /// As text if it is one, else as hexadecimal digits.
  var payload: Cell {
    guard let bytes = saying?.payload else { return .nothing }
    return .text(orBytes: bytes)
  }

  /// Everything that has no column of its own, in words.
  var detail: Cell {
    var parts: [String] = []
    if let loss = event.loss { parts.append(Self.words(loss) + ": " + loss.reason) }
    if let saying { parts += words(saying) }
    if event.alike != 0 { parts.append("shows the same as at event \(event.alike)") }
    if let site = row.flatMap(session.words.site) { parts.append("at \(site)") }
    return parts.isEmpty ? .nothing : .text(parts.joined(separator: ", "))
  }

  private func words(_ saying: EventDetail) -> [String] {
    var parts: [String] = []
    if let note = saying.note { parts.append(note) }
    if saying.origin != 0 { parts.append("asked by #\(saying.origin)") }
    // The elements of a path are values.
    let alike = row?.kind == EventKind.moved.rawValue ? "equal to" : "same object as"
    if saying.instance != 0 { parts.append("\(alike) #\(saying.instance)") }
    if saying.priority != 0 { parts.append("priority \(saying.priority)") }
    if saying.asked != 0 {
      // Of a message it is the part that it is about.
      let isMessage = row?.kind == EventKind.received.rawValue
      parts.append("\(isMessage ? "about" : "asked for") '\(text(saying.asked))'")
    }
    if let refusal = refusal(saying) { parts.append(refusal) }
    if saying.payload != nil { parts.append("payload \(payload.plain)") }
    return parts
  }

  private func refusal(_ saying: EventDetail) -> String? {
    guard saying.refusal != 0 else { return nil }
    let name = { (number: Int32) in session.words.names[number].map { StateName($0) } }
    return Refusal(saying, naming: name).map(\.words)
      ?? "rejection \(saying.refusal)"
  }

  private static func words(_ loss: LossRecord) -> String {
    "\(LossNote.missing(loss.count)), up to \(loss.lastSeq)"
  }

  private func text(_ number: Int32) -> String { session.words.names[number] ?? "?" }

  private func name(_ number: Int32?) -> Cell {
    guard let number, number != 0 else { return .nothing }
    return .text(session.words.names[number])
  }

  /// A number, or nothing for 0.
  private static func some(_ number: (some BinaryInteger)?) -> Cell {
    guard let number, number != 0 else { return .nothing }
    return .whole(number)
  }
}

extension Cell {
  /// The text in the bytes, or else the bytes.
  static func text(orBytes bytes: [UInt8]) -> Cell {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      return .bytes(bytes)
    }
    return .text(text)
  }
}

extension OpenHistory {
  /// The values of the messages among some events, by the numbers of the events.
  func values(of rows: [EventRow]) throws -> [Int64: String] {
    var values: [Int64: String] = [:]
    for row in rows where row.kind == EventKind.received.rawValue {
      values[row.seq] = try reader.detail(of: row.seq)?.payload.map {
        Cell.text(orBytes: $0).plain.visible
      }
    }
    return values
  }
}
