extension String {
  /// The part behind the last slash.
  ///
  /// Compared by bytes, as the system does: a slash with a combining mark is another character, but
  /// still a slash.
  var lastComponent: String { String(self[afterLastSlash...]) }

  /// The part up to the last slash, with the slash; empty if there is none.
  var folder: String { String(self[..<afterLastSlash]) }

  /// Whether it ends with this text, byte by byte.
  func hasEnding(_ ending: String) -> Bool { utf8.reversed().starts(with: ending.utf8.reversed()) }

  private var afterLastSlash: Index {
    utf8.lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) } ?? startIndex
  }
}
