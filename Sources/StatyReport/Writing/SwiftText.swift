/// Checks texts from the user that are written into Swift source unchanged.
package enum SwiftText {
  /// Whether the text can be the name of a module or of a part of one.
  package static func isModule(_ text: String) -> Bool {
    let names = text.split(separator: ".", omittingEmptySubsequences: false)
    return names.allSatisfy(isName) && !SwiftNames.isKeyword(String(names[0]))
  }

  /// Whether the text can be an expression: names separated by dots, each with or without a call.
  ///
  /// The arguments are not checked, except that their brackets close in the same line.
  package static func isExpression(_ text: String) -> Bool {
    var rest = text[...]
    // After a dot, a keyword is an ordinary name.
    var isMember = rest.first == "."
    if isMember { rest.removeFirst() }
    while true {
      let name = rest.prefix { $0 != "." && $0 != "(" }
      guard isName(name), isMember || !SwiftNames.isKeyword(String(name)) else { return false }
      rest = rest[name.endIndex...]
      while rest.first == "(" {
        guard let end = end(ofCall: rest) else { return false }
        rest = rest[end...]
      }
      if rest.isEmpty { return true }
      isMember = rest.removeFirst() == "."
      if !isMember { return false }
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    return (first == "_" || first.properties.isXIDStart)
      && text.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
  }

  /// The end of the call at the beginning of the text.
  private static func end(ofCall text: Substring) -> String.Index? {
    var open: [Character] = []
    var isQuoted = false
    var isEscaped = false
    for place in text.indices {
      let character = text[place]
      if character.isNewline || character.asciiValue.map({ $0 < 32 }) ?? false { return nil }
      if isEscaped {
        isEscaped = false
      } else if isQuoted {
        isEscaped = character == "\\"
        isQuoted = character != "\""
      } else if character == "\"" {
        isQuoted = true
      } else if text[place...].hasPrefix("//") || text[place...].hasPrefix("/*") {
        return nil
      } else if let closing = ["(": ")", "[": "]", "{": "}"][character] as Character? {
        open.append(closing)
      } else if character == open.last {
        open.removeLast()
        if open.isEmpty { return text.index(after: place) }
      } else if ")]}".contains(character) {
        return nil
      }
    }
    return nil
  }
}
