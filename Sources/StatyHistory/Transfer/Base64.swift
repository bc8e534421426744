internal import Foundation

/// Bytes as text.
enum Base64 {
  static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// The bytes that a text stands for; none if it is not what `text` would give for any.
  static func bytes(_ text: String) -> [UInt8]? {
    guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
      return nil
    }
    return Array(data)
  }
}
