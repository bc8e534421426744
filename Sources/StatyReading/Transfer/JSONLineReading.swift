import StatyHistory
internal import Foundation
import StatyText

/// Reads lines that are JSON objects; unknown keys are refused.
enum JSONLineReading {
  /// Reads the object in a line.
  static func line(_ bytes: ArraySlice<UInt8>) throws -> TransferLine {
    do {
      return try JSONDecoder().decode(TransferLine.self, from: Data(bytes))
    } catch is DecodingError {
      throw LineProblem(
        "it is no object of JSON", "Write one object a line, as {\"kind\":\"mark\"}.")
    }
  }

  /// Whether a text is exactly one JSON value.
  static func isValue(_ text: String) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
  }
}

extension TransferLine: Decodable {
  init(from decoder: any Decoder) throws {
    self.init()
    let members = try decoder.container(keyedBy: Word.self)
    for word in members.allKeys {
      guard let key = try Self.key(word.stringValue) else { continue }
      self[key] = try members.decode(TransferValue.self, forKey: word)
    }
  }

  /// The key of a word; none for a key of the user's own.
  private static func key(_ word: String) throws(LineProblem) -> TransferKey? {
    if let key = TransferKey(word: word) { return key }
    if word.hasPrefix("x_") { return nil }
    throw LineProblem(
      "there is no key '\(word.shortened(to: 40))'",
      "Check its spelling; what is your own begins with 'x_'.")
  }

  fileprivate struct Word: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension TransferValue: Decodable {
  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let number = try? value.decode(Int64.self) {
      self = .integer(number)
    } else if let text = try value.textIfAny() {
      self = .text(text)
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(UInt64.self) {
      self = .large(number)
    } else if let number = try? value.decode(Double.self) {
      self = .decimal(number)
    } else if let snapshot = try? value.decode(SnapshotRecord.self) {
      self = .json(snapshot.text)
    } else if (try? decoder.unkeyedContainer()) != nil {
      self = .json("[]")
    } else {
      // Fails for a number that JSON does not allow.
      _ = try decoder.container(keyedBy: TransferLine.Word.self)
      self = .json("{}")
    }
  }
}

extension SingleValueDecodingContainer {
  /// The text, if it is one; fails if it is one that JSON does not allow.
  fileprivate func textIfAny() throws -> String? {
    do {
      return try decode(String.self)
    } catch DecodingError.typeMismatch {
      return nil
    }
  }
}
