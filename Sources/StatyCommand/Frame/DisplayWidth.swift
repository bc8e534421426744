/// How many columns of a terminal a text takes.
enum DisplayWidth {
  /// The columns of a text that holds nothing but visible characters.
  static func of(_ text: String) -> Int {
    // Nearly all names are plain.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// The columns of a character: two if it is as broad as it is high.
  static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.value < 0x80 { return 1 }
    if first.properties.isEmojiPresentation { return 2 }
    if first.properties.isEmoji, character.unicodeScalars.contains(where: { $0.value == 0xfe0f }) {
      return 2
    }
    if isWide(first.value) { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return 1
    }
  }

  /// The blocks that East Asian scripts write in full width.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff,
      0xa000...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
      0xff00...0xff60, 0xffe0...0xffe6, 0x1b000...0x1b2ff, 0x20000...0x3fffd:
      true
    default: false
    }
  }

  /// The text cut to so many columns, with an ellipsis where the rest was.
  static func cut(_ text: String, to columns: Int) -> String {
    guard of(text) > columns else { return text }
    var cut = ""
    var used = 0
    for character in text {
      let width = of(character)
      if used + width > columns - 1 { break }
      cut.append(character)
      used += width
    }
    return cut + "…"
  }

  /// The text with spaces behind it, or before it, so that it takes so many columns.
  static func pad(_ text: String, to columns: Int, isNumber: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, columns - of(text)))
    return isNumber ? space + text : text + space
  }
}
