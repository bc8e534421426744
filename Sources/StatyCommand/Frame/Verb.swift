/// One verb of the tool: flags in, exit status out.
///
/// The work itself is in types of its own; a verb reads its flags and prints what comes of it.
protocol Verb: Sendable {
  /// What the parser, the help and the completions know of it.
  static var spec: VerbSpec { get }

  /// Understands its flags; nothing is read or written yet.
  init(_ arguments: ParsedArguments) throws(UsageError)

  /// Does it.
  func run(_ run: ToolRun) throws -> ExitCode
}

/// What a verb has at hand while it runs.
struct ToolRun {
  /// Whom it talks to.
  let console: Console
  /// Whether it is to be told only what was found, and errors.
  let isQuiet: Bool
  /// Whether and how to color data.
  let style: Style
  /// What the tool is called.
  let tool: String
  /// What replays.
  let engine: ReplayEngine
  /// The file of this very program, for those who start it again; none if it is not known.
  let executable: String?
  /// Where progress is shown.
  let progress: ProgressLine

  /// Writes data.
  func print(_ text: String) throws(SinkError) {
    try console.out.write(text)
  }

  /// Writes a note beside the data, unless nobody wants any, in lines that fit; what is not ours in it
  /// is visible.
  ///
  /// A line end is taken for the note's own: who puts in what may have one makes it visible before.
  func note(_ text: String) {
    if isQuiet { return }
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).visible }
    // What is in several lines was broken by who knows where.
    let fitting =
      lines.count == 1 ? TextWrap.fitting(lines[0], width: console.noteWidth) : lines
    tell(fitting.joined(separator: "\n"))
  }

  /// Tells of a failure and goes on with the rest.
  func report(_ failure: Failure) {
    for line in failure.lines(width: console.noteWidth) { tell(line) }
  }

  /// Whoever closed the place for words has lost them; the data is still wanted.
  private func tell(_ text: String) {
    // What was printed before comes before, where both go to one terminal.
    try? console.out.flush()
    try? console.err.write(text + "\n")
    try? console.err.flush()
  }
}
