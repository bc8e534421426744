import Staty

extension String {
  /// How many bytes of a name are recorded.
  ///
  /// A name is written again in every line that shows an event.
  static let mostNameBytes = 1_024

  /// The name as it is recorded: if it is longer than 1,024 bytes, what fits of it before `…`.
  ///
  /// Names that are the same so far become one.
  var cutAsName: String {
    utf8.count <= Self.mostNameBytes
      ? self : cut(toBytes: Self.mostNameBytes - "…".utf8.count) + "…"
  }

  /// The text as a payload is recorded: if it is too long, the mark `cut:` and what fits.
  func cutAsPayload(toBytes most: Int) -> String {
    if utf8.count <= most { return self }
    let mark = MessageText.cutMark
    return mark + (hasPrefix(mark) ? String(dropFirst(mark.count)) : self).cut(toBytes: most)
  }

  /// The text without what comes after so many bytes, whole characters only.
  func cut(toBytes most: Int) -> String {
    if utf8.count <= most { return self }
    var end = utf8.index(startIndex, offsetBy: max(0, most))
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
      end = utf8.index(before: end)
    }
    return String(self[..<end])
  }
}
