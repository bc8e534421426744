import StatyReport

/// Breaks texts into lines of a given width.
enum TextWrap {
  /// The lines of a text, broken at spaces.
  ///
  /// A word that is longer than a line is broken where the line ends.
  static func lines(_ text: String, width: Int) -> [String] {
    let width = max(width, 10)
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      var used = 0
      for word in paragraph.split(separator: " ", omittingEmptySubsequences: true) {
        for piece in pieces(word, width) {
          let length = DisplayWidth.of(piece)
          if used > 0, used + 1 + length > width {
            lines.append(line)
            (line, used) = ("", 0)
          }
          if used > 0 {
            line += " "
            used += 1
          }
          line += piece
          used += length
        }
      }
      lines.append(line)
    }
    return lines
  }

  /// The lines of a text; those that fit stay unchanged, with every space in them.
  static func fitting(_ text: String, width: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      DisplayWidth.of(String(line)) <= width ? [String(line)] : lines(String(line), width: width)
    }
  }

  /// The lines of a text behind a label, below each other.
  static func hanging(_ text: String, after label: String, width: Int) -> [String] {
    let space = String(repeating: " ", count: DisplayWidth.of(label))
    return lines(text, width: width - space.count).enumerated().map { place, line in
      (place == 0 ? label : space) + line
    }
  }

  private static func pieces(_ word: Substring, _ width: Int) -> [String] {
    guard DisplayWidth.of(String(word)) > width else { return [String(word)] }
    var pieces: [String] = []
    var piece = ""
    for character in word {
      if DisplayWidth.of(piece + String(character)) > width {
        pieces.append(piece)
        piece = ""
      }
      piece.append(character)
    }
    return pieces + [piece]
  }
}
