import StatyText

/// The content of a table's cell.
enum Cell: Equatable {
  case text(String)
  case integer(Int64)
  /// A number with this many digits behind the point.
  case decimal(Double, digits: Int)
  /// A number with all its digits.
  case number(Double)
  /// A formatted number, such as one with its unit.
  case figure(String)
  /// A time in a session, in microseconds since it began.
  case moment(Int64)
  /// Bytes, shown as hexadecimal digits.
  case bytes([UInt8])
  case nothing

  static func whole(_ number: some BinaryInteger) -> Cell { .integer(Int64(number)) }

  /// The text, or nothing.
  static func text(_ text: String?) -> Cell { text.map { .text($0) } ?? .nothing }

  /// Microseconds as milliseconds, without rounding.
  static func milliseconds(_ microseconds: Int64) -> Cell {
    .decimal(Double(microseconds) / 1_000, digits: 3)
  }

  /// The text for reading.
  var plain: String {
    switch self {
    case .moment(let microseconds): Decimal.moment(microseconds)
    default: exact
    }
  }

  /// The text for programs.
  var exact: String {
    switch self {
    case .text(let text), .figure(let text): text
    case .integer(let integer): "\(integer)"
    case .decimal(let number, let digits): Decimal.text(number, digits: digits)
    case .number(let number): JSONValue.number(number).line
    case .moment(let microseconds): Cell.milliseconds(microseconds).exact
    case .bytes(let bytes): bytes.map(\.hexadecimal).joined()
    case .nothing: ""
    }
  }

  var isNumber: Bool {
    switch self {
    case .integer, .decimal, .number, .figure, .moment: true
    case .text, .bytes, .nothing: false
    }
  }

  var json: JSONValue {
    switch self {
    case .text(let text), .figure(let text): .text(text)
    case .integer(let integer): .integer(integer)
    case .decimal(let number, _), .number(let number): .number(number)
    case .moment(let microseconds): .number(Double(microseconds) / 1_000)
    case .bytes: .text(exact)
    case .nothing: .null
    }
  }
}
