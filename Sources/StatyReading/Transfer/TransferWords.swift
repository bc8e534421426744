import StatyHistory
internal import Foundation
package import Staty

// Words for what the file has as numbers, with reading and writing side by side.

extension Fidelity {
  static let words: KeyValuePairs<String, Fidelity> = [
    "full": .full, "ordered": .ordered, "three-kind": .threeKind,
  ]

  /// The word in exported lines and in messages.
  package var word: String { Self.words.first { $0.value == self }!.key }
}

extension Discipline {
  static let words: KeyValuePairs<String, Discipline> = [
    "in-order": .inOrder, "by-urgency": .byUrgency, "at-once": .atOnce, "stack": .stack,
    "moves": .moves,
  ]

  /// The word in exported lines and in messages.
  package var word: String { Self.words.first { $0.value == self }!.key }
}

extension Objection {
  static let words: KeyValuePairs<String, UInt8> = [
    "unknown-state": 1, "stale-origin": 2, "in-use-elsewhere": 3,
  ]
}

extension TransferLine {
  /// Sets the word for a number, unless the number is 0.
  mutating func set(
    _ key: TransferKey, _ number: UInt8, _ words: KeyValuePairs<String, UInt8>, _ seq: Int64
  ) throws {
    if number == 0 { return }
    guard let word = words.first(where: { $0.value == number })?.key else {
      throw HistoryError.damaged(
        "event \(seq) has a number for '\(key.word)' that no version writes")
    }
    self[key] = .text(word)
  }

  /// Sets a payload: as a text, if it is one and is not much longer that way.
  mutating func set(payload: [UInt8]) {
    if let text = String(validating: payload, as: UTF8.self),
      payload.count < 64 || payload.count(where: { $0 < 0x20 }) < payload.count / 8
    {
      self[.payload] = .text(text)
    } else {
      self[.payloadBase64] = .text(Data(payload).base64EncodedString())
    }
  }

  /// The payload; none if there is none.
  func payload() throws(LineProblem) -> [UInt8]? {
    if let text = try text(.payload) { return Array(text.utf8) }
    guard let text = try text(.payloadBase64) else { return nil }
    // Only what would be written for these bytes.
    guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
      throw wrong(.payloadBase64, "base64 with its padding")
    }
    return Array(data)
  }
}
