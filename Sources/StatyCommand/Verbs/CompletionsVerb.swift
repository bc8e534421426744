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
        name: "shell", help: "One of bash, zsh and fish.", choices: Shell.allCases.map(\.rawValue))
    ])

  private let shell: Shell

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let shell = Shell(rawValue: arguments.arguments[0]) else {
      throw arguments.misuse(
        "There are no completions for '\(arguments.arguments[0])', but for bash, zsh and fish.")
    }
    self.shell = shell
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    try run.print(
      Completions(tool: run.tool, verbs: VerbTable.specs, kinds: run.registry.names)
        .script(shell))
    return .done
  }
}
