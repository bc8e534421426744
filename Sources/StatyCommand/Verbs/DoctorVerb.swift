/// `staty doctor`: what a file is, whether it is whole, and what a copy would lack.
struct DoctorVerb: Verb {
  static let spec = VerbSpec(
    name: "doctor", abstract: "Examine a history file, and say what would be lost.",
    discussion: """
      Says what the file is, whether it is whole, which process records into it, and what lies next to it and \
      would be missing in a copy. Nothing is changed. Exits with 65 if it is no history, newer than \
      this tool, or damaged, and with 2 if its log breaks off and something may be missing.

      With '--salvage' it gets out of a damaged file what checksums say is as it was stored, and \
      writes it into a new history, in which what is missing is recorded as lost. Events whose \
      checksum does not match are left out. Exits with 2 if something is missing, and with 65 if \
      nothing is left.
      """,
    arguments: [
      ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)
    ],
    options: [
      .flag("json", "Print a list of JSON."),
      .valued("salvage", "history", "Write what is left of a damaged file into a new history."),
    ] + OptionSpec.output)

  let arguments: ParsedArguments

  init(arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    if arguments.has("salvage"), arguments.words.count != 1 {
      throw arguments.misuse("'--salvage' takes one damaged file at a time.")
    }
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let delivery = try Delivery(arguments.output, run.console)
    let width = min(run.console.width, 100)
    let isJSON = arguments.has("json")
    if let path = arguments.text("salvage") {
      let salvage = OutputChoice(path: path, of: arguments)
      try arguments.output.check(apartFrom: salvage)
      let found = try SalvageRun(arguments.path, into: salvage)
      try delivery.write(
        isJSON ? found.json.pretty : found.text(width: width, style: run.style))
      try delivery.finish()
      run.noteWaiting(beside: found.real)
      return found.status
    }
    var statuses: [ExitCode] = []
    var objects: [JSONValue] = []
    for path in arguments.words {
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
