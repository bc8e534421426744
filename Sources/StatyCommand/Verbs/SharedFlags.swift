extension [OptionSpec] {
  /// The options of verbs that print rows.
  static let rows: [OptionSpec] =
    [
      .valued(
        "format", "form", choices: RowFormat.allCases.map(\.rawValue),
        "How to print rows: table, json, ndjson, csv or markdown."),
      .flag("json", "Short for --format json.").excluding("format"),
    ] + OptionSpec.output
}

extension ParsedArguments {
  /// The format of rows; none if the option is not given.
  var rowFormat: RowFormat? { has("json") ? .json : choice("format") }
}

extension ToolRun {
  /// Reports that these columns of a table are not shown.
  func noteLeftOut(_ leftOut: [String]) {
    if leftOut.isEmpty { return }
    note("Note: no room for \(leftOut.joined(separator: ", ")); '--format json' has all.")
  }

  /// Does something with each file; reports a file that cannot be read, and continues with the
  /// rest.
  func overFiles(
    _ paths: [String], _ body: (OpenHistory) throws -> ExitCode,
    onFailure: (Failure, String) -> Void = { _, _ in }
  ) throws -> [ExitCode] {
    var statuses: [ExitCode] = []
    for path in paths {
      do {
        let history = try OpenHistory(path, progress: progress)
        statuses.append(try body(history))
        history.noteWaiting(self)
      } catch let failure as Failure {
        report(failure)
        onFailure(failure, path)
        statuses.append(failure.status)
      }
    }
    return statuses
  }
}
