// What a command line may look like:
//
// 1. The first word that is no option is the verb; before it only --help, -h and --version may stand.
// 2. A long option is `--name`, a short one `-n`. Names are written out in full.
// 3. A value is the next word (`--name value`, `-n value`) or comes after `=` (`--name=value`). A
//    next word that begins with `-` is no value, except `-` itself, a number and what rule 10 says;
//    write it after `=`.
// 4. An option that takes no value is given none: `--strict=yes` is refused.
// 5. Short options without a value may share a hyphen: `-qh`.
// 6. An option is given once, unless its help says that it may be repeated.
// 7. After `--` every word is an argument, whatever it looks like. `-` is an argument, too.
// 8. Options and arguments may come in any order.
// 9. What is not understood is an error, and nothing is done.
// 10. A name has no white space in it: `-- a comment` in quotes, with some before any `=`, is an
//    argument or a value.

/// Parses the words after a verb by the verb's description.
struct ArgumentParser {
  private let verb: VerbSpec
  private let options: [OptionSpec]
  private var parsed: ParsedArguments
  private var rest: ArraySlice<String>

  /// The parsed words; the error names the word that is not understood.
  static func parse(
    _ words: some Sequence<String>, for verb: VerbSpec
  ) throws(UsageError) -> ParsedArguments {
    var parser = ArgumentParser(verb: verb, words: Array(words))
    try parser.run()
    return parser.parsed
  }

  private init(verb: VerbSpec, words: [String]) {
    self.verb = verb
    options = verb.allOptions
    parsed = ParsedArguments(verb: verb)
    rest = words[...]
  }

  private mutating func run() throws(UsageError) {
    var isPastOptions = false
    while let word = rest.popFirst() {
      if isPastOptions || !Self.isOption(word) {
        parsed.words.append(word)
      } else if word == "--" {
        isPastOptions = true
      } else if word.hasPrefix("--") {
        try takeLong(word)
      } else {
        try takeShort(word)
      }
    }
    // Help is printed even if required words are missing.
    if parsed.has("help") || parsed.has("version") { return }
    try checkArguments()
    for option in options where parsed.has(option.long) {
      if let other = option.excluded.first(where: parsed.has) {
        throw fail("'--\(option.long)' and '--\(other)' exclude each other.")
      }
      for text in parsed.texts(option.long) {
        guard let objection = option.objection(to: text) else { continue }
        throw fail("The value '\(text)' is invalid for '\(option.called)'. \(objection)")
      }
    }
  }

  private mutating func takeLong(_ word: String) throws(UsageError) {
    let (name, value) = Self.split(word.dropFirst(2))
    guard let option = options.first(where: { $0.long == name }) else {
      let known = options.filter { !$0.isHidden }.map(\.long)
      throw fail(
        "Unknown option '--\(name)'." + suggestion(Spelling.nearest(to: name, among: known)))
    }
    try take(option, value, as: "--\(name)")
  }

  private mutating func takeShort(_ word: String) throws(UsageError) {
    let (letters, value) = Self.split(word.dropFirst())
    let found = letters.map { letter in options.first { $0.short == letter } }
    if letters.count == 1, let option = found[0] {
      return try take(option, value, as: "-\(letters)")
    }
    // The commonest mistake is a long option with one hyphen.
    let slip = options.first { $0.long == letters && !$0.isHidden }
    guard letters.count > 1, value == nil, slip == nil else {
      throw fail("Unknown option '-\(letters)'." + suggestion(slip?.long))
    }
    for (letter, option) in zip(letters, found) {
      guard let option else { throw fail("Unknown option '-\(letter)' in '\(word)'.") }
      guard option.value == nil else {
        throw fail("The option '-\(letter)' takes a value; give it apart from '\(word)'.")
      }
      try take(option, nil, as: "-\(letter)")
    }
  }

  private mutating func take(
    _ option: OptionSpec, _ value: String?, as name: String
  ) throws(UsageError) {
    if parsed.has(option.long), !option.isRepeatable {
      throw fail("The option '--\(option.long)' is given more than once.")
    }
    guard option.value != nil else {
      if let value {
        throw fail("The option '\(name)' takes no value, but '\(value)' was given.")
      }
      parsed.values[option.long, default: []].append("")
      return
    }
    guard let value = value ?? nextValue() else {
      throw fail("Missing value for '\(option.called)'.")
    }
    parsed.values[option.long, default: []].append(value)
  }

  private mutating func nextValue() -> String? {
    guard let next = rest.first, !Self.isOption(next) || Int64(next) != nil else { return nil }
    return rest.popFirst()
  }

  /// Whether a word is meant for an option, known or not.
  private static func isOption(_ word: String) -> Bool {
    word != "-" && word.hasPrefix("-") && !word.prefix { $0 != "=" }.contains(where: \.isWhitespace)
  }

  private func checkArguments() throws(UsageError) {
    let given = parsed.words.count
    let due = verb.arguments.filter { !$0.isOptional }
    let isComplete = options.contains { $0.isStandalone && parsed.has($0.long) }
    if given < due.count, !isComplete {
      throw fail("Missing expected argument '\(due[given].called)'.")
    }
    if let missing = options.first(where: { $0.isRequired && !parsed.has($0.long) }) {
      throw fail("Missing expected option '\(missing.called)'.")
    }
    guard verb.arguments.last?.isRepeatable != true, given > verb.arguments.count else { return }
    let extra = parsed.words[verb.arguments.count...].map { "'\($0)'" }
    throw fail(
      extra.count == 1
        ? "Unexpected argument \(extra[0])."
        : "\(extra.count) unexpected arguments: \(extra.joined(separator: ", ")).")
  }

  private func fail(_ message: String) -> UsageError { UsageError(message, verb: verb) }

  private func suggestion(_ name: String?) -> String {
    name.map { " Did you mean '--\($0)'?" } ?? ""
  }

  private static func split(_ word: Substring) -> (name: String, value: String?) {
    guard let sign = word.firstIndex(of: "=") else { return (String(word), nil) }
    return (String(word[..<sign]), String(word[word.index(after: sign)...]))
  }
}
