extension String {
  /// What stands behind the last slash.
  ///
  /// By bytes, as the system does: a slash with a mark behind it is another character, and still one.
  var lastComponent: String { String(self[afterLastSlash...]) }

  /// What stands before it, with the last slash; nothing if there is none.
  var folder: String { String(self[..<afterLastSlash]) }

  /// Whether it ends so, byte by byte.
  func hasEnding(_ ending: String) -> Bool { utf8.reversed().starts(with: ending.utf8.reversed()) }

  private var afterLastSlash: Index {
    utf8.lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) } ?? startIndex
  }
}
