/// What may still be done to find flipped bits, in all of a file together.
///
/// What is tried is so many times as much as there is to try it on, and of a stranger's file that may be
/// all of it: long texts and payloads, and many of each. So it is counted by the bytes that are hashed.
final class MendBudget {
  /// So many take a fraction of a second.
  private static let mostBytes = 512 << 20
  /// No more is looked for in one text: its bits times its length.
  static let longestText = 4_096

  private var left: Int
  /// What was looked for in runs of events, by the first number of each: it is asked for twice.
  private var mends: [Int64: RunMend?] = [:]

  init(bytes: Int = MendBudget.mostBytes) { left = bytes }

  /// Takes so many bytes.
  ///
  /// - Returns: whether they were left.
  func take(_ bytes: Int) -> Bool {
    if left <= 0 { return false }
    left -= bytes
    return left >= 0
  }

  /// What is found in the run that begins with this number, looked for once.
  func mend(_ first: Int64, _ find: () -> RunMend?) -> RunMend? {
    if let known = mends[first] { return known }
    let found = find()
    mends[first] = .some(found)
    return found
  }
}

extension [UInt8] {
  /// Flips the one bit of which it is said that the hash is right then.
  ///
  /// - Returns: whether there is one; else they are as they were.
  mutating func flipBit(_ budget: MendBudget, _ isRight: (UInt64) -> Bool) -> Bool {
    guard count <= MendBudget.longestText else { return false }
    for bit in 0..<8 * count {
      guard budget.take(count) else { return false }
      self[bit / 8] ^= 1 << UInt8(bit % 8)
      if isRight(withUnsafeBytes(ContentHash.bytes)) { return true }
      self[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    return false
  }
}

extension String {
  /// The text that this one was before the one bit was flipped with which its hash is right; none if
  /// there is none, or it is no text.
  func mended(_ budget: MendBudget, _ isRight: (UInt64) -> Bool) -> String? {
    var bytes = Array(utf8)
    return bytes.flipBit(budget, isRight) ? String(validating: bytes, as: UTF8.self) : nil
  }
}
