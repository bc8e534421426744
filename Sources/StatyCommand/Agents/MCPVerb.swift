import LibC

/// `staty mcp`: lets agents ask about recordings.
struct MCPVerb: Verb {
  static let spec = VerbSpec(
    name: "mcp", abstract: "Let an agent ask about recordings.",
    discussion: """
      A server of the Model Context Protocol on standard input and output, with the tools \
      \(AgentTool.all.map { "'\($0.name)'" }.joined(separator: ", ")). It reads files below one folder, \
      writes nothing there, and ends with its input.

      The configuration of a client: '{"mcpServers": {"staty": {"command": "staty", "args": ["mcp", \
      "/path/to/recordings"]}}}'.
      """,
    arguments: [
      ArgumentSpec(
        name: "folder", help: "The folder with the recordings. Default: the current one.",
        isOptional: true)
    ])

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    // Before the current folder changes: a relative path would lead elsewhere then.
    var run = run
    run.executable = run.executable?.resolvedPath
    let folder = try AgentFolder(arguments.words.first ?? ".")
    if run.console.hasKeyboard {
      run.note("Waiting for the requests of an agent's client; Ctrl-D ends.")
    }
    let input = try InputText("-")
    // A controller that reads must not take the requests.
    let none = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if none >= 0 { dup2(none, 0) }
    try AgentServer(folder, run).serve(input)
    return .done
  }
}
