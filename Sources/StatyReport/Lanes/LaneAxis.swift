/// The columns of the events of a picture, from left to right in the order of their numbers.
package struct LaneAxis: Sendable {
  /// The number of columns.
  package let width: Int
  /// The idle times that are folded, from left to right.
  package private(set) var folds: [Fold] = []
  private let moments: [Moment]
  private var columns: [Int]

  /// The moment of an event.
  package struct Moment: Equatable, Sendable {
    package let seq: Int64
    package let time: Int64

    package init(seq: Int64, time: Int64) { (self.seq, self.time) = (seq, time) }
  }

  /// An idle time that is drawn only as a mark.
  package struct Fold: Equatable, Sendable {
    /// The columns between the event before and the event after.
    package let columns: Range<Int>
    /// The duration in microseconds.
    package let length: Int64
  }

  /// Creates an axis on which each event has the same number of columns.
  ///
  /// The event is in the last of them.
  package init(_ seqs: [Int64], cell: Int) {
    moments = seqs.map { Moment(seq: $0, time: 0) }
    columns = seqs.indices.map { ($0 + 1) * cell - 1 }
    width = seqs.count * cell
  }

  /// Creates an axis of time.
  ///
  /// If there is enough room, each event has a column of its own, because the order matters most.
  /// The rest of the width shows the time between events. If there is not enough room, events share
  /// columns.
  ///
  /// - Parameters:
  ///   - moments: the events, in the order of their numbers.
  ///   - width: the highest number of columns.
  ///   - foldWidth: the number of columns for the mark of an idle time.
  package init(_ moments: [Moment], width: Int, foldWidth: (Int64) -> Int) {
    self.moments = moments
    let gaps = zip(moments, moments.dropFirst()).map { max(0, $1.time &- $0.time) }
    // A few events do not need the whole width.
    let most = max(1, min(width, max(24, moments.count * 12)))
    let idle = IdleTime.lengths(gaps)
    var room = gaps.map { idle?.contains($0) ?? false ? foldWidth($0) : 0 }
    // Many marks would leave no room for the events between them.
    for widest in [2, 0] where room.reduce(0, +) > most / 2 { room = room.map { min(widest, $0) } }
    self.width = most
    columns = Self.places(gaps, room, most - 1)
    for (place, gap) in gaps.enumerated() where room[place] > 0 {
      let start = columns[place] + 1
      guard start < columns[place + 1] else { continue }
      folds.append(Fold(columns: start..<columns[place + 1], length: gap))
    }
  }

  /// The column of each moment.
  ///
  /// - Parameter room: the width of folded gaps; 0 for the others.
  private static func places(_ gaps: [Int64], _ room: [Int], _ last: Int) -> [Int] {
    let free = Double(max(0, last - room.reduce(0, +)))
    let count = Double(gaps.count)
    let step = count <= free ? 1 : count == 0 ? 0 : free / (2 * count)
    let time = zip(gaps, room).reduce(0.0) { $1.1 == 0 ? $0 + Double($1.0) : $0 }
    let scale = time > 0 ? (free - step * count) / time : 0
    var place = 0.0
    return [0]
      + zip(gaps, room).map { gap, room in
        place += step + (room == 0 ? Double(gap) * scale : Double(room))
        // The sum of many fractions may be slightly too small.
        return min(last, Int(place + 1e-6))
      }
  }

  /// The column of an event or, if it has none, of the last event before it; -1 if there is none.
  package func place(of seq: Int64) -> Int {
    var (low, high) = (0, moments.count)
    while low < high {
      let middle = (low + high) / 2
      if moments[middle].seq <= seq { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? -1 : columns[low - 1]
  }

  /// The columns with events, each with the time of its first event.
  package var ticks: [(column: Int, time: Int64)] {
    var ticks: [(Int, Int64)] = []
    for (moment, column) in zip(moments, columns) where ticks.last?.0 != column {
      ticks.append((column, moment.time))
    }
    return ticks
  }
}

/// Finds the idle times, in contrast to short pauses.
enum IdleTime {
  /// A shorter pause does not count as idle time.
  static let least: Int64 = 1_000_000

  /// The lengths of gaps that count as idle time; `nil` if there are none.
  ///
  /// These are the lengths above the largest ratio between two consecutive lengths, if that ratio
  /// is at least 3.
  static func lengths(_ gaps: [Int64]) -> ClosedRange<Int64>? {
    let sorted = gaps.filter { $0 > 0 }.sorted()
    guard let longest = sorted.last, longest >= least else { return nil }
    var best: (ratio: Double, from: Int64) = (3, 0)
    for (shorter, longer) in zip(sorted, sorted.dropFirst()) where longer >= least {
      // Differences between very short pauses do not matter.
      let ratio = Double(longer) / Double(max(shorter, 20_000))
      if ratio >= best.ratio { best = (ratio, longer) }
    }
    return best.from == 0 ? nil : best.from...longest
  }
}
