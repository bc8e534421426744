import StatyReport

/// The times above lanes: those at some of the columns, and the lengths of folded time.
struct TimelineRuler {
  private let axis: LaneAxis

  init(_ axis: LaneAxis) { self.axis = axis }

  /// The text above folded time of this length.
  static func mark(_ length: Int64) -> String { "/\(short(length))/" }

  /// The line of the times, and one that points at their columns.
  ///
  /// Times have as many digits as are needed to distinguish the drawn ones.
  var lines: [String] {
    let drawn = drawn
    return [String(drawn.text).trimmed, String(drawn.ticks).trimmed]
  }

  /// The labels for pictures that are not made of characters: the texts and their columns.
  var labels: [(column: Int, words: String)] { drawn.labels }

  private var drawn: Drawn {
    var drawn = Drawn(axis)
    for more in 0...6 {
      drawn = Drawn(axis)
      let isClear = draw(&drawn, more)
      if isClear { break }
    }
    return drawn
  }

  private struct Drawn {
    var text: [Character]
    var ticks: [Character]
    /// The drawn times, and their texts.
    var times: [String: Int64] = [:]
    /// The labels, with their columns.
    var labels: [(column: Int, words: String)] = []

    init(_ axis: LaneAxis) {
      text = Array(repeating: " ", count: axis.width)
      ticks = text
    }

    mutating func write(_ words: String, at column: Int) {
      labels.append((column, words))
      for (offset, letter) in words.enumerated() where column + offset < text.count {
        text[column + offset] = letter
      }
    }
  }

  /// Draws folds and times; returns whether all drawn times differ.
  ///
  /// - Parameter more: how many digits times have more than usual.
  private func draw(_ drawn: inout Drawn, _ more: Int) -> Bool {
    for fold in axis.folds {
      if Self.hasRoom(fold) {
        drawn.write(Self.mark(fold.length), at: fold.columns.lowerBound)
      } else {
        for column in fold.columns { drawn.ticks[column] = "/" }
      }
    }
    var isClear = true
    for tick in ordered {
      let words = Self.moment(tick.time, more)
      // A label without room behind its column is drawn before it.
      let start = min(tick.column, drawn.text.count - words.count)
      guard start >= 0, isFree(start..<start + words.count + 1, in: drawn.text) else { continue }
      if let other = drawn.times[words] {
        // The same moment twice is no ambiguity.
        isClear = isClear && other == tick.time
        continue
      }
      drawn.times[words] = tick.time
      drawn.write(words, at: start)
      drawn.ticks[tick.column] = "|"
    }
    return isClear
  }

  private static func hasRoom(_ fold: LaneAxis.Fold) -> Bool {
    fold.columns.count >= mark(fold.length).count
  }

  /// The lengths of folded times that have no room in the picture.
  var foldMeaning: String? {
    if axis.folds.isEmpty { return nil }
    let lengths = axis.folds.filter { !Self.hasRoom($0) }.map(\.length)
    guard let least = lengths.min(), let most = lengths.max() else { return "// idle time" }
    let (first, last) = (Self.short(least), Self.short(most))
    return "// idle time of \(first)" + (first == last ? "" : " to \(last)")
  }

  /// The columns for times, the most important first: the ends, and where events continue after a
  /// fold.
  private var ordered: [(column: Int, time: Int64)] {
    let ticks = axis.ticks
    let again = Set(axis.folds.map(\.columns.upperBound))
    let ends = [ticks.first, ticks.last].compactMap(\.self)
    return ends + ticks.filter { again.contains($0.column) } + ticks
  }

  /// Whether these columns and the one before are empty.
  private func isFree(_ columns: Range<Int>, in text: [Character]) -> Bool {
    text[max(0, columns.lowerBound - 1)..<min(text.count, columns.upperBound)]
      .allSatisfy { $0 == " " }
  }

  /// A time in a session.
  private static func moment(_ time: Int64, _ more: Int) -> String {
    let minutes = time / 60_000_000
    let digits = min(6, (minutes == 0 ? 3 : minutes < 60 ? 1 : 0) + more)
    let unit: Int64 = [1_000_000, 100_000, 10_000, 1_000, 100, 10, 1][digits]
    // If it were rounded up, a minute could have 60 seconds.
    let rest = time % 60_000_000 / unit * unit
    let seconds = Decimal.text(Double(rest) / 1_000_000, digits: digits) + "s"
    if minutes == 0 { return "+" + seconds }
    return minutes < 60
      ? "+\(minutes)m\(seconds)" : "+\(minutes / 60)h\(minutes % 60)m\(seconds)"
  }

  private static func short(_ time: Int64) -> String {
    let seconds = time / 1_000_000
    if seconds < 60 { return Decimal.text(Double(time) / 1_000_000, digits: 1) + "s" }
    if seconds < 3_600 { return "\(seconds / 60)m\(seconds % 60)s" }
    return "\(seconds / 3_600)h\(seconds % 3_600 / 60)m"
  }
}
