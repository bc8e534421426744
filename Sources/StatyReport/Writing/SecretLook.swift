import Staty
import StatyReplay

/// Looks for what may be a secret among recorded values, before they are written into a source file.
enum SecretLook {
  /// Parts of names that secrets have.
  private static let words = [
    "password", "passcode", "passphrase", "token", "secret", "credential", "authorization",
    "apikey",
    "api_key", "cookie", "cvv", "iban",
  ]

  /// The names of messages or of their values that sound like a secret, sorted.
  static func names(in scenario: Scenario) -> [String] {
    let found = scenario.messages.flatMap { message in
      message.values.map { names(in: $0, of: message.name.description) } ?? []
    }
    let payloads = scenario.requests.filter { $0.payload != nil }.map(\.state.description)
    return Set(found + payloads.filter(isSuspicious)).sorted()
  }

  /// The same for the values of one message; a message without any has nothing to hide.
  static func names(in values: String, of message: String) -> [String] {
    let keys = keys(of: values)
    return keys.isEmpty ? [] : ([message] + keys).filter(isSuspicious)
  }

  private static func isSuspicious(_ name: String) -> Bool {
    let name = name.lowercased()
    return words.contains { name.contains($0) }
  }

  /// The keys of JSON objects in a text: what stands in quotes before a colon.
  private static func keys(of text: String) -> [String] {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return zip(parts, parts.dropFirst()).compactMap { key, next in
      next.first == ":" ? String(key) : nil
    }
  }
}
