import StatyReplay

/// `staty completions`: the completions of command lines for a shell.
struct CompletionsVerb: Verb {
  static let spec = VerbSpec(
    name: "completions", abstract: "Print completions for a shell.",
    discussion: """
      To have them in every shell, add to ~/.bashrc 'source <(staty completions bash)', to ~/.zshrc \
      behind 'compinit' 'source <(staty completions zsh)', or to ~/.config/fish/config.fish \
      'staty completions fish | source'.
      """,
    arguments: [
      ArgumentSpec(
        name: "shell", help: "One of bash, zsh and fish.", choices: Shell.allCases.map(\.rawValue)),
      ArgumentSpec(
        name: "word", help: "For the shell: print what may take the place of the last word.",
        isRepeatable: true, isOptional: true),
    ])

  private let shell: Shell
  private let words: [String]

  init(arguments: ParsedArguments) throws(UsageError) {
    guard let shell = Shell(rawValue: arguments.path) else {
      throw arguments.misuse(
        "There are no completions for '\(arguments.path)', but for bash, zsh and fish.")
    }
    (self.shell, words) = (shell, Array(arguments.words.dropFirst()))
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let completions = Completions(tool: run.tool, kinds: run.registry.names)
    try run.print(
      words.isEmpty ? completions.script(shell) : completions.answer(to: words, for: shell))
    return .done
  }
}
