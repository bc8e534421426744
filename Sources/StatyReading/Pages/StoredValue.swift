import StatyHistory
/// A value of a row as it lies in a page.
enum StoredValue: Equatable {
  case null
  case integer(Int64)
  case text([UInt8])
  case blob([UInt8])

  /// The values of a row.
  ///
  /// - Returns: none unless they are exactly as long as the row, if a value is none of a history,
  ///   or if there are more than any table has.
  static func values(_ bytes: [UInt8]) -> [StoredValue]? {
    var header = Varints(bytes, at: 0)
    guard let said = header.next(), said <= bytes.count else { return nil }
    var place = Int(said)
    var values: [StoredValue] = []
    while header.place < Int(said) {
      guard values.count < StoredTable.mostValues, let type = header.next(),
        let value = value(type, bytes, &place)
      else { return nil }
      values.append(value)
    }
    return header.place == Int(said) && place == bytes.count ? values : nil
  }

  private static func value(_ type: UInt64, _ bytes: [UInt8], _ place: inout Int) -> StoredValue? {
    let length: Int
    switch type {
    case 0, 8, 9: length = 0
    case 1...4: length = Int(type)
    case 5: length = 6
    case 6: length = 8
    case 12...(1 << 30): length = Int(type - 12) / 2
    default: return nil
    }
    let end = place + length
    guard end <= bytes.count else { return nil }
    defer { place = end }
    switch type {
    case 0: return .null
    case 8, 9: return .integer(Int64(type) - 8)
    case 1...6:
      var number: Int64 = bytes[place] & 0x80 == 0 ? 0 : -1
      for byte in bytes[place..<end] { number = number << 8 | Int64(byte) }
      return .integer(number)
    default:
      let content = Array(bytes[place..<end])
      return type & 1 == 0 ? .blob(content) : .text(content)
    }
  }

  /// The number; none if it is something else.
  var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The number, with null as 0; none if it is something else.
  var integerOrZero: Int64? { self == .null ? 0 : integer }

  /// The bytes of a text; none if it is something else.
  var bytes: [UInt8]? {
    if case .text(let bytes) = self { bytes } else { nil }
  }

  /// The text; none if it is something else, or no UTF-8.
  var text: String? { bytes.flatMap { String(validating: $0, as: UTF8.self) } }

  /// The text; none if it is longer than any name.
  var name: String? {
    guard let bytes, bytes.count <= HistoryFile.longestStoredName else { return nil }
    return text
  }
}
