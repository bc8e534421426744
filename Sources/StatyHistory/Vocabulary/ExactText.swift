import LibC

/// A text that equals another only if their bytes do, as in the file.
///
/// Swift's own equality takes an accented letter and its two-part spelling for the same.
struct ExactText: Hashable, Sendable {
  let text: String

  static func == (one: ExactText, other: ExactText) -> Bool {
    one.withBytes { bytes in
      other.withBytes { others in
        bytes.count == others.count
          && (bytes.isEmpty || memcmp(bytes.baseAddress!, others.baseAddress!, bytes.count) == 0)
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    withBytes { bytes in
      hasher.combine(bytes.count)
      hasher.combine(bytes: bytes)
    }
  }

  /// All bytes at once: the whole schema of each file that is opened is compared, and a byte at a time
  /// takes a debug build as long as the rest of opening it.
  private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var text = text
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
