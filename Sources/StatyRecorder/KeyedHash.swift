import StatyText

/// SipHash-2-4 with a random key that is never stored.
///
/// Hashed payloads of one process can be compared but not read. Without the key, which is lost when the process
/// ends, a hash cannot be compared with guesses.
struct KeyedHash: Sendable {
  private let key: (UInt64, UInt64)

  init() {
    key = (.random(in: .min ... .max), .random(in: .min ... .max))
  }

  init(key: (UInt64, UInt64)) {
    self.key = key
  }

  /// The hash of a text, as sixteen hexadecimal digits.
  func callAsFunction(_ text: String) -> String {
    let value = hash(Array(text.utf8))
    return value.hexadecimal
  }

  func hash(_ bytes: [UInt8]) -> UInt64 {
    var state = State(key: key)
    var word: UInt64 = 0
    for (place, byte) in bytes.enumerated() {
      word |= UInt64(byte) << UInt64(place % 8 * 8)
      if place % 8 == 7 {
        state.absorb(word)
        word = 0
      }
    }
    state.absorb(word | UInt64(truncatingIfNeeded: bytes.count) << 56)
    return state.finish()
  }

  private struct State {
    var a, b, c, d: UInt64

    init(key: (UInt64, UInt64)) {
      a = key.0 ^ 0x736f_6d65_7073_6575
      b = key.1 ^ 0x646f_7261_6e64_6f6d
      c = key.0 ^ 0x6c79_6765_6e65_7261
      d = key.1 ^ 0x7465_6462_7974_6573
    }

    mutating func absorb(_ word: UInt64) {
      d ^= word
      round()
      round()
      a ^= word
    }

    mutating func finish() -> UInt64 {
      c ^= 0xff
      for _ in 0..<4 { round() }
      return a ^ b ^ c ^ d
    }

    private mutating func round() {
      a &+= b
      b = b.rotated(13) ^ a
      a = a.rotated(32)
      c &+= d
      d = d.rotated(16) ^ c
      a &+= d
      d = d.rotated(21) ^ a
      c &+= b
      b = b.rotated(17) ^ c
      c = c.rotated(32)
    }
  }
}

extension UInt64 {
  fileprivate func rotated(_ count: UInt64) -> UInt64 {
    self << count | self >> (64 - count)
  }
}
