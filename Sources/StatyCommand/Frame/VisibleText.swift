import StatyText

extension String {
  /// The same text as part of one line, with every character escaped that could control a terminal,
  /// end the line or be invisible.
  ///
  /// For every name, path and text that comes from a file or from the command line.
  var visible: String { escapedForOneLine }

  /// The same text, between isolates if it has right-to-left letters, which would otherwise reorder
  /// neighbouring columns.
  ///
  /// Apply it to visible text, which contains no such marks.
  var isolated: String {
    guard !utf8.allSatisfy({ $0 < 0x80 }), unicodeScalars.contains(where: \.isRightToLeft) else {
      return self
    }
    return "\u{2068}" + self + "\u{2069}"
  }
}

extension Unicode.Scalar {
  /// The blocks of scripts that are written from right to left.
  fileprivate var isRightToLeft: Bool {
    switch value {
    case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff: true
    default: false
    }
  }
}
