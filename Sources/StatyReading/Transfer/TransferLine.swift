import StatyHistory
import Staty
import StatyText

/// One line of a history in text.
struct TransferLine {
  private var values: [TransferValue]

  private static let blank = [TransferValue](
    repeating: .absent, count: TransferKey.allCases.count)

  init() { values = Self.blank }

  /// A line of this type.
  init(_ type: TransferType) {
    self.init()
    self.type = type
  }

  subscript(key: TransferKey) -> TransferValue {
    get { values[key.rawValue] }
    set { values[key.rawValue] = newValue }
  }

  /// The type of the line; `nil` if no version knows it.
  var type: TransferType? {
    get {
      guard case .text(let word) = self[.type] else { return self[.type] == .absent ? .event : nil }
      return TransferType(rawValue: word)
    }
    set {
      self[.type] = newValue == .event ? .absent : newValue.map { .text($0.rawValue) } ?? .null
    }
  }

  /// Sets a number, unless it is 0, which stands for "none".
  mutating func set(_ key: TransferKey, unlessZero number: some BinaryInteger) {
    if number != 0 { self[key] = .integer(Int64(number)) }
  }
}

extension TransferLine {
  /// The most bytes of a text: with the rest of its row, it can be read within the limits of
  /// reading.
  static let mostBytes = 3 << 20

  /// Refuses texts that could be stored but not be read again.
  func checkLengths() throws(LineProblem) {
    // Those of an event are in one row.
    var sum = 0
    for key in TransferKey.allCases {
      let count = self[key].byteCount
      sum += key.isFree ? count : 0
      guard count > Self.mostBytes || sum > Self.mostBytes else { continue }
      throw LineProblem(
        count > Self.mostBytes
          ? "'\(key.word)' has \(count) bytes" : "its texts have \(sum) bytes together",
        "At most \(Self.mostBytes) can be kept.")
    }
  }
}

/// The value under one key of a line.
enum TransferValue: Equatable {
  /// The key is missing.
  case absent
  /// The value is explicitly none.
  case null
  case bool(Bool)
  case integer(Int64)
  /// A whole number beyond `Int64.max`.
  case large(UInt64)
  case decimal(Double)
  case text(String)
  /// An object or a list, as its text.
  case json(String)

  /// A text, if there is one.
  static func text(_ text: String?) -> TransferValue { text.map { .text($0) } ?? .absent }

  /// The length of a text.
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text), .json(let text): text.utf8.count
    default: 0
    }
  }

  /// The name of the value's type in messages.
  var called: String {
    switch self {
    case .absent: "nothing"
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .integer(let number): "\(number)"
    case .large(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .text(let text): "'\(text.shortened(to: 40))'"
    case .json(let text): text.hasPrefix("{") ? "an object" : "a list"
    }
  }
}

extension TransferLine {
  /// The time since the session began, in microseconds.
  func time() throws(LineProblem) -> Int64 { try needed(.tUs, in: 0...Self.longestSession) }

  /// The longest session: sums of longer times would overflow.
  static let longestSession: Int64 = 36_525 * 86_400_000_000

  /// The times since 1970 that can be written with a year of four digits.
  static let moments: ClosedRange<Int64> = 0...253_402_300_799_999_999

  /// The code of an event's reason; 0 if it has none.
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

  /// Sets the place and the cause of a row.
  func place(_ row: inout EventRow) throws(LineProblem) {
    let cause = try integer(.cause) ?? 0
    guard let inside = try integer(.inside) else {
      if self[.part] != .absent {
        throw missing(.inside, "the number of the event of which 'part' is a part")
      }
      // The file holds no cause of a request, only the place of its code.
      return row.kind == EventKind.enqueued.rawValue
        ? row.set(.handled, of: cause) : row.set(.handled, of: 0, cause: cause)
    }
    guard inside < row.seq else { throw wrong(.inside, "a number below 'seq'") }
    let text = try neededText(.part, "one of " + EventPlace.Part.words)
    guard let part = EventPlace.Part(text: text) else {
      throw wrong(.part, "one of " + EventPlace.Part.words)
    }
    row.set(part, of: inside, cause: cause)
  }

  /// The value of a word or, if no version knows it, of a number under a key; none if there is
  /// none.
  func number<Choice: RawRepresentable>(
    _ key: TransferKey, _ words: KeyValuePairs<String, Choice>
  ) throws(LineProblem) -> UInt8? where Choice.RawValue == UInt8 {
    if case .integer(let number) = self[key] { return UInt8(clamping: number) }
    return try choice(key, words)?.rawValue
  }

  /// The snapshot of a controller, as the file has it.
  func snapshot() throws(LineProblem) -> String {
    if let text = try text(.snapshotText) {
      // Otherwise the views would read it, and fail.
      guard !SnapshotRecord.isObject(text) || JSONLineReading.isValue(text) else {
        throw wrong(.snapshotText, "an object of JSON, or a text that does not look like one")
      }
      return text
    }
    switch self[.snapshot] {
    case .absent, .null: return SnapshotRecord().text
    case .json(let text):
      guard let record = SnapshotRecord(text) else {
        throw LineProblem(
          "'snapshot' is not a whole snapshot, as an export writes it",
          "Leave it out if the controller was idle when its recording began.")
      }
      return record.text
    default: throw wrong(.snapshot, "an object")
    }
  }

  /// The rare parts of an event; none if it has none.
  func detail(_ seq: Int64, _ store: HistoryWriter) throws -> EventDetail? {
    var detail = EventDetail(seq: seq)
    let whole = 0...Int64(UInt32.max)
    detail.origin = UInt32(try integer(.origin, in: whole) ?? 0)
    detail.instance = UInt32(try integer(.instance, in: whole) ?? 0)
    detail.priority =
      Int32(try integer(.priority, in: Int64(Int32.min)...Int64(Int32.max)) ?? 0)
    detail.equality = try integer(.equality, in: whole).map { UInt32($0) }
    detail.answers = UInt64(bitPattern: try integer(.answers) ?? 0)
    detail.asked = try store.intern(self, .asked)
    detail.step = UInt32(try integer(.step, in: whole) ?? 0)
    detail.age = try integer(.ageUs, in: TransferLine.moments) ?? 0
    detail.objection = try choice(.objection, Objection.words) ?? 0
    detail.refusal = try choice(.refusal, RefusalRecord.words) ?? 0
    detail.refusedFrom = try store.intern(self, .refusedFrom)
    detail.refusedNeeds = try store.intern(self, .refusedNeeds)
    detail.note = try text(.note)
    detail.payload = try payload()
    return detail == EventDetail(seq: seq) ? nil : detail
  }
}

extension SessionEnd {
  static let words: KeyValuePairs<String, SessionEnd> = [
    "clean": .clean, "suspended": .suspended, "killed": .killed, "continued": .continued,
    "open": .open,
  ]
}
