/// Splits a text that is given in parts of any size into its lines.
struct LineSplitter {
  private var waiting: [UInt8] = []

  /// The length of the line that is not complete yet.
  var waitingCount: Int { waiting.count }

  /// The lines that a part completes, without their ends.
  mutating func lines(after part: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
    // The bytes before it contain no line end.
    var next = waiting.count
    waiting += part
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    while let end = waiting[next...].firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(waiting[start..<end])
      start = end + 1
      next = start
    }
    if start > 0 { waiting = Array(waiting[start...]) }
    return lines
  }

  /// The last line, if it has no line end.
  mutating func rest() -> ArraySlice<UInt8>? {
    defer { waiting = [] }
    return waiting.isEmpty ? nil : waiting[...]
  }
}

extension ArraySlice<UInt8> {
  /// Whether a line contains only blanks.
  var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d } }

  /// The text without a byte order mark, which some editors add.
  var withoutMark: ArraySlice<UInt8> { starts(with: [0xef, 0xbb, 0xbf]) ? dropFirst(3) : self }
}
