extension String {
  /// The text with all characters that could control a terminal, end a line or be invisible escaped
  /// as `\u{…}`.
  ///
  /// SQLite quotes names from a file's schema in its error messages, and a file may be hostile.
  package var escapedForOneLine: String {
    // Nearly all texts contain only these.
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

  /// Whether it contains only printable ASCII characters, without quotes and backslashes.
  package var isPlain: Bool {
    utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }
  }

  /// The first `count` characters, followed by an ellipsis if the text is longer.
  package func shortened(to count: Int) -> String {
    let head = prefix(count)
    return head.endIndex == endIndex ? self : head + "…"
  }

  /// The text, or its beginning and its end with an ellipsis between them if it has more than `count` characters.
  package func shortenedInside(to count: Int) -> String {
    if self.count <= count { return self }
    return prefix(count - count / 2) + "…" + suffix(count / 2)
  }
}

extension Unicode.Scalar {
  /// True for control characters (C0, DEL, C1), line and paragraph separators, format characters
  /// (bidi overrides, zero-width characters, tags), and letters or signs that are invisible.
  fileprivate var mustBeEscaped: Bool {
    if value < 0x7f { return value < 0x20 }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      return true
    default:
      // Variation selectors are kept, because many emoji contain them.
      return value == 0x2800
        || properties.isDefaultIgnorableCodePoint && !(0xfe00...0xfe0f ~= value)
    }
  }
}
