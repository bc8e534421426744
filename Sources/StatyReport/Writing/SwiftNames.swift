import StatyText

/// Names out of recordings as Swift source may have them.
///
/// A name may be anything, also what would end a literal, begin a comment or hide what follows.
enum SwiftNames {
  /// The text as a literal.
  static func literal(_ text: String) -> String {
    // Scalar by scalar: a quote with a mark on it is another character, and still ends the literal.
    var literal = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { literal += "\\" }
      // Those that are no characters the compiler takes as they are alone.
      literal +=
        (0xfdd0...0xfdef).contains(scalar.value)
        ? String(scalar) : String(scalar).escapedForOneLine
    }
    return literal + "\""
  }

  /// The text in a comment that ends with its line.
  static func comment(_ text: String) -> String { text.escapedForOneLine }

  /// The text as a name between backticks: what may not stand there is left out.
  static func sentence(_ text: String) -> String {
    let allowed = text.unicodeScalars.map { scalar in
      let isPlain =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || " -_,'()#".unicodeScalars.contains(scalar)
      return isPlain ? Character(scalar) : " "
    }
    return String(allowed).split(separator: " ").joined(separator: " ").shortened(to: 120)
  }

  /// A name for a variable that says the text, and is none of those that are taken.
  static func variable(_ text: String, otherwise: String, taken: inout Set<String>) -> String {
    var words: [String] = []
    for word in text.split(whereSeparator: { !$0.isASCII || !($0.isLetter || $0.isNumber) }) {
      let word = String(word)
      let isFirst = words.isEmpty
      words.append(word.prefix(1).lowercased() + word.dropFirst())
      if !isFirst { words[words.count - 1] = word.prefix(1).uppercased() + word.dropFirst() }
    }
    var name = String(words.joined().prefix(40))
    if name.isEmpty || name.first?.isNumber == true { name = otherwise + name }
    if keywords.contains(name) { name += otherwise.prefix(1).uppercased() + otherwise.dropFirst() }
    var unique = name
    var number = 2
    while !taken.insert(unique).inserted {
      unique = "\(name)\(number)"
      number += 1
    }
    return unique
  }

  static func isKeyword(_ word: String) -> Bool { keywords.contains(word) }

  private static let keywords: Set<String> = [
    "actor", "any", "as", "associatedtype", "async", "await", "borrowing", "break", "case", "catch",
    "class", "consuming", "continue", "default", "defer", "deinit", "do", "else", "enum",
    "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
    "in", "init", "inout", "internal", "is", "let", "nil", "nonisolated", "open", "operator",
    "package", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "some", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while",
  ]
}
