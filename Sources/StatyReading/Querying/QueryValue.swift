import StatySQLite

/// A value of a query's row.
package enum QueryValue: Equatable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  init(_ rows: Statement, at index: Int) throws(SQLiteError) {
    switch rows.kind(at: index) {
    case .null: self = .null
    case .integer: self = .integer(rows.int64(at: index))
    case .real: self = .real(rows.double(at: index))
    case .text: self = .text(try rows.string(at: index) ?? "")
    case .blob: self = .blob(try rows.blob(at: index) ?? [])
    }
  }

  func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
    switch self {
    case .null: try statement.bindNull(at: index)
    case .integer(let integer): try statement.bind(integer, at: index)
    case .real(let real): try statement.bind(real, at: index)
    case .text(let text): try statement.bind(text, at: index)
    case .blob(let bytes): try statement.bind(blob: bytes, at: index)
    }
  }
}

extension QueryValue {
  /// The value of a text in SQL notation: a number, `NULL`, `'a text'` or `x'00ff'`.
  ///
  /// For anything else, it is the text itself.
  package init(writtenAs text: String) {
    if text.uppercased() == "NULL" {
      self = .null
    } else if let integer = Int64(text), !text.hasPrefix("+") {
      self = .integer(integer)
    } else if let real = Self.real(text) {
      self = .real(real)
    } else if let inner = Self.quoted(text[...]) {
      self = .text(inner)
    } else if text.first == "x" || text.first == "X", let digits = Self.quoted(text.dropFirst()),
      let bytes = Self.bytes(digits)
    {
      self = .blob(bytes)
    } else {
      self = .text(text)
    }
  }

  private static func real(_ text: String) -> Double? {
    // Only digits: otherwise names such as "nan" and "infinity" would be numbers.
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), text.contains("."),
      let real = Double(text), real.isFinite
    else { return nil }
    return real
  }

  private static func quoted(_ text: Substring) -> String? {
    guard text.utf8.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") else { return nil }
    let parts = text.dropFirst().dropLast().split(separator: "''", omittingEmptySubsequences: false)
    return parts.contains { $0.contains("'") } ? nil : parts.joined(separator: "'")
  }

  private static func bytes(_ digits: String) -> [UInt8]? {
    let values = digits.map(\.hexDigitValue)
    guard values.count.isMultiple(of: 2), !values.contains(nil) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map {
      UInt8(values[$0]! << 4 | values[$0 + 1]!)
    }
  }
}
