/// Cuts a text that comes in parts of any size into its lines.
struct LineSplitter {
  private var waiting: [UInt8] = []

  /// How long what waits for its end is.
  var waitingCount: Int { waiting.count }

  /// The lines that a part completes, without their ends.
  mutating func lines(after part: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
    // What was looked at before has no end of a line in it.
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

  /// The last line, if nothing ended it.
  mutating func rest() -> ArraySlice<UInt8>? {
    defer { waiting = [] }
    return waiting.isEmpty ? nil : waiting[...]
  }
}

extension ArraySlice<UInt8> {
  /// Whether there is nothing to see in a line.
  var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d } }

  /// The text without what some editors put before the first character.
  var withoutMark: ArraySlice<UInt8> { starts(with: [0xef, 0xbb, 0xbf]) ? dropFirst(3) : self }
}
