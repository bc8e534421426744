import StatyText

/// Writes names from recordings into Swift source.
///
/// A name may be anything, such as a text that would end a literal, begin a comment or hide what
/// follows.
package enum SwiftNames {
  /// The text as a string literal.
  package static func literal(_ text: String) -> String {
    // Scalar by scalar: a quote with a combining mark is another character in Swift, but still ends
    // the literal.
    var literal = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { literal += "\\" }
      // The compiler accepts these noncharacters only unescaped.
      literal +=
        (0xfdd0...0xfdef).contains(scalar.value)
        ? String(scalar) : String(scalar).escapedForOneLine
    }
    return literal + "\""
  }

  /// The text as a string literal in which quotes and backslashes stand as they are.
  static func rawLiteral(_ text: String) -> String {
    // A number sign could end the literal, or begin an escape in it.
    let isPlain = !text.unicodeScalars.contains("#") && text.escapedForOneLine == text
    return isPlain ? "#\"\(text)\"#" : literal(text)
  }

  /// The text for a comment of one line.
  static func comment(_ text: String) -> String { text.escapedForOneLine }

  /// The text as a name between backticks.
  ///
  /// Characters that are not allowed there are left out.
  static func sentence(_ text: String) -> String {
    let allowed = text.unicodeScalars.map { scalar in
      let isPlain =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || " -_,'()#".unicodeScalars.contains(scalar)
      return isPlain ? Character(scalar) : " "
    }
    return String(allowed).split(separator: " ").joined(separator: " ").shortened(to: 120)
  }

  /// A variable name made from a text, which is not taken yet.
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
