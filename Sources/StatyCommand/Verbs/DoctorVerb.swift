import StatyReplay

/// `staty doctor`: what a file is, whether it is whole, and what a copy would lack.
struct DoctorVerb: Verb {
  static let spec = VerbSpec(
    name: "doctor", abstract: "Examine a history file, and say what would be lost.",
    discussion: """
      Says what the file is, whether it is whole, who records into it, and what lies beside it and \
      would be missing in a copy. Nothing is changed. Exits with 65 if it is no history, newer than \
      this tool, or damaged, and with 2 if its log breaks off and something may be missing. Without a \
      file it tells about the tool itself.

      With '--salvage' it gets out of a damaged file what checksums say is as it was stored, and \
      writes it into a new history, in which what is missing is recorded as lost. Events whose \
      checksum does not match are left out. Exits with 2 if something is missing, and with 65 if \
      nothing is left.
      """,
    arguments: [
      ArgumentSpec(name: "file", help: "A history.", isRepeatable: true, isOptional: true)
    ],
    options: [
      .flag("json", "Print a list of JSON, or of the tool an object."),
      .valued("salvage", "history", "Write what is left of a damaged file into a new history."),
    ] + OptionSpec.output)

  private let paths: [String]
  private let isJSON: Bool
  private let output: OutputChoice
  private let salvage: OutputChoice?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.arguments
    isJSON = arguments.has("json")
    output = OutputChoice(arguments)
    salvage = arguments.text("salvage").map { OutputChoice(path: $0, of: arguments) }
    if salvage != nil, paths.count != 1 {
      throw arguments.misuse("'--salvage' takes one damaged file at a time.")
    }
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let delivery = try Delivery(output, run.console)
    let width = min(run.console.width, 100)
    if let salvage {
      try output.check(apartFrom: salvage)
      let found = try SalvageRun(paths[0], into: salvage)
      try delivery.write(
        isJSON ? found.json.pretty : found.text(width: width, style: run.style))
      try delivery.finish()
      run.noteWaiting(beside: found.real)
      return found.status
    }
    guard !paths.isEmpty else {
      let report = try ToolReport(kinds: run.registry.names)
      try delivery.write(
        isJSON ? report.json.pretty : report.text(width: width, tool: run.tool, style: run.style))
      try delivery.finish()
      return .done
    }
    var statuses: [ExitCode] = []
    var objects: [JSONValue] = []
    for path in paths {
      do {
        let found = try Examination(path)
        let report = ExaminationReport(found: found)
        statuses.append(found.status)
        objects.append(report.json)
        if !isJSON { try delivery.write(report.text(width: width, style: run.style)) }
      } catch let failure as Failure {
        run.report(failure)
        statuses.append(failure.status)
      }
    }
    if isJSON { try delivery.write(JSONValue.list(objects).pretty) }
    try delivery.finish()
    return .worst(of: statuses)
  }
}
