import Chance
import Foundation
import Testing

/// When memory, the disk or the power fails at any moment, no promised event is lost, every event is accounted
/// for, and the file is not damaged.
///
/// Each run is a process that counts SQLite's calls and makes one of them fail, or all from then on.
/// `STATY_FAULT_STRIDE=1` tries every call; by default it tries some, which differ from run to run.
@Suite struct FaultTests {
  private static let stride =
    ProcessInfo.processInfo.environment["STATY_FAULT_STRIDE"].flatMap { Int($0) }
  private static let powerRuns =
    ProcessInfo.processInfo.environment["STATY_POWER_RUNS"].flatMap { Int($0) } ?? 1
  /// The number of possible disk contents to try for each moment; `.ci/faults` tries four.
  private static let states = "1"

  @Test(arguments: ["empty", "killed", "v1.sqlite"], ["once", "for-good"])
  func `memory can run out at any call`(scene: String, manner: String) throws {
    try sweep("memory", scene, manner, by: 24_000)
  }

  @Test(
    arguments: ["empty", "killed", "v1.sqlite"], ["once", "for-a-while", "for-good"])
  func `the disk can fail at any call`(scene: String, manner: String) throws {
    try sweep("input", scene, manner, by: 150)
  }

  @Test(
    arguments: ["empty", "killed", "v1.sqlite"], ["once", "for-a-while", "for-good"])
  func `the disk can be full at any call`(scene: String, manner: String) throws {
    try sweep("full", scene, manner, by: 150)
  }

  @Test func `power can fail at any sync, whichever sectors are written by then`() throws {
    let (problems, sum) = try run([
      "power", "\(testSeed)", "\(Self.powerRuns)", "honest", "empty", Self.states,
    ])
    #expect(problems == [], "\(sum)")
    #expect(number("states", in: sum) > 50 * Self.powerRuns, "\(sum)")
  }

  // The second session has a low limit, and deletes all of the first.
  @Test func `events that a later session deleted do not count as lost`() throws {
    let (problems, sum) = try run(["power", "8", "1", "honest", "empty", Self.states], seed: 8)
    #expect(problems == [], "\(sum)")
    #expect(number("sessions removed", in: sum) > 0, "\(sum)")
  }

  @Test(arguments: ["killed", "v1.sqlite"])
  func `power can fail during recovery`(scene: String) throws {
    let (problems, sum) = try run([
      "power", "\(testSeed)", "1", "honest", try place(of: scene), Self.states,
    ])
    #expect(problems == [], "\(sum)")
    #expect(number("states", in: sum) > 10, "\(sum)")
  }

  @Test(arguments: ["empty", "killed", "v1.sqlite"])
  func `events that are promised after a failed sync are there, whatever that sync has lost`(
    scene: String
  ) throws {
    // Where the first sync fails, nothing more is recorded: one run may say little.
    let (problems, sum) = try run([
      "power", "\(testSeed)", "5", "fails", try place(of: scene), Self.states,
    ])
    #expect(problems == [], "\(sum)")
    #expect(number("states", in: sum) > 10, "\(sum)")
  }

  // Such a disk may lose what was promised, leave pages of two times, or a file whose first bytes are damaged:
  // each of these has to be noticed, as in the sweep.
  @Test func `if a disk ignores one sync, the loss of promised events is noticed`()
    throws
  {
    let (problems, sum) = try run(["power", "\(testSeed)", "3", "lies", "empty", Self.states])
    let noticed = [": lost: ", ": corrupt: ", " is no history of Staty's"]
    #expect(number("states", in: sum) > 10, "\(sum)")
    #expect(problems.allSatisfy { problem in noticed.contains { problem.contains($0) } }, "\(sum)")
  }

  // Without this, the first test about power would prove nothing.
  @Test func `if a disk ignores all syncs, the loss of promised events is noticed`()
    throws
  {
    let (problems, sum) = try run(["power", "1", "1", "never", "empty", Self.states], seed: 1)
    #expect(problems.contains { $0.contains(": lost: ") }, "\(sum)")
  }

  private func sweep(_ kind: String, _ scene: String, _ manner: String, by step: Int) throws {
    let step = Self.stride ?? step
    let first = 1 + Int(testSeed % UInt64(step))
    let (problems, sum) = try run([
      "sweep", kind, try place(of: scene), "\(testSeed)", manner, "\(first)", "\(Int.max)",
      "\(step)",
    ])
    #expect(problems == [], "\(sum)")
    #expect(number("runs", in: sum) > 0, "\(sum)")
    #expect(number("failed calls", in: sum) >= number("runs", in: sum), "\(sum)")
  }

  /// A scene's name, or the path of its history.
  private func place(of scene: String) throws -> String {
    guard scene.hasSuffix(".sqlite") else { return scene }
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path = tests.appendingPathComponent("StatyHistoryTests/Golden/\(scene)").path
    try #require(FileManager.default.fileExists(atPath: path))
    return path
  }

  private func run(
    _ arguments: [String], seed: UInt64 = testSeed
  ) throws -> (problems: ArraySlice<String>, sum: String) {
    let lines = try Probe(arguments, of: "FaultProbe").lines()
    let sum = try #require(lines.last, "the probe printed nothing: \(arguments)")
    let kind = arguments.first == "sweep" ? arguments[1] : arguments[0]
    // On a disk that ignores syncs, problems are expected.
    if Set(arguments).isDisjoint(with: ["never", "lies"]) {
      figure("\(kind) of seed \(seed): \(sum)")
    }
    return (lines.dropLast(), sum)
  }

  /// The number before a word in the last line.
  private func number(_ word: String, in sum: String) -> Int {
    sum.split(separator: ", ").first { $0.hasSuffix(" " + word) }
      .flatMap { Int($0.dropLast(word.count + 1)) } ?? -1
  }
}
