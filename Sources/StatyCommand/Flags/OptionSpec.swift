/// One option of a verb, as the parser, the help and the completions know it.
struct OptionSpec: Sendable {
  /// The name after two hyphens.
  let long: String
  /// The letter after one hyphen, if it has one.
  var short: Character?
  /// What its value is called in the help; none if it takes none.
  var value: String?
  /// The values it can have, if they can be listed.
  var choices: [String] = []
  /// What it does, in one sentence.
  var help: String
  /// Whether it may be given more than once, and all its values count.
  var isRepeatable = false
  /// Whether the help is silent about it.
  var isHidden = false
  /// Whether nothing else need be given with it.
  var isStandalone = false
  /// Whether it has to be given.
  var isRequired = false
  /// Whether its value is a file or folder that is read.
  var isInput = false

  /// An option that is there or not.
  static func flag(_ long: String, short: Character? = nil, _ help: String) -> OptionSpec {
    OptionSpec(long: long, short: short, help: help)
  }

  /// An option with a value.
  static func valued(
    _ long: String, short: Character? = nil, _ value: String, choices: [String] = [],
    _ help: String
  ) -> OptionSpec {
    OptionSpec(long: long, short: short, value: value, choices: choices, help: help)
  }

  /// The same option, which may be given more than once.
  var repeatable: OptionSpec {
    var copy = self
    copy.isRepeatable = true
    return copy
  }

  /// The same option, of which the help says nothing.
  var hidden: OptionSpec {
    var copy = self
    copy.isHidden = true
    return copy
  }

  /// The same option, with which the verb's arguments need not be given.
  var standalone: OptionSpec {
    var copy = self
    copy.isStandalone = true
    return copy
  }

  /// The same option, which has to be given.
  var required: OptionSpec {
    var copy = self
    copy.isRequired = true
    return copy
  }

  /// The same option, whose value is a file or folder that is read.
  var input: OptionSpec {
    var copy = self
    copy.isInput = true
    return copy
  }

  /// How messages call it: `--session <n>`.
  var called: String { value.map { "--\(long) <\($0)>" } ?? "--\(long)" }
}

/// What a verb is given beside its options.
struct ArgumentSpec: Sendable {
  /// What it is called in the help.
  let name: String
  /// What it is, in one sentence.
  let help: String
  /// Whether it may be given more than once.
  var isRepeatable = false
  /// Whether it may be left out.
  var isOptional = false
  /// What it can be, if that can be listed; else it is a file.
  var choices: [String] = []

  /// How usage lines call it.
  var called: String {
    let name = isRepeatable ? "<\(name)> ..." : "<\(name)>"
    return isOptional ? "[\(name)]" : name
  }
}

/// A verb of the tool: the one description that parser, help and completions share.
struct VerbSpec: Sendable {
  /// The word after the tool's name.
  let name: String
  /// What it does, in one sentence.
  let abstract: String
  /// What else there is to know, in paragraphs.
  var discussion: String = ""
  /// What it is given, in order; only the last may be repeated.
  var arguments: [ArgumentSpec] = []
  /// Its own options; those that all verbs have are added to them.
  var options: [OptionSpec] = []

  /// Its own options, then those of every verb.
  var allOptions: [OptionSpec] { options + OptionSpec.ofEveryVerb }
}

extension OptionSpec {
  static let help = OptionSpec.flag("help", short: "h", "Show help information.")
  static let version = OptionSpec.flag("version", "Show the version.")

  /// What every verb takes.
  static let ofEveryVerb: [OptionSpec] = [
    .flag(
      "quiet", short: "q", "Leave out notes and sums; what was found and errors are still told."),
    .valued(
      "color", "when", choices: ["auto", "always", "never"],
      "Whether to use colors: auto, always or never. Auto heeds NO_COLOR."),
    .version,
    .help,
  ]

  /// What verbs with an output take.
  static let output: [OptionSpec] = [
    .valued("output", short: "o", "file", "Write the output into a file."),
    .flag("force", "Replace the file to write if there is one."),
  ]

  /// What verbs take that write a history, which is nothing for a terminal.
  static let requiredOutput = output.map { $0.long == "output" ? $0.required : $0 }
}
