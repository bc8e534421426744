import Foundation
import StatisticsOracle
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatyRules
import StatySQLite
import StatySpecimens

/// A history in a directory of its own.
///
/// The directory is removed at the end of the test.
final class SpecimenHistory {
  private let directory = NSTemporaryDirectory() + "staty-specimens-" + UUID().uuidString
  let path: String

  init() throws {
    path = directory + "/history.sqlite"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// A recorder with a smaller buffer than an app's.
  ///
  /// Writing out a full-size one takes longer than these recordings.
  func recorder() throws -> HistoryRecorder {
    var options = RecorderOptions()
    options.eventsPerThread = 8_192
    return try HistoryRecorder(at: path, options: options)
  }

  /// Records a scenario as a session.
  convenience init(_ scenario: SpecimenScenario) throws {
    try self.init()
    let run = scenario.begin()
    let recorder = try recorder()
    recorder.attach(to: run.controller.probe, as: scenario.name)
    run.play()
    recorder.close()
  }

  func replay(
    with replacement: Replacement = .none, only: Set<Int32>? = nil,
    registry: ControllerRegistry = .withSpecimens
  ) throws -> ReplayResult {
    let reader = try HistoryReader(path: path)
    let verification = try Verification(
      reader, session: 1, only: only, registry: registry, with: replacement)
    return try verification.run()
  }

  func findings() throws -> [Finding] {
    try HistoryCheck(HistoryReader(path: path)).session(1).findings
  }

  /// Runs SQL that no recorder would run, and seals the result.
  func tamper(_ statements: [String]) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    for statement in statements { try connection.execute(statement) }
    try connection.close()
    let writer = try HistoryWriter(path: path)
    try writer.reseal(session: 1)
    try writer.close()
  }

  /// Makes a copy that a test can tamper with.
  func copy() throws -> SpecimenHistory {
    let copy = try SpecimenHistory()
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("VACUUM INTO '\(copy.path)'")
    try connection.close()
    return copy
  }

  /// The session's events, one on each line.
  func words() throws -> String {
    let names = try HistoryReader(path: path).names()
    let events = try HistoryReader(path: path).events(session: 1)
    var lines: [String] = []
    while let row = try events.next() {
      let kind = EventKind(rawValue: row.kind)?.text ?? "?"
      lines.append(
        "\(row.seq) c\(row.controller) \(kind) #\(row.visit) \(names[row.state] ?? "") "
          + "\(row.isHeard ? "heard " : "")in \(row.cause) r\(row.reason)")
    }
    return lines.joined(separator: "\n")
  }
}
