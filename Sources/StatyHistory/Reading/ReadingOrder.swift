/// Holds rows against the order in which they have to come, each once.
///
/// A page or an index may lead to one row hundreds of times: whoever gathers rows would have it as often in
/// memory.
struct ReadingOrder {
  private let what: String
  private var last: Int64?

  /// - Parameter what: what comes, for whom it may concern.
  init(_ what: String) { self.what = what }

  /// Takes in the key of a row that comes next.
  mutating func check(_ key: Int64) throws {
    if let last, last >= key { throw HistoryError.damaged("\(what) come in no order") }
    last = key
  }
}
