/// The meanings of the characters of lanes, in lines that keep each character with its meaning.
package enum LaneLegend {
  /// The characters that appear, each with its meaning.
  package static func entries(of characters: Set<Character>) -> [String] {
    LaneDrawing.meanings.filter { characters.contains($0.character) }
      .map { "\($0.character) \($0.meaning)" }
  }

  /// The lines of a legend.
  ///
  /// - Parameter entries: each a character and its meaning.
  package static func lines(_ entries: [String], width: Int) -> [String] {
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
