import Chance
import Staty
import StatyHistory
import StatyReading
import StatyRules
import StatySQLite
import StatySpecimens
import Testing

/// The writer stores the same findings as a check of the whole file.
@Suite struct FindingsTests {
  @Test(arguments: SpecimenScenario.all.map(\.name))
  func `the view violations of a scenario has the same rows as a check`(
    _ name: String
  ) throws {
    let scenario = try #require(SpecimenScenario.all.first { $0.name == name })
    let history = try SpecimenHistory(scenario)
    let rows = try history.stored()
    #expect(rows == (try history.checked()))
    #expect(rows.isEmpty == (scenario.code == nil))
  }

  @Test(arguments: 0..<4)
  func `the view violations has the same rows as a check of random recordings`(_ place: Int) throws
  {
    var rows = 0
    for run in 0..<max(4, RandomSpecimenTests.runs / 50) {
      let seed = testSeed &+ UInt64(run)
      let history = try SpecimenHistory(seed: seed, runs: 5) { other in
        [Specimens.all[place], Specimens.all[(run + other) % 4]]
      }
      let stored = try history.stored()
      #expect(stored == (try history.checked()), "\(Specimens.all[place].name), seed \(seed)")
      rows += stored.count
    }
    #expect(rows > 0, "seed \(testSeed)")
  }
}

extension SpecimenHistory {
  /// The rows of the view `violations`.
  fileprivate func stored() throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnly)
    defer { try? connection.close() }
    let view = try connection.prepare(
      """
      SELECT session || '|' || code || '|' || severity || '|' || coalesce(controller, '') || '|' ||
        coalesce(visit, '') || '|' || coalesce(state, '') || '|' || seq || '|' || detail
      FROM violations
      """)
    var rows: [String] = []
    while try view.step() { rows.append(try view.string(at: 0) ?? "") }
    return rows.sorted()
  }

  /// The same rows, from a check.
  fileprivate func checked() throws -> [String] {
    let reader = try HistoryReader(path: path)
    let names = try reader.names()
    return try HistoryCheck(reader).file().flatMap { result in
      let controllers = try reader.controllers(session: result.session)
      return result.findings.map { finding in
        [
          "\(finding.session)", finding.code.rawValue, finding.severity.rawValue,
          controllers.first { $0.id == finding.controller }?.name ?? "",
          finding.visit == 0 ? "" : "\(finding.visit)", names[finding.state] ?? "",
          "\(finding.seq)", finding.detail { names[$0] },
        ].joined(separator: "|")
      }
    }.sorted()
  }
}
