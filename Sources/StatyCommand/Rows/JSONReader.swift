/// Reads JSON: the other direction of ``JSONValue/line``.
///
/// It is strict, because its input comes from other programs: there is exactly one value, and a
/// text is UTF-8 without control characters.
struct JSONReader {
  /// Why bytes are no JSON, and where.
  struct Problem: Error, Equatable {
    let sentence: String
  }

  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  /// The deepest nesting that is accepted: each level takes some of the stack.
  private static let deepest = 64

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value that these bytes are.
  static func value(_ bytes: some Sequence<UInt8>) throws(Problem) -> JSONValue {
    var reader = JSONReader(Array(bytes))
    let value = try reader.value()
    guard reader.next() == nil else { throw reader.problem("more follows after its end") }
    return value
  }

  private func problem(_ what: String) -> Problem { Problem(sentence: "at byte \(place), \(what)") }

  /// The next byte that is no white space, as a scalar; none at the end.
  private mutating func next() -> Unicode.Scalar? {
    while place < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[place]) { place += 1 }
    return place < bytes.count ? Unicode.Scalar(bytes[place]) : nil
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next() == scalar else { return false }
    place += 1
    return true
  }

  private mutating func value() throws(Problem) -> JSONValue {
    switch next() {
    case "{":
      var members: [(key: String, value: JSONValue)] = []
      try many("}") { reader throws(Problem) in
        guard reader.next() == "\"" else { throw reader.problem("a key is missing") }
        let key = try reader.text()
        guard reader.take(":") else { throw reader.problem("':' is missing") }
        members.append((key, try reader.value()))
      }
      return .object(members)
    case "[":
      var values: [JSONValue] = []
      try many("]") { reader throws(Problem) in values.append(try reader.value()) }
      return .list(values)
    case "\"": return .text(try text())
    default: return try scalar()
    }
  }

  private mutating func many(
    _ end: Unicode.Scalar, _ one: (inout JSONReader) throws(Problem) -> Void
  ) throws(Problem) {
    depth += 1
    guard depth <= Self.deepest else { throw problem("it is nested too deeply") }
    place += 1
    if next() != end {
      repeat { try one(&self) } while take(",")
    }
    guard take(end) else { throw problem("',' or '\(end)' is missing") }
    depth -= 1
  }

  private mutating func text() throws(Problem) -> String {
    place += 1
    var text: [UInt8] = []
    while true {
      let rest = bytes[place...]
      let end = rest.firstIndex { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c } ?? rest.endIndex
      text += rest[..<end]
      place = end
      guard end < bytes.count else { throw problem("a text has no end") }
      guard bytes[end] >= 0x20 else { throw problem("a text has a control character") }
      place += 1
      if bytes[end] == 0x5c {
        text += try escaped().utf8
      } else if let valid = String(validating: text, as: UTF8.self) {
        return valid
      } else {
        throw problem("a text is not UTF-8")
      }
    }
  }

  private mutating func escaped() throws(Problem) -> Unicode.Scalar {
    guard place < bytes.count else { throw problem("a text has no end") }
    place += 1
    switch Unicode.Scalar(bytes[place - 1]) {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case let same where same == "\"" || same == "\\" || same == "/": return same
    case "u":
      let unit = try unit()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // Half of a character; the other half has to follow.
      guard unit < 0xdc00, bytes[place...].starts(with: "\\u".utf8) else { break }
      place += 2
      let low = try self.unit()
      guard low & 0xfc00 == 0xdc00,
        let scalar = Unicode.Scalar(0x10000 + (unit & 0x3ff) << 10 + low & 0x3ff)
      else { break }
      return scalar
    default: break
    }
    throw problem("an escaped character is none")
  }

  private mutating func unit() throws(Problem) -> UInt32 {
    let digits = String(decoding: bytes[place...].prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit),
      let unit = UInt32(digits, radix: 16)
    else { throw problem("an escaped character is none") }
    place += 4
    return unit
  }

  private mutating func scalar() throws(Problem) -> JSONValue {
    let word = bytes[place...].prefix { byte in
      let scalar = Unicode.Scalar(byte)
      return scalar.properties.isAlphabetic && byte < 0x80 || "+-.0123456789".utf8.contains(byte)
    }
    let text = String(decoding: word, as: UTF8.self)
    let value: JSONValue? =
      switch text {
      case "null": .null
      case "true": .bool(true)
      case "false": .bool(false)
      default: Self.number(text)
      }
    guard let value else { throw problem("a value is missing") }
    place += word.count
    return value
  }

  private static func number(_ text: String) -> JSONValue? {
    var rest = Substring(text).utf8
    func digits() -> Int {
      let count = rest.prefix { (0x30...0x39).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    func take(_ bytes: String) -> Bool {
      guard let first = rest.first, bytes.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = take("-")
    let startsWithZero = rest.first == 0x30
    let whole = digits()
    guard whole == 1 || whole > 1 && !startsWithZero else { return nil }
    if take("."), digits() == 0 { return nil }
    if take("eE") {
      _ = take("+-")
      if digits() == 0 { return nil }
    }
    guard rest.isEmpty else { return nil }
    return Int64(text).map { .integer($0) } ?? Double(text).map { .number($0) }
  }
}
