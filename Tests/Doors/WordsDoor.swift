import StatyCommand

enum WordsDoor {
  /// Words are understood or refused, and nothing is done about them.
  static func open(_ bytes: [UInt8]) throws {
    let words = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if let refusal = StatyTool.refusal(of: words), refusal.isEmpty {
      throw Broken("refused without a reason: \(words)")
    }
  }
}
