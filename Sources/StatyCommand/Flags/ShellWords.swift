import StatyText

/// Words as they are typed into a shell.
enum ShellWords {
  /// An option with its value; a value that looks like an option follows an equals sign.
  static func option(_ name: String, _ value: String) -> [String] {
    value.utf8.first == UInt8(ascii: "-") ? ["\(name)=\(shell(value))"] : [name, shell(value)]
  }

  /// A flag with its value, quoted for a shell.
  static func flag(_ word: String) -> String {
    guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return word }
    let value = word.utf8.index(after: sign)
    return String(word[..<value]) + shell(String(word[value...]))
  }

  /// A path, quoted for a shell.
  static func quoted(_ path: String) -> String {
    (path.utf8.first == UInt8(ascii: "-") ? "-- " : "") + shell(path)
  }

  private static func shell(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { byte in
      (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a)
        || (byte >= 0x61 && byte <= 0x7a) || "/._-+,@%:=".utf8.contains(byte)
    }
    if plain, !text.isEmpty, !"-=".utf8.contains(text.utf8.first ?? 0) { return text }
    // By scalars: an apostrophe with a combining mark is another character in Swift, but still ends
    // the word in a shell.
    let inner = text.visible.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + inner.map(String.init).joined(separator: "'\\''") + "'"
  }
}
