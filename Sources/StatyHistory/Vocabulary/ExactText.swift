/// A text that equals another only if their bytes do, as in the file.
///
/// Swift's own equality takes an accented letter and its two-part spelling for the same.
struct ExactText: Hashable, Sendable {
  let text: String

  static func == (one: ExactText, other: ExactText) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
