/// The request of a command line.
enum Invocation {
  /// The help of the tool, of a verb, or of options.
  case help(Help)
  case version
  case verb(any Verb, color: ColorChoice, isQuiet: Bool)

  /// Parses the words, without doing anything yet.
  init(_ words: [String]) throws(UsageError) {
    let rest = words.dropFirst()
    switch words.first {
    case nil, "--help", "-h": self = .help(.tool)
    case "--version": self = .version
    case "help": self = .help(try Self.help(with: rest))
    case let name?: try self.init(name, rest)
    }
  }

  private init(_ name: String, _ words: some Sequence<String>) throws(UsageError) {
    let verb = try VerbTable.verb(named: name)
    let parsed = try ArgumentParser.parse(words, for: verb.spec)
    // For help and version, words that the verb requires may be missing.
    if parsed.has("help") {
      self = .help(.verb(verb.spec, isWhole: false))
    } else if parsed.has("version") {
      self = .version
    } else {
      let color: ColorChoice = parsed.choice("color") ?? .auto
      self = .verb(try verb.init(arguments: parsed), color: color, isQuiet: parsed.has("quiet"))
    }
  }

  /// What there is help with.
  enum Help {
    case tool
    case verb(VerbSpec, isWhole: Bool)
    /// The options that several verbs have.
    case options
  }

  private static func help(with words: some Sequence<String>) throws(UsageError) -> Help {
    let words = words.filter { !["--help", "-h"].contains($0) }
    let names = words.filter { $0 != "--all" }
    guard let name = names.first, name != "help" else { return .tool }
    let help: Help =
      name == "options"
      ? .options : .verb(try VerbTable.verb(named: name).spec, isWhole: names.count < words.count)
    if names.count > 1 {
      throw UsageError("Unexpected argument '\(names[1])'.", verb: VerbTable.help)
    }
    return help
  }
}

/// When to use colors.
enum ColorChoice: String, CaseIterable {
  case auto, always, never
}
