/// Measures the width of texts in columns of a terminal.
package enum DisplayWidth {
  /// The width of a text that contains only visible characters.
  package static func of(_ text: String) -> Int {
    // Nearly all names are ASCII.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// The width of a character: two columns if it is a wide one.
  package static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // A digit or a hand is wide if it is followed by an emoji selector or modifier.
    if first.properties.isEmoji, scalars.dropFirst().contains(where: \.makesEmoji) { return 2 }
    if first.value < 0x80 { return 1 }
    if first.properties.isEmojiPresentation || isWide(first.value) { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }

  /// The blocks that East Asian scripts write in full width.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x3247, 0x3250...0x4dbf,
      0x4e00...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19,
      0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18cff, 0x18d00...0x18d8f,
      0x1aff0...0x1b2ff, 0x1f200...0x1f2ff, 0x20000...0x3fffd:
      true
    default: false
    }
  }

  /// Cuts a text to a width, with an ellipsis at the end.
  package static func cut(_ text: String, to columns: Int) -> String {
    guard of(text) > columns else { return text }
    var cut = ""
    var used = 0
    for character in text {
      let width = of(character)
      if used + width > columns - 1 { break }
      cut.append(character)
      used += width
    }
    // What is isolated and cut in its middle must not isolate what follows.
    let open = cut.unicodeScalars.reduce(0) {
      $1.value == 0x2068 ? $0 + 1 : $1.value == 0x2069 ? $0 - 1 : $0
    }
    return cut + "…" + String(repeating: "\u{2069}", count: max(0, open))
  }

  /// Pads a text to a width with spaces after it; for a number, before it.
  package static func pad(_ text: String, to columns: Int, isNumber: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, columns - of(text)))
    return isNumber ? space + text : text + space
  }
}

extension Unicode.Scalar {
  /// Whether it turns the character before it into an emoji.
  fileprivate var makesEmoji: Bool { value == 0xfe0f || properties.isEmojiModifier }
}
