/// What a command line that begins with a verb asks for.
enum Invocation {
  case help(VerbSpec)
  case version
  case verb(any Verb, color: ColorChoice, isQuiet: Bool)

  /// Understands the words after the verb; nothing is done about them yet.
  init(_ name: String, _ words: some Sequence<String>) throws(UsageError) {
    let verb = try VerbTable.verb(named: name)
    let parsed = try ArgumentParser.parse(words, for: verb.spec)
    // Who asks for one of these may have left out what the verb needs.
    if parsed.has("help") {
      self = .help(verb.spec)
    } else if parsed.has("version") {
      self = .version
    } else {
      let color: ColorChoice = try parsed.choice("color") ?? .auto
      self = .verb(try verb.init(parsed), color: color, isQuiet: parsed.has("quiet"))
    }
  }
}

/// When to use colors.
enum ColorChoice: String, CaseIterable {
  case auto, always, never
}
