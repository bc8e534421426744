import Staty

extension String {
  /// The most bytes of a name that are recorded.
  ///
  /// Tools print a name in each line that shows an event, so a long name makes long output.
  static let longestRecordedName = 1_024

  /// The name as it is recorded: a name of more than 1,024 bytes is cut and ends with `…`.
  ///
  /// Names with the same beginning become the same name.
  var cutAsName: String {
    utf8.count <= Self.longestRecordedName
      ? self : cut(toBytes: Self.longestRecordedName - "…".utf8.count) + "…"
  }

  /// The payload as it is recorded: if it is too long, it is cut and begins with `cut:`.
  func cutAsPayload(toBytes most: Int) -> String {
    if utf8.count <= most { return self }
    let mark = MessageText.cutMark
    return mark + (hasPrefix(mark) ? String(dropFirst(mark.count)) : self).cut(toBytes: most)
  }

  /// The beginning of the text, of at most this many bytes of UTF-8 and only whole Unicode scalars.
  func cut(toBytes most: Int) -> String {
    if utf8.count <= most { return self }
    var end = utf8.index(startIndex, offsetBy: max(0, most))
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
      end = utf8.index(before: end)
    }
    return String(self[..<end])
  }
}
