/// The hash that the checksum chain is made of.
///
/// It notices accidents: bits that flipped, rows that were edited, lost or invented. It is no defence
/// against forgery. It is part of the file format: the hash of a content must never change.
enum ContentHash {
  private static let left: UInt64 = 0x9e37_79b9_7f4a_7c15
  private static let right: UInt64 = 0xd1b5_4a32_d192_ed03

  /// Two numbers mixed into one; their order matters.
  ///
  /// One multiplication to 128 bits, both halves taken together.
  @inline(__always)
  static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = (one ^ left).multipliedFullWidth(by: other ^ right)
    return product.high ^ product.low
  }

  /// The hash of these bytes; never 0, which stands for "none".
  static func bytes(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = fold(UInt64(bytes.count), 0)
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      hash = fold(hash, word)
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return max(1, fold(hash, rest))
  }

  /// The hash of a text's UTF-8; never 0.
  static func text(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes(UnsafeRawBufferPointer($0)) }
  }

  /// The hash of a place in the code; never 0.
  static func site(file: String, line: Int64) -> UInt64 {
    max(1, fold(text(file), UInt64(bitPattern: line)))
  }
}
