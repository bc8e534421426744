import Chance
import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatySQLite
import Testing

/// What was recorded from our own controllers happens again.
@Suite struct VerificationTests {
  static let policies: [(String, any TransitionPolicy)] = [
    ("queue", .queue), ("latest", .latest), ("immediate", .immediate), ("reject", .reject),
    ("priority", .priority), ("coalesce", .coalesce),
  ]

  /// How many recordings of each sort a sweep was asked for: `STATY_REPLAYS`.
  static let asked = ProcessInfo.processInfo.environment["STATY_REPLAYS"].flatMap { Int($0) }
  /// How many histories of each policy.
  static let runs = asked ?? 60

  @Test(arguments: 0..<6)
  func `random histories of every policy are reproduced, pair by pair`(_ place: Int) throws {
    let (name, policy) = Self.policies[place]
    let seed = testSeed
    let history = try RecordedHistory()
    let recorder = try HistoryRecorder(at: history.path)
    for run in 0..<Self.runs {
      let other = Self.policies[run % 6].1
      _ = RandomScene(
        seed: seed &+ UInt64(run), policies: [policy, other], recorder: recorder, name: "\(run)")
      // So many are played faster than they are stored.
      if run % 25 == 24 { try recorder.flush() }
    }
    recorder.close()
    #expect(recorder.statistics.lost == 0)
    let result = try history.verify()
    let told = "\(name), seed \(seed): \(result.divergences.first.map { "\($0)" } ?? "")"
    #expect(result.verdict == .reproduced, "\(told) \(result.doubts)")
    #expect(result.unreached == [])
    #expect(result.matched > 1_000)
    #expect(result.told > 1_000)
  }

  @Test func `an output that is not there diverges, with what should have come`() throws {
    let history = try RecordedHistory()
    try history.record()
    let seq = try history.number(of: "exiting", visit: 1)
    try history.change("DELETE FROM event WHERE seq = \(seq)")
    let result = try history.verify()
    #expect(result.verdict == .diverged)
    #expect(result.divergences.count == 1)
    #expect(result.unreached.first == Int64(seq)! + 1)
  }

  @Test func `an output for another visit diverges where it stands`() throws {
    let history = try RecordedHistory()
    try history.record()
    let seq = try history.number(of: "entering", visit: 2)
    try history.change("UPDATE event SET visit = 3 WHERE seq = \(seq)")
    let result = try history.verify()
    #expect(result.verdict == .diverged)
    #expect(result.divergences.first?.seq == Int64(seq))
    guard let first = result.divergences.first?.difference, first.kind == .different,
      let recorded = first.recorded, let replayed = first.replayed
    else {
      Issue.record("\(result.divergences)")
      return
    }
    #expect(recorded.visit == VisitNumber(3))
    #expect(replayed.visit == VisitNumber(2))
  }

  @Test(arguments: [true, false])
  func `a decision that the recording ends without diverges, also where only a controller's ends`(
    _ isDetached: Bool
  ) throws {
    let history = try RecordedHistory()
    try history.record(isDetached: isDetached)
    let seq = try history.number(of: "entering", visit: 3)
    try history.change(
      "DELETE FROM event WHERE seq >= \(seq) AND seq NOT IN (SELECT seq FROM history WHERE kind = 'detached')"
    )
    let result = try history.verify()
    #expect(result.verdict == .diverged)
    #expect(result.divergences.map(\.difference.kind) == [.extra])
    #expect(result.divergences.first?.difference.replayed?.visit == VisitNumber(3))
  }

  @Test func `a recording with a gap says nothing of what comes after it`() throws {
    let history = try RecordedHistory()
    try history.record()
    let seq = Int(try history.number(of: "exiting", visit: 1))!
    try history.change("DELETE FROM event WHERE seq = \(seq)")
    try history.change("INSERT INTO loss VALUES (\(seq), \(seq), 1, 'overload')")
    let result = try history.verify()
    #expect(result.verdict == .inconclusive)
    #expect(result.doubts == [.gap(controller: 1, seq: Int64(seq))])
  }
}

/// A history in a directory of its own.
final class RecordedHistory {
  private let directory = NSTemporaryDirectory() + "staty-replay-" + UUID().uuidString
  let path: String

  init() throws {
    path = directory + "/history.sqlite"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// A recorder of a few thousand events at the most.
  ///
  /// With less room than an app's has: to write that out takes longer than all that is recorded here.
  func recorder() throws -> HistoryRecorder {
    var options = RecorderOptions()
    options.eventsPerThread = 4_096
    return try HistoryRecorder(at: path, options: options)
  }

  /// Three states, one after the other.
  func record(isDetached: Bool = false) throws {
    let recorder = try recorder()
    let screen = RandomScene.Screen()
    let controller = StateController<RandomScene.Screen>()
    recorder.attach(to: controller, as: "checkout")
    controller.bind(to: screen)
    for name in ["loading", "content", "alert"] as [StateName] {
      controller.transition(to: AtOnce(name))
    }
    if isDetached { recorder.detach(from: controller) }
    recorder.close()
  }

  func verify(
    _ registry: ControllerRegistry = ControllerRegistry(), only: Set<Int32>? = nil,
    with replacement: Replacement = .none
  ) throws -> ReplayResult {
    let reader = try HistoryReader(path: path)
    let verification = try Verification(
      reader, session: 1, only: only, registry: registry, with: replacement)
    return try verification.run()
  }

  func number(of kind: String, visit: Int?) throws -> String {
    let connection = try Connection(path: path, mode: .readOnly)
    defer { try? connection.close() }
    let rows = try connection.prepare(
      "SELECT seq FROM history WHERE kind = '\(kind)' AND visit IS \(visit.map { "\($0)" } ?? "NULL")"
    )
    return try rows.step() ? "\(rows.int64(at: 0))" : "-1"
  }

  /// The first column of the rows that a query finds.
  func rows(_ sql: String) throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnly)
    defer { try? connection.close() }
    let rows = try connection.prepare(sql)
    var texts: [String] = []
    while try rows.step() { texts.append(try rows.string(at: 0) ?? "NULL") }
    return texts
  }

  func change(_ sql: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    defer { try? connection.close() }
    try connection.prepare(sql).run()
  }
}

/// In and out as soon as it is told.
private final class AtOnce: ScreenState {
  let name: StateName
  init(_ name: StateName) { self.name = name }
  func enter(on target: RandomScene.Screen, visit: Visit) { visit.entered() }
  func exit(from target: RandomScene.Screen, visit: Visit) { visit.exited() }
}
