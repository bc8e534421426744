/// One option of a verb, as the parser, the help and the completions know it.
struct OptionSpec: Sendable {
  /// The name after two hyphens.
  let long: String
  /// The letter after one hyphen, if it has one.
  var short: Character?
  /// The name of its value in the help; none if it takes no value.
  var value: String?
  /// The values it can have, if they can be listed.
  var choices: [String] = []
  /// What it does, in one sentence.
  var help: String
  /// Whether it may be given more than once, and all its values count.
  var isRepeatable = false
  /// Whether the help leaves it out.
  var isHidden = false
  /// Whether required arguments may be missing if it is given.
  var isStandalone = false
  /// Whether it has to be given.
  var isRequired = false
  /// Whether its value is a file or folder that is read.
  var isInput = false
  /// The least and the largest number it can have, or microseconds of a time.
  var range: ClosedRange<Int64> = 0 ... .max
  /// The options that cannot be given together with it.
  var excluded: [String] = []

  /// An option without a value.
  static func flag(_ long: String, short: Character? = nil, _ help: String) -> OptionSpec {
    OptionSpec(long: long, short: short, help: help)
  }

  /// An option with a value.
  ///
  /// The name of the value says what it has to be; see `objection(to:)`.
  static func valued(
    _ long: String, short: Character? = nil, _ value: String, choices: [String] = [],
    in range: ClosedRange<Int64> = 0 ... .max, _ help: String
  ) -> OptionSpec {
    OptionSpec(
      long: long, short: short, value: value, choices: choices, help: help, range: range)
  }

  /// The same option, which may be given more than once.
  var repeatable: OptionSpec { with(\.isRepeatable) }
  /// The same option, left out of the help.
  var hidden: OptionSpec { with(\.isHidden) }
  /// The same option; the verb's arguments may be missing if it is given.
  var standalone: OptionSpec { with(\.isStandalone) }
  /// The same option, which has to be given.
  var required: OptionSpec { with(\.isRequired) }
  /// The same option, with a value that is an input file or folder.
  var input: OptionSpec { with(\.isInput) }

  /// The same option, which cannot be given together with these.
  func excluding(_ others: String...) -> OptionSpec {
    var copy = self
    copy.excluded = others
    return copy
  }

  private func with(_ mark: WritableKeyPath<OptionSpec, Bool>) -> OptionSpec {
    var copy = self
    copy[keyPath: mark] = true
    return copy
  }

  /// Its name in messages: `--session <n>`.
  var called: String { value.map { "--\(long) <\($0)>" } ?? "--\(long)" }
}

/// An argument of a verb: a word that is no option.
struct ArgumentSpec: Sendable {
  /// Its name in the help.
  let name: String
  /// What it is, in one sentence.
  let help: String
  /// Whether it may be given more than once.
  var isRepeatable = false
  /// Whether it may be left out.
  var isOptional = false
  /// The allowed words, if they can be listed; otherwise it is a file.
  var choices: [String] = []

  /// Its name in usage lines.
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
  /// The rest of its description, in paragraphs.
  var discussion: String = ""
  /// Its arguments, in order; only the last may be repeated.
  var arguments: [ArgumentSpec] = []
  /// Its own options, without those that all verbs have.
  var options: [OptionSpec] = []

  /// Its own options, then those of every verb.
  var allOptions: [OptionSpec] { options + OptionSpec.ofEveryVerb }
}

extension OptionSpec {
  static let help = OptionSpec.flag("help", short: "h", "Show help information.")
  static let version = OptionSpec.flag("version", "Show the version.")

  /// The options of every verb.
  static let ofEveryVerb: [OptionSpec] = [
    .flag(
      "quiet", short: "q", "Leave out notes and sums; what was found and errors are still told."),
    .valued(
      "color", "when", choices: ["auto", "always", "never"],
      "Whether to use colors: auto, always or never. Auto heeds NO_COLOR."),
    .version,
    .help,
  ]

  /// The options of verbs with an output.
  static let output: [OptionSpec] = [
    .valued("output", short: "o", "file", "Write the output into a file."),
    .flag("force", "Replace the file to write if there is one."),
  ]

  /// The options of verbs that write a history, which cannot be printed to a terminal.
  static let requiredOutput = output.map { $0.long == "output" ? $0.required : $0 }
}
