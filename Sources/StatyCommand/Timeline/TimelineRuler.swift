import StatyReport

/// The time above lanes: when it was at some of the columns, and how long folded time is.
struct TimelineRuler {
  private let axis: LaneAxis

  init(_ axis: LaneAxis) { self.axis = axis }

  /// What stands above folded time of a length.
  static func mark(_ length: Int64) -> String { "/\(short(length))/" }

  /// The line of the times, and one that points at their columns.
  var lines: [String] {
    var text = Array(repeating: Character(" "), count: axis.width)
    var ticks = text
    func write(_ words: String, at column: Int) {
      for (offset, letter) in words.enumerated() where column + offset < text.count {
        text[column + offset] = letter
      }
    }
    for fold in axis.folds {
      if Self.hasRoom(fold) {
        write(Self.mark(fold.length), at: fold.columns.lowerBound)
      } else {
        for column in fold.columns { ticks[column] = "/" }
      }
    }
    for tick in ordered {
      let words = Self.moment(tick.time)
      // What has no room behind its column stands before it.
      let start = min(tick.column, text.count - words.count)
      guard start >= 0, isFree(start..<start + words.count + 1, in: text) else { continue }
      write(words, at: start)
      ticks[tick.column] = "|"
    }
    return [String(text).trimmed, String(ticks).trimmed]
  }

  private static func hasRoom(_ fold: LaneAxis.Fold) -> Bool {
    fold.columns.count >= mark(fold.length).count
  }

  /// What is to be said of folded time beside the picture: how long that is which has no room for it.
  var foldMeaning: String? {
    if axis.folds.isEmpty { return nil }
    let lengths = axis.folds.filter { !Self.hasRoom($0) }.map(\.length)
    guard let least = lengths.min(), let most = lengths.max() else { return "// idle time" }
    let (first, last) = (Self.short(least), Self.short(most))
    return "// idle time of \(first)" + (first == last ? "" : " to \(last)")
  }

  /// Where times may stand, what matters most first: the ends, and where something happens again.
  private var ordered: [(column: Int, time: Int64)] {
    let ticks = axis.ticks
    let again = Set(axis.folds.map(\.columns.upperBound))
    let ends = [ticks.first, ticks.last].compactMap(\.self)
    return ends + ticks.filter { again.contains($0.column) } + ticks
  }

  /// Whether nothing stands there nor just before.
  private func isFree(_ columns: Range<Int>, in text: [Character]) -> Bool {
    text[max(0, columns.lowerBound - 1)..<min(text.count, columns.upperBound)]
      .allSatisfy { $0 == " " }
  }

  /// When something happened in a session, as short as it can be told from its neighbours.
  private static func moment(_ time: Int64) -> String {
    let seconds = time / 1_000_000
    let rest = Double(time % 60_000_000) / 1_000_000
    if time < 60_000_000 { return "+" + Decimal.text(Double(time) / 1_000_000, digits: 3) + "s" }
    if seconds < 3_600 { return "+\(seconds / 60)m\(Decimal.text(rest, digits: 1))s" }
    return "+\(seconds / 3_600)h\(seconds % 3_600 / 60)m\(seconds % 60)s"
  }

  private static func short(_ time: Int64) -> String {
    let seconds = time / 1_000_000
    if seconds < 60 { return Decimal.text(Double(time) / 1_000_000, digits: 1) + "s" }
    if seconds < 3_600 { return "\(seconds / 60)m\(seconds % 60)s" }
    return "\(seconds / 3_600)h\(seconds % 3_600 / 60)m"
  }
}
