/// A row as it lies in a page of a table.
struct StoredRow {
  /// Its number; its own column among the values is null.
  let key: Int64
  let values: [StoredValue]

  /// Its number, if events can name it.
  var number: Int32? { key > 0 ? Int32(exactly: key) : nil }

  /// The numbers in these columns; none if a value is no number.
  func numbers(_ columns: Int...) -> [Int64]? {
    let numbers = columns.compactMap { values[$0].integer }
    return numbers.count == columns.count ? numbers : nil
  }

  /// The text in a column; none if it is longer than any name.
  func name(at column: Int) -> String? { values[column].name }
}

/// The tables of a history with row numbers, as they can be distinguished by the shape of their
/// rows.
enum StoredTable {
  case schema, name, site, session, controller, event, asking, detail, loss, chain
  /// A table with data that follows from the others.
  case other

  /// The table that the row belongs to; none if no table of a history has such rows.
  init?(of row: StoredRow) {
    guard row.values.count < Self.shapes.count,
      let shape = Self.shapes[row.values.count].first(where: { $0.matches(row.values) })
    else { return nil }
    self = shape.table
  }

  /// The most values in a row of any table.
  static let mostValues = 20

  /// The shapes by number of values, with a letter for each value.
  ///
  /// `-` null, `i` a number, `t` a text, `b` bytes; `?`, `T` and `B` the same or null.
  private static let shapes: [[Shape]] = {
    let all: [(StoredTable, String)] = [
      (.schema, "tttiT"), (.name, "-t"), (.site, "-ti"), (.asking, "-??"), (.loss, "-iit"),
      (.chain, "-iii"), (.controller, "-iiiiiti"), (.event, "ii????-"),
      (.detail, "-??????????TB"), (.session, "-ttttiii?itiii???Tii"), (.other, "-ttt"),
      (.other, "-iiiii"), (.other, "-iitti??ti"), (.other, "-i?????????"),
    ]
    var shapes = [[Shape]](repeating: [], count: mostValues + 1)
    for (table, letters) in all {
      shapes[letters.utf8.count].append(Shape(table: table, letters: Array(letters.utf8)))
    }
    return shapes
  }()

  private struct Shape {
    let table: StoredTable
    let letters: [UInt8]

    func matches(_ values: [StoredValue]) -> Bool {
      for (letter, value) in zip(letters, values) {
        let isOne =
          switch value {
          case .null: letter == UInt8(ascii: "-") || letter < UInt8(ascii: "a")
          case .integer: letter == UInt8(ascii: "i") || letter == UInt8(ascii: "?")
          case .text: letter | 0x20 == UInt8(ascii: "t")
          case .blob: letter | 0x20 == UInt8(ascii: "b")
          }
        if !isOne { return false }
      }
      return true
    }
  }
}
