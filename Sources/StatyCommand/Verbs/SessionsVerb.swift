/// `staty sessions`: lists the sessions, one row each.
struct SessionsVerb: Verb {
  static let spec = VerbSpec(
    name: "sessions", abstract: "List the sessions in histories.",
    discussion: """
      A session is one launch of a process that recorded. It ended 'clean' if the recorder was closed or the process exited by itself, \
      'suspended' if the system killed the app in the background, or 'killed' if the app crashed or \
      was killed otherwise. It can also be 'continued' in the next session, or still 'open'. Events \
      are not read: 'doctor' and 'check' say whether they are as they were stored.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)],
    options: [
      .valued("session", "n", "Only the session with this number."),
      .valued("limit", "n", "No more sessions of a file than these; 0 for all, as if not given."),
    ] + .rows)

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    try ViewReport(arguments, arguments.words).print(
      .sessions, run, whenEmpty: "There is no session.")
  }
}
