/// The request of a command line.
enum Invocation {
  /// The help of a verb; `nil` for that of the tool.
  case help(VerbSpec?)
  case version
  case verb(any Verb, color: ColorChoice, isQuiet: Bool)

  /// Parses the words, without doing anything yet.
  init(_ words: [String]) throws(UsageError) {
    let rest = words.dropFirst()
    switch words.first {
    case nil, "--help", "-h": self = .help(nil)
    case "--version": self = .version
    case "help": self = .help(try Self.verb(toHelpWith: rest))
    case let name?: try self.init(name, rest)
    }
  }

  private init(_ name: String, _ words: some Sequence<String>) throws(UsageError) {
    let verb = try VerbTable.verb(named: name)
    let parsed = try ArgumentParser.parse(words, for: verb.spec)
    // For help and version, words that the verb requires may be missing.
    if parsed.has("help") {
      self = .help(verb.spec)
    } else if parsed.has("version") {
      self = .version
    } else {
      let color: ColorChoice = parsed.choice("color") ?? .auto
      self = .verb(try verb.init(arguments: parsed), color: color, isQuiet: parsed.has("quiet"))
    }
  }

  private static func verb(
    toHelpWith words: some Sequence<String>
  ) throws(UsageError) -> VerbSpec? {
    let names = words.filter { !["--help", "-h"].contains($0) }
    guard let name = names.first, name != "help" else { return nil }
    let verb = try VerbTable.verb(named: name).spec
    if names.count > 1 {
      throw UsageError("Unexpected argument '\(names[1])'.", verb: VerbTable.help)
    }
    return verb
  }
}

/// When to use colors.
enum ColorChoice: String, CaseIterable {
  case auto, always, never
}
