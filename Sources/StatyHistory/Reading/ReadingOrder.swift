/// Checks that rows come in their order, each once.
///
/// In a damaged file a page or an index may lead to one row hundreds of times, and a reader that collects rows
/// would run out of memory.
struct ReadingOrder {
  private let what: String
  private var last: Int64?

  /// - Parameter what: what the rows are, for the error.
  init(_ what: String) { self.what = what }

  /// Takes in the key of a row that comes next.
  mutating func check(_ key: Int64) throws {
    if let last, last >= key { throw HistoryError.damaged("\(what) come in no order") }
    last = key
  }
}
