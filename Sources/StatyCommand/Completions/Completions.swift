/// Shells for which there are completions.
enum Shell: String, CaseIterable {
  case bash, zsh, fish
}

/// What a shell is to know to complete command lines: the same that parser and help know.
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

  /// The words that may stand where a verb is given something beside its options.
  func words(_ verb: VerbSpec) -> [String] {
    verb.name == "help" ? verbs.map(\.name) : verb.arguments.flatMap(\.choices)
  }

  /// Whether files may stand there.
  func takesFiles(_ verb: VerbSpec) -> Bool {
    verb.name != "help" && verb.arguments.contains { $0.choices.isEmpty }
  }

  /// The values that an option can have, as far as they can be listed.
  func choices(_ option: OptionSpec) -> [String] {
    option.value == "kind" && option.choices.isEmpty ? kinds : option.choices
  }
}

extension VerbSpec {
  var shownOptions: [OptionSpec] { allOptions.filter { !$0.isHidden } }
}

extension OptionSpec {
  /// How it is written, the short way first.
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
