/// The shells that have completions.
enum Shell: String, CaseIterable {
  case bash, zsh, fish
}

/// What a shell needs to complete command lines: the same descriptions that the parser and the help
/// use.
struct Completions {
  let tool: String
  let verbs: [VerbSpec]
  /// The kinds of controller that can be made.
  var kinds: [String] = []

  /// The script for a shell.
  func script(_ shell: Shell) -> String {
    switch shell {
    case .bash: BashCompletions(all: self).script
    case .zsh: ZshCompletions(all: self).script
    case .fish: FishCompletions(all: self).script
    }
  }

  /// A name for the shell's functions, whatever the tool is called.
  var function: String {
    "_" + String(tool.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// The words that a verb accepts as arguments.
  func words(_ verb: VerbSpec) -> [String] {
    verb.name == "help" ? verbs.map(\.name) : verb.arguments.flatMap(\.choices)
  }

  /// Whether a verb accepts files as arguments.
  func takesFiles(_ verb: VerbSpec) -> Bool {
    verb.name != "help" && verb.arguments.contains { $0.choices.isEmpty }
  }

  /// The values of an option, if they can be listed.
  func choices(_ option: OptionSpec) -> [String] {
    option.value == "kind" && option.choices.isEmpty ? kinds : option.choices
  }
}

extension VerbSpec {
  var shownOptions: [OptionSpec] { allOptions.filter { !$0.isHidden } }
}

extension OptionSpec {
  /// The ways to write it, the short one first.
  var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(long)"] }

  /// Whether its value is the path of a file or folder.
  var isPath: Bool { ["file", "folder", "script"].contains(value) }
}

extension String {
  /// The text between quotes of a shell.
  var quotedForShell: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
