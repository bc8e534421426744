import StatyHistory
import StatyReport
import StatyRules

/// Holds all histories below a folder against the rules, one after the other, and adds up what is
/// wrong in them.
struct FleetReport {
  let folder: String
  let output: OutputChoice

  func run(_ run: ToolRun) throws -> ExitCode {
    let found = try HistoryFolder(folder, doing: "Reporting on")
    let delivery = try Delivery(output, run.console)
    let base = RelativePath.base(from: output.path, to: folder)
    var summary = FleetSummary()
    for unread in found.unread {
      summary.add(FleetSummary.Damage(file: unread.path, problem: unread.problem))
    }
    for file in found.files {
      do {
        try take(file, base, run, &summary)
        summary.addFile()
      } catch let failure as Failure {
        // One of a million devices always has a bad disk.
        summary.add(FleetSummary.Damage(file: file, problem: failure.message))
      }
    }
    let name = folder.components.last ?? folder
    let page = FleetPage(
      summary, folder: name, made: "Made by \(run.tool) \(StatyTool.version).")
    try delivery.write(page.text)
    try delivery.finish()
    run.note(
      "\(Decimal.count(summary.sessions, "session")) in \(Decimal.count(summary.files, "file")), "
        + "\(Decimal.grouped(Int64(summary.broken))) with errors"
        + (summary.damageCount == 0
          ? "." : "; \(Decimal.grouped(Int64(summary.damageCount))) could not be read."))
    return .done
  }

  private func take(
    _ file: String, _ base: String, _ run: ToolRun, _ summary: inout FleetSummary
  ) throws {
    let history = try OpenHistory("\(folder)/\(file)")
    try history.doing("Reporting on") { reader in
      for session in try reader.sessions() {
        do {
          try history.verify(session)
          summary.add(try judged(session, file, base, reader))
        } catch let failure as Failure where failure.status == .badData {
          summary.add(FleetSummary.Damage(file: file, problem: failure.message))
        }
      }
    }
    try history.letGo()
  }

  private func judged(
    _ session: SessionRecord, _ file: String, _ base: String, _ reader: HistoryReader
  ) throws -> FleetSummary.Session {
    let result = try HistoryCheck(reader).session(session.id)
    let names = Dictionary(
      try reader.controllers(session: session.id).map { ($0.id, $0.name) }
    ) { $1 }
    return FleetSummary.Session(
      file: file, link: base + file, id: session.id, app: session.app,
      version: session.appVersion, os: session.os, started: Decimal.date(session.wallTime),
      events: session.stored, lost: result.losses.reduce(0) { $0 &+ $1.count },
      findings: result.findings.map {
        FleetSummary.Finding(
          code: $0.code.rawValue, isError: $0.severity == .error,
          controller: names[$0.controller] ?? "")
      })
  }
}
