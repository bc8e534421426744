import StatyReplay

/// One verb of the tool: flags in, exit status out.
///
/// The work itself is in other types; a verb reads its flags and prints the results.
protocol Verb: Sendable {
  /// Its description for the parser, the help and the completions.
  static var spec: VerbSpec { get }

  /// Whether it judges something, and does so to the end though no program reads the output any more.
  static var isJudge: Bool { get }

  /// Takes its flags, each of which is as its description wants it; refuses what does not fit
  /// together, without reading or writing files yet.
  init(arguments: ParsedArguments) throws(UsageError)

  /// Runs the verb.
  func run(_ run: ToolRun) throws -> ExitCode
}

extension Verb {
  static var isJudge: Bool { false }
}

/// The environment of a running verb.
struct ToolRun {
  /// Where it reads and writes.
  let console: Console
  /// Whether only findings and errors are reported.
  let isQuiet: Bool
  /// The colors of data, if any.
  let style: Style
  /// The name of the tool.
  let tool: String
  /// Makes controllers.
  let registry: ControllerRegistry
  /// The file of this program, for starting it again; none if it is not known.
  var executable: String?
  /// Where progress is shown.
  let progress: ProgressLine

  /// Writes data.
  func print(_ text: String) throws(SinkError) {
    try console.out.write(text)
  }

  /// Writes a note, unless notes are switched off, in lines that fit, with foreign text made
  /// visible.
  ///
  /// Line ends count as the note's own: make text that may contain one visible before.
  func note(_ text: String) {
    if isQuiet { return }
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).visible }
    // A text of several lines is broken already.
    let fitting =
      lines.count == 1 ? TextWrap.fitting(lines[0], width: console.noteWidth) : lines
    tell(fitting.joined(separator: "\n"))
  }

  /// Reports a failure; the work continues with the rest.
  func report(_ failure: Failure) {
    for line in failure.lines(width: console.noteWidth) { tell(line) }
  }

  /// Ignores a closed error output; the data is still wanted.
  private func tell(_ text: String) {
    // On a common terminal, earlier output comes first.
    try? console.out.flush()
    try? console.err.write(text + "\n")
    try? console.err.flush()
  }
}
