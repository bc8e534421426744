/// A row as it lies in a page of a table.
struct StoredRow {
  /// Its number, which stands in its place among the values as nothing.
  let key: Int64
  let values: [StoredValue]

  /// Its number, if it is one that events can name.
  var number: Int32? { key > 0 ? Int32(exactly: key) : nil }

  /// The numbers in these columns; none if one is something else.
  func numbers(_ columns: Int...) -> [Int64]? {
    let numbers = columns.compactMap { values[$0].integer }
    return numbers.count == columns.count ? numbers : nil
  }

  /// The text in a column; none if it is longer than any name.
  func name(at column: Int) -> String? { values[column].name }
}

/// What histories keep in tables whose rows have numbers, as far as rows can be told apart by looking.
enum StoredTable {
  case schema, name, site, session, controller, event, asking, detail, loss, chain
  /// What follows from the others.
  case other

  /// The table that such a row is of; none if it is one of nothing that a history has.
  init?(of row: StoredRow) {
    guard row.values.count < Self.shapes.count,
      let shape = Self.shapes[row.values.count].first(where: { $0.matches(row.values) })
    else { return nil }
    self = shape.table
  }

  /// No row of any has more.
  static let mostValues = 18

  /// By how many values there are, with a letter for each.
  ///
  /// `-` nothing, `i` a number, `t` a text, `b`
  /// bytes; `?`, `T` and `B` the same or nothing.
  private static let shapes: [[Shape]] = {
    let all: [(StoredTable, String)] = [
      (.schema, "tttiT"), (.name, "-t"), (.site, "-ti"), (.asking, "-??"), (.loss, "-iit"),
      (.chain, "-iii"), (.controller, "-iiiiiti"), (.event, "-ii????"),
      (.detail, "-??????????TB"), (.session, "-ttttiii?itiii???T"), (.other, "-ttt"),
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
