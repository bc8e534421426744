/// Which of the latest numbers were seen, in a fixed amount of memory.
struct RecentNumbers {
  private var seen: [Int64]
  private let mask: Int
  private var highest: Int64 = 0

  /// - Parameter count: how many numbers back it remembers; a power of two.
  init(count: Int = 8_192) {
    precondition(count > 0 && count & (count - 1) == 0, "Give a power of two.")
    seen = Array(repeating: -1, count: count)
    mask = count - 1
  }

  mutating func insert(_ number: Int64) {
    seen[Int(truncatingIfNeeded: number) & mask] = number
    highest = max(highest, number)
  }

  /// Whether this number can be one that was seen: true of those too far back to know.
  func mayContain(_ number: Int64) -> Bool {
    number <= highest - Int64(seen.count) || seen[Int(truncatingIfNeeded: number) & mask] == number
  }
}
