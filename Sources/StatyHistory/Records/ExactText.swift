import LibC

/// A text that equals another only if their bytes are equal, as in the file.
///
/// In Swift, an accented letter equals its two-part spelling.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(text: String) { self.text = text }

  package static func == (one: ExactText, other: ExactText) -> Bool {
    one.withBytes { bytes in
      other.withBytes { others in
        bytes.count == others.count
          && (bytes.isEmpty || memcmp(bytes.baseAddress!, others.baseAddress!, bytes.count) == 0)
      }
    }
  }

  package func hash(into hasher: inout Hasher) {
    withBytes { bytes in
      hasher.combine(bytes.count)
      hasher.combine(bytes: bytes)
    }
  }

  /// All bytes at once: the whole schema of each opened file is compared, and in a debug build
  /// single bytes would take as long as the rest of opening it.
  private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var text = text
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
