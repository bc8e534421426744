import StatyText

/// Reads lines that are JSON objects, strictly: everything unknown is refused.
struct JSONLineReading {
  private let bytes: ArraySlice<UInt8>
  private var place: Int
  /// The deepest nesting of lists and objects.
  private static let deepest = 32

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  /// Reads the object into a line.
  static func read(_ bytes: ArraySlice<UInt8>, into line: inout TransferLine) throws(LineProblem) {
    var reading = JSONLineReading(bytes)
    reading.skipSpace()
    guard reading.peek == UInt8(ascii: "{") else {
      throw LineProblem(
        "it is no object of JSON", "Write one object a line, as {\"kind\":\"mark\"}.")
    }
    try reading.readObject(into: &line)
    reading.skipSpace()
    guard reading.peek == nil else {
      throw reading.broken("there is more after the object", "Write each object on its own line.")
    }
  }

  /// Whether a text is exactly one JSON value.
  static func isValue(_ text: String) -> Bool {
    var reading = JSONLineReading(Array(text.utf8)[...])
    do throws(LineProblem) {
      try reading.skipValue(0)
    } catch {
      return false
    }
    return reading.peek == nil
  }

  private mutating func readObject(into line: inout TransferLine) throws(LineProblem) {
    place += 1
    skipSpace()
    if take(UInt8(ascii: "}")) { return }
    while true {
      skipSpace()
      let word = try readText("a key")
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw broken("a colon is missing") }
      skipSpace()
      if let key = try Self.key(word) {
        guard line[key] == .absent else {
          throw LineProblem("'\(word)' is there twice", "Say it once.")
        }
        line[key] = try readValue()
      } else {
        try skipValue(0)
      }
      skipSpace()
      if take(UInt8(ascii: "}")) { return }
      guard take(UInt8(ascii: ",")) else { throw broken("a comma is missing") }
    }
  }

  /// The key of a word; none for a key of the user's own.
  static func key(_ word: String) throws(LineProblem) -> TransferKey? {
    if let key = TransferKey(word: word) { return key }
    if word.hasPrefix("x_") { return nil }
    throw LineProblem(
      "there is no key '\(word.shortened(to: 40))'",
      "Check its spelling; what is your own begins with 'x_'.")
  }
}

// MARK: Values

extension JSONLineReading {
  private mutating func readValue() throws(LineProblem) -> TransferValue {
    switch peek {
    case UInt8(ascii: "\""): return .text(try readText("a text"))
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let start = place
      try skipValue(0)
      return .json(try string(bytes[start..<place]))
    case UInt8(ascii: "t") where takeWord("true"): return .bool(true)
    case UInt8(ascii: "f") where takeWord("false"): return .bool(false)
    case UInt8(ascii: "n") where takeWord("null"): return .null
    default: return try readNumber()
    }
  }

  private mutating func readNumber() throws(LineProblem) -> TransferValue {
    let start = place
    guard takeNumber() else {
      place = start
      throw broken("a value is expected", "Texts stand between double quotes.")
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    if let number = Int64(text) { return .integer(number) }
    if let number = UInt64(text) { return .large(number) }
    guard let number = Double(text), number.isFinite else { throw broken("a number is too large") }
    return .decimal(number)
  }

  /// Skips a number in JSON notation, which has no plus sign and no leading zeros.
  private mutating func takeNumber() -> Bool {
    _ = take(UInt8(ascii: "-"))
    guard take(UInt8(ascii: "0")) || takeDigits() else { return false }
    if take(UInt8(ascii: ".")), !takeDigits() { return false }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      _ = take(UInt8(ascii: "-")) || take(UInt8(ascii: "+"))
      return takeDigits()
    }
    return peek.map { !Self.isDigit($0) } ?? true
  }

  private mutating func takeDigits() -> Bool {
    let start = place
    while let byte = peek, Self.isDigit(byte) { place += 1 }
    return place > start
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Skips a value that is kept as text or ignored.
  private mutating func skipValue(_ depth: Int) throws(LineProblem) {
    guard depth < Self.deepest else { throw broken("lists and objects are too deep in each other") }
    switch peek {
    case UInt8(ascii: "{"): try skipMembers(UInt8(ascii: "}"), depth, isObject: true)
    case UInt8(ascii: "["): try skipMembers(UInt8(ascii: "]"), depth, isObject: false)
    default: _ = try readValue()
    }
  }

  private mutating func skipMembers(
    _ end: UInt8, _ depth: Int, isObject: Bool
  ) throws(LineProblem) {
    place += 1
    skipSpace()
    if take(end) { return }
    while true {
      skipSpace()
      if isObject {
        _ = try readText("a key")
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw broken("a colon is missing") }
        skipSpace()
      }
      try skipValue(depth + 1)
      skipSpace()
      if take(end) { return }
      guard take(UInt8(ascii: ",")) else { throw broken("a comma is missing") }
    }
  }
}

// MARK: Texts

extension JSONLineReading {
  private mutating func readText(_ what: String) throws(LineProblem) -> String {
    guard take(UInt8(ascii: "\"")) else { throw broken("\(what) between quotes is expected") }
    let start = place
    while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      place += 1
    }
    if take(UInt8(ascii: "\"")) { return try string(bytes[start..<(place - 1)]) }
    var text = Array(bytes[start..<place])
    while !take(UInt8(ascii: "\"")) {
      guard let byte = peek else { throw broken("a text has no end") }
      guard byte >= 0x20 else { throw broken("a control character is in a text") }
      place += 1
      if byte == UInt8(ascii: "\\") { try readEscape(into: &text) } else { text.append(byte) }
    }
    return try string(text[...])
  }

  private mutating func readEscape(into text: inout [UInt8]) throws(LineProblem) {
    guard let byte = peek else { throw broken("a text has no end") }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += String(try readScalar()).utf8
    default: throw broken("an escape is not known")
    }
  }

  private mutating func readScalar() throws(LineProblem) -> Unicode.Scalar {
    let first = try readUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw broken("half a character is in a text")
    }
    let second = try readUnit()
    guard UTF16.isTrailSurrogate(second) else { throw broken("half a character is in a text") }
    // A pair of surrogates is always a character beyond the first 65,536.
    return Unicode.Scalar(0x10000 + UInt32(first & 0x3ff) << 10 + UInt32(second & 0x3ff))!
  }

  private mutating func readUnit() throws(LineProblem) -> UInt16 {
    let digits = bytes[place...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ $0 != UInt8(ascii: "+") }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw broken("four digits are expected after '\\u'") }
    place += 4
    return unit
  }

  private func string(_ bytes: ArraySlice<UInt8>) throws(LineProblem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw broken("a text is not UTF-8", "Write the file in UTF-8.")
    }
    return text
  }
}

// MARK: Bytes

extension JSONLineReading {
  private var peek: UInt8? { place < bytes.endIndex ? bytes[place] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    place += 1
    return true
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard bytes[place...].starts(with: word.utf8) else { return false }
    place += word.utf8.count
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0d { place += 1 }
  }

  private func broken(_ what: String, _ advice: String = "Write the object as JSON has it.")
    -> LineProblem
  {
    LineProblem("\(what) at byte \(place - bytes.startIndex + 1)", advice)
  }
}
