import Staty

/// Reads rows of one table between two numbers, page by page.
final class SalvagedPages {
  let table: StoredTable
  private let survey: PageSurvey
  private let leaves: [PageSurvey.Leaf]
  private let remains: [StoredRow]
  private let lost: [ClosedRange<Int64>]
  // Neighbouring ranges share a page, as sessions do that have few events.
  private var last: (page: Int, rows: [StoredRow])?

  init(_ survey: PageSurvey, _ table: StoredTable) {
    self.survey = survey
    self.table = table
    leaves = survey.leaves(of: table)
    lost = survey.lostKeys(of: table)
    remains = survey.remains[table] ?? []
  }

  /// Whether a row with one of these numbers may have stood on a page that is lost.
  func mayHaveLost(in keys: ClosedRange<Int64>) -> Bool { lost.contains { $0.overlaps(keys) } }

  /// The last of the rows with these numbers that stand on sound pages.
  func last(in keys: ClosedRange<Int64>) -> Int64? {
    let next = leaves.partition { $0.first > keys.upperBound }
    guard next > 0 else { return nil }
    return rows(on: leaves[next - 1].page).last { keys.contains($0.key) }?.key
  }

  /// The numbers between these, in parts of not many pages each.
  func parts(of keys: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
    var parts: [ClosedRange<Int64>] = []
    var low = keys.lowerBound
    var index = leaves.partition { $0.last >= keys.lowerBound } + 63
    while index < leaves.count, leaves[index].last < keys.upperBound {
      let high = leaves[index].last
      if high >= low {
        parts.append(low...high)
        low = high + 1
      }
      index += 64
    }
    parts.append(low...keys.upperBound)
    return parts
  }

  /// The rows with these numbers that stand on sound pages, in order, page by page.
  func rows(in keys: ClosedRange<Int64>) -> [[StoredRow]] {
    var low = leaves.partition { $0.last >= keys.lowerBound }
    var pages: [[StoredRow]] = []
    var before = keys.lowerBound - 1
    while low < leaves.count, leaves[low].first <= keys.upperBound {
      let rows = self.rows(on: leaves[low].page).filter {
        $0.key <= keys.upperBound && $0.key > before
      }
      before = rows.last?.key ?? before
      pages.append(rows)
      low += 1
    }
    return pages
  }

  /// The rows with these numbers on pages that are broken, in order: something else has to say that
  /// they are right.
  func remains(in keys: ClosedRange<Int64>) -> ArraySlice<StoredRow> {
    let first = remains.partition { $0.key >= keys.lowerBound }
    return remains[first...].prefix { $0.key <= keys.upperBound }
  }

  private func rows(on page: Int) -> [StoredRow] {
    if let last, last.page == page { return last.rows }
    let rows = survey.rows(on: page, of: table) ?? []
    last = (page, rows)
    return rows
  }
}

extension Array {
  /// Where the elements begin that are like this, which all are that come after one that is.
  func partition(_ isBeyond: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension EventRow {
  /// What a row of the table `event` says; none if that is no event.
  init?(stored row: StoredRow) {
    guard row.key > 0, let time = row.values[1].integer, let what = row.values[2].integer,
      let visit = row.values[3].integerOrZero, let state = row.values[4].integerOrZero,
      let place = row.values[5].integerOrZero, let reference = row.values[6].integerOrZero
    else { return nil }
    self.init(
      seq: row.key, time: time, what: what, visit: visit, state: state, place: place,
      reference: reference)
    let isWhole =
      self.what == what && Int64(self.visit) == visit && Int64(self.state) == state
      && self.place == place && self.reference == reference
    if !isWhole { return nil }
  }

  /// Whether a version could have written it.
  var isPlausible: Bool {
    time >= 0 && EventKind(rawValue: kind) != nil && state >= 0 && site >= 0 && controller >= 0
      && hasKnownReason
  }
}

extension EventDetail {
  /// Takes in what a row of the table `asking` or `detail` says.
  mutating func take(stored row: StoredRow) {
    let (values, numbers) = (row.values, row.values.map { $0.integerOrZero ?? 0 })
    if values.count == 3 {
      instance = UInt32(truncatingIfNeeded: numbers[1])
      origin = UInt32(truncatingIfNeeded: numbers[2])
      return
    }
    priority = Int32(truncatingIfNeeded: numbers[1])
    equality = values[2] == .null ? nil : UInt32(truncatingIfNeeded: numbers[2])
    answers = UInt64(bitPattern: numbers[3])
    asked = Int32(truncatingIfNeeded: numbers[4])
    objection = UInt8(truncatingIfNeeded: numbers[5])
    refusal = UInt8(truncatingIfNeeded: numbers[6])
    refusedFrom = Int32(truncatingIfNeeded: numbers[7])
    refusedNeeds = Int32(truncatingIfNeeded: numbers[8])
    step = UInt32(truncatingIfNeeded: numbers[9])
    age = numbers[10]
    note = values[11].text
    if case .blob(let bytes) = values[12] { payload = bytes }
  }
}
