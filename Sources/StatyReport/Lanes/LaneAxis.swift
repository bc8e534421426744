/// Where the events of a picture stand, from left to right in order of their numbers.
package struct LaneAxis: Sendable {
  /// How many columns there are.
  package let width: Int
  /// The stretches of idle time that are folded, from left to right.
  package private(set) var folds: [Fold] = []
  private let moments: [Moment]
  private var columns: [Int]

  /// A moment at which something happened.
  package struct Moment: Equatable, Sendable {
    package let seq: Int64
    package let time: Int64

    package init(seq: Int64, time: Int64) { (self.seq, self.time) = (seq, time) }
  }

  /// Idle time that takes no more room than its mark.
  package struct Fold: Equatable, Sendable {
    /// The columns between the event before and the event after.
    package let columns: Range<Int>
    /// How long it is, in microseconds.
    package let length: Int64
  }

  /// An axis on which each event has as many columns as every other, and stands in the last.
  package init(_ seqs: [Int64], cell: Int) {
    moments = seqs.map { Moment(seq: $0, time: 0) }
    columns = seqs.indices.map { ($0 + 1) * cell - 1 }
    width = seqs.count * cell
  }

  /// An axis on which time goes from left to right.
  ///
  /// Where there is room, each event has a column of its own, since their order matters most; the rest
  /// of the width goes to the time between them. Where there is not, events share columns.
  ///
  /// - Parameters:
  ///   - moments: the events, in order of their numbers.
  ///   - width: how many columns there may be.
  ///   - foldWidth: how many columns idle time of a length takes.
  package init(_ moments: [Moment], width: Int, foldWidth: (Int64) -> Int) {
    self.moments = moments
    let gaps = zip(moments, moments.dropFirst()).map { max(0, $1.time &- $0.time) }
    // Three events need no hundred columns.
    let most = max(1, min(width, max(24, moments.count * 12)))
    let idle = IdleTime.lengths(gaps)
    var room = gaps.map { idle?.contains($0) ?? false ? foldWidth($0) : 0 }
    // Many marks would leave nothing for what happens between them.
    for widest in [2, 0] where room.reduce(0, +) > most / 2 { room = room.map { min(widest, $0) } }
    self.width = most
    columns = Self.places(gaps, room, most - 1)
    for (place, gap) in gaps.enumerated() where room[place] > 0 {
      let start = columns[place] + 1
      guard start < columns[place + 1] else { continue }
      folds.append(Fold(columns: start..<columns[place + 1], length: gap))
    }
  }

  /// The column in which each moment stands.
  ///
  /// - Parameter room: what folded gaps take; 0 for those that are not.
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
        // A sum of many fractions may come a little short.
        return min(last, Int(place + 1e-6))
      }
  }

  /// The column in which an event stands, or the last one before it; -1 if it is before all.
  package func place(of seq: Int64) -> Int {
    var (low, high) = (0, moments.count)
    while low < high {
      let middle = (low + high) / 2
      if moments[middle].seq <= seq { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? -1 : columns[low - 1]
  }

  /// The moments at which something happened, each with its column; the first of those that share one.
  package var ticks: [(column: Int, time: Int64)] {
    var ticks: [(Int, Int64)] = []
    for (moment, column) in zip(moments, columns) where ticks.last?.0 != column {
      ticks.append((column, moment.time))
    }
    return ticks
  }
}

/// Tells time in which nothing happens from time between things that happen.
enum IdleTime {
  /// Shorter than this, a pause is part of what happens.
  static let least: Int64 = 1_000_000

  /// The lengths of gaps that are idle time; none if no gap is.
  ///
  /// They are those above the widest step between two lengths, if it is one of at least three times.
  static func lengths(_ gaps: [Int64]) -> ClosedRange<Int64>? {
    let sorted = gaps.filter { $0 > 0 }.sorted()
    guard let longest = sorted.last, longest >= least else { return nil }
    var best: (ratio: Double, from: Int64) = (3, 0)
    for (shorter, longer) in zip(sorted, sorted.dropFirst()) where longer >= least {
      // Whether a pause took a microsecond or a millisecond is all the same.
      let ratio = Double(longer) / Double(max(shorter, 20_000))
      if ratio >= best.ratio { best = (ratio, longer) }
    }
    return best.from == 0 ? nil : best.from...longest
  }
}
