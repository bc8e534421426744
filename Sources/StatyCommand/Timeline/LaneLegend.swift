import StatyReport

/// The meanings of signs, in lines that keep each sign with its meaning.
enum LaneLegend {
  /// The lines of a legend.
  ///
  /// - Parameter entries: each a sign and its meaning.
  static func lines(_ entries: [String], width: Int) -> [String] {
    var lines: [String] = []
    for (place, entry) in entries.enumerated() {
      let piece = entry + (place == entries.count - 1 ? "." : ",")
      if let last = lines.last, DisplayWidth.of(last) + 1 + DisplayWidth.of(piece) <= width {
        lines[lines.count - 1] = last + " " + piece
      } else {
        lines.append(piece)
      }
    }
    return lines
  }
}
