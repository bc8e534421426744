import Staty

extension TransferLine {
  /// The time since the session began, in microseconds; none if it is not said like this.
  func sinceBeginning() throws(LineProblem) -> Int64? {
    if let time = try integer(.tUs) { return time }
    switch self[.tMs] {
    case .absent, .null: return nil
    case .integer(let time) where abs(time) < 1 << 50: return time * 1_000
    case .decimal(let time) where abs(time) < 1e15: return Int64((time * 1_000).rounded())
    default: throw wrong(.tMs, "a number of milliseconds")
    }
  }

  /// The moment of the wall clock under a key, in microseconds since 1970; none if there is none.
  func moment(_ key: TransferKey) throws(LineProblem) -> Int64? {
    guard let text = try text(key) else { return nil }
    guard let moment = ISODate.microseconds(text) else {
      throw wrong(key, "a moment such as '2026-01-31T12:00:00.000Z'")
    }
    return moment
  }

  /// The code of what an event says beyond its kind; 0 if it says nothing.
  func reason(of kind: EventKind) throws(LineProblem) -> UInt8 {
    guard let text = try text(.reason) else { return 0 }
    let known = EventReason.all.filter { $0.kind == kind }
    guard let reason = known.first(where: { $0.text == text }) else {
      throw wrong(
        .reason,
        known.isEmpty
          ? "none with '\(kind.text)'"
          : "one of " + known.map { "'\($0.text)'" }.joined(separator: ", "))
    }
    return reason.code
  }

  /// Where a controller stood, as the file has it.
  func snapshot() throws(LineProblem) -> String {
    if let text = try text(.snapshotText) {
      // The views would read it, and fail.
      guard !text.hasPrefix("{") || !text.hasSuffix("}") || JSONLineReading.isValue(text) else {
        throw wrong(.snapshotText, "an object of JSON, or a text that does not look like one")
      }
      return text
    }
    switch self[.snapshot] {
    case .absent, .null: return SnapshotRecord().text
    case .json(let text):
      guard let record = SnapshotRecord(text) else {
        throw wrong(
          .snapshot, "what the guide says of snapshots; 'standing' and others are missing")
      }
      return record.text
    default: throw wrong(.snapshot, "an object")
    }
  }

  /// What few events have; none if this one has nothing of it.
  func detail(_ seq: Int64, _ writer: HistoryWriter) throws -> EventDetail? {
    var detail = EventDetail(seq: seq)
    let whole = 0...Int64(UInt32.max)
    detail.origin = UInt32(try integer(.origin, in: whole) ?? 0)
    detail.instance = UInt32(try integer(.instance, in: whole) ?? 0)
    detail.priority =
      Int32(try integer(.priority, in: Int64(Int32.min)...Int64(Int32.max)) ?? 0)
    detail.equality = try integer(.equality, in: whole).map { UInt32($0) }
    detail.answers = UInt64(bitPattern: try integer(.answers) ?? 0)
    detail.asked = try writer.intern(self, .asked)
    detail.objection = try choice(.objection, Objection.words) ?? 0
    detail.refusal = try choice(.refusal, EventDetail.refusals) ?? 0
    detail.refusedFrom = try writer.intern(self, .refusedFrom)
    detail.refusedNeeds = try writer.intern(self, .refusedNeeds)
    detail.note = try text(.note)
    detail.payload = try payload()
    return detail == EventDetail(seq: seq) ? nil : detail
  }
}

extension HistoryWriter {
  /// The number of the name under a key; 0 if there is none.
  func intern(_ line: TransferLine, _ key: TransferKey) throws -> Int32 {
    guard let name = try line.text(key) else { return 0 }
    return try intern(name: name)
  }
}

extension SessionEnd {
  static let words: KeyValuePairs<String, SessionEnd> = [
    "clean": .clean, "crash": .crash, "open": .open,
  ]
}
