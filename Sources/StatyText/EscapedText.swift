extension String {
  /// The same text with everything that could command a terminal, end a line or hide itself
  /// written as `\u{…}`.
  ///
  /// SQLite quotes names out of a file's schema in its error texts, and a file may be hostile.
  package var escapedForOneLine: String {
    // Nearly all texts are of these alone.
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return self }
    guard unicodeScalars.contains(where: \.mustBeEscaped) else { return self }
    var escaped = ""
    for scalar in unicodeScalars {
      if scalar.mustBeEscaped {
        escaped += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Whether it is made of ASCII's letters, digits and signs alone, without quotes and backslashes.
  package var isPlain: Bool {
    utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }
  }

  /// At most `count` characters, with an ellipsis where the rest was.
  package func shortened(to count: Int) -> String {
    let head = prefix(count)
    return head.endIndex == endIndex ? self : head + "…"
  }
}

extension Unicode.Scalar {
  /// Control (C0, DEL, C1), line and paragraph separators, format characters (bidi overrides,
  /// zero-width ones, tags), and what is called a letter or a sign and shows nothing.
  fileprivate var mustBeEscaped: Bool {
    if value < 0x7f { return value < 0x20 }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      return true
    default:
      // Of these the selectors are part of many an emoji.
      return value == 0x2800
        || properties.isDefaultIgnorableCodePoint && !(0xfe00...0xfe0f ~= value)
    }
  }
}
