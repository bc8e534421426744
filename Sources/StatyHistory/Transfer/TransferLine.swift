import StatyText

/// One line of a history in text: what it says, whatever the form.
struct TransferLine {
  private var values: [TransferValue]

  private static let blank = [TransferValue](
    repeating: .absent, count: TransferKey.allCases.count)

  init() { values = Self.blank }

  /// A line about this.
  init(_ type: TransferType) {
    self.init()
    self.type = type
  }

  subscript(key: TransferKey) -> TransferValue {
    get { values[key.rawValue] }
    set { values[key.rawValue] = newValue }
  }

  /// What the line is about; `nil` if no version knows it.
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
  /// So long may a text be: with the rest of its row it can be read by who limits what is read.
  static let mostBytes = 3 << 20

  /// Refuses what could be stored and not be read again.
  func checkLengths() throws(LineProblem) {
    for key in TransferKey.allCases where self[key].byteCount > Self.mostBytes {
      throw LineProblem(
        "'\(key.word)' has \(self[key].byteCount) bytes", "At most \(Self.mostBytes) can be kept.")
    }
  }
}

/// What a line says under one key.
enum TransferValue: Equatable {
  /// The key is not there.
  case absent
  /// It is said that there is none.
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

  /// How long a text is.
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text), .json(let text): text.utf8.count
    default: 0
    }
  }

  /// How messages call what is there.
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
