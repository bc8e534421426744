/// An entry in the ring's byte log, with data that does not fit into a record: data of variable length, and
/// details that few events have.
///
/// A note is written before the first record that needs it. So when a reader finds the record, it finds the
/// note too. A note that cannot be decoded is ignored: the byte log's checksums have excluded damage.
enum Note: Equatable {
  /// A name, and the number that records use for it.
  case name(number: UInt32, text: String)
  /// A call site, and its number.
  case site(number: UInt32, file: String, line: UInt32)
  /// A controller, and its number. The snapshot is its state when recording began.
  case controller(
    number: UInt32, name: String, policy: String, discipline: UInt8, fidelity: UInt8,
    snapshot: String)
  /// Details of an event that its record has no field for.
  case detail(event: UInt64, NotedDetail)
  /// The payload of an event, as it may be stored.
  case payload(event: UInt64, text: String)
  /// The text of a mark.
  case mark(event: UInt64, text: String)

  /// The kind of an entry in the byte log.
  enum Kind: UInt32 {
    case name = 1
    case site
    case controller
    case detail
    case payload
    case mark
  }
}

/// Details of an event that its record has no field for.
///
/// Few events have any.
///
/// `asked`, `refusedFrom` and `refusedNeeds` are numbers of ``Note/name(number:text:)``.
struct NotedDetail: Equatable {
  var answers: UInt64 = 0
  var priority: Int32 = 0
  var equality: UInt32 = 0
  var asked: UInt32 = 0
  var refusedFrom: UInt32 = 0
  var refusedNeeds: UInt32 = 0
  var hasEquality: UInt8 = 0
  var objection: UInt8 = 0
  var refusal: UInt8 = 0
}

extension Note {
  var kind: Kind {
    switch self {
    case .name: .name
    case .site: .site
    case .controller: .controller
    case .detail: .detail
    case .payload: .payload
    case .mark: .mark
    }
  }

  var id: UInt64 {
    switch self {
    case .name(let number, _), .site(let number, _, _), .controller(let number, _, _, _, _, _):
      UInt64(number)
    case .detail(let event, _), .payload(let event, _), .mark(let event, _): event
    }
  }

  var bytes: [UInt8] {
    switch self {
    case .name(_, let text), .payload(_, let text), .mark(_, let text):
      return Array(text.utf8)
    case .site(_, let file, let line):
      return Self.bytes(of: line) + Array(file.utf8)
    case .controller(_, let name, let policy, let discipline, let fidelity, let snapshot):
      let name = Array(name.utf8)
      let policy = Array(policy.utf8)
      return [discipline, fidelity] + Self.bytes(of: UInt32(name.count)) + name
        + Self.bytes(of: UInt32(policy.count)) + policy + Array(snapshot.utf8)
    case .detail(_, let detail):
      return Self.bytes(of: detail)
    }
  }

  init?(kind: UInt32, id: UInt64, bytes: [UInt8]) {
    guard let kind = Kind(rawValue: kind) else { return nil }
    let number = UInt32(truncatingIfNeeded: id)
    switch kind {
    case .name: self = .name(number: number, text: Self.text(bytes[...]))
    case .payload: self = .payload(event: id, text: Self.text(bytes[...]))
    case .mark: self = .mark(event: id, text: Self.text(bytes[...]))
    case .site:
      guard let line: UInt32 = Self.value(bytes) else { return nil }
      self = .site(number: number, file: Self.text(bytes.dropFirst(4)), line: line)
    case .controller:
      var rest = bytes.dropFirst(2)
      guard bytes.count >= 2, let name = Self.takeText(&rest),
        let policy = Self.takeText(&rest)
      else { return nil }
      self = .controller(
        number: number, name: name, policy: policy, discipline: bytes[0], fidelity: bytes[1],
        snapshot: Self.text(rest))
    case .detail:
      guard let detail: NotedDetail = Self.value(bytes) else { return nil }
      self = .detail(event: id, detail)
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Removes a text, which follows its length, from the beginning of the bytes.
  private static func takeText(_ bytes: inout ArraySlice<UInt8>) -> String? {
    guard let length: UInt32 = value(Array(bytes.prefix(4))), bytes.count - 4 >= Int(length) else {
      return nil
    }
    let text = text(bytes.dropFirst(4).prefix(Int(length)))
    bytes = bytes.dropFirst(4 + Int(length))
    return text
  }

  private static func bytes<Value: BitwiseCopyable>(of value: Value) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }

  private static func value<Value: BitwiseCopyable>(_ bytes: [UInt8]) -> Value? {
    guard bytes.count >= MemoryLayout<Value>.size else { return nil }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
  }

  /// Whether an entry defines a number that records use.
  static func isIntroduction(_ entry: LogEntry) -> Bool {
    switch Kind(rawValue: entry.kind) {
    case .name, .site, .controller: true
    case .detail, .payload, .mark, nil: false
    }
  }
}
