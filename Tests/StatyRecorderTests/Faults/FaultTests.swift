import Chance
import Foundation
import Testing

/// Whatever fails under a recorder, and whenever it does: nothing that was promised is gone, every
/// event is accounted for, and the file is whole.
///
/// Each run is a process of its own that counts SQLite's calls and lets one of them fail, or all from
/// there on. `STATY_FAULT_STRIDE=1` tries every call; by default some of them, others each time.
@Suite struct FaultTests {
  private static let stride =
    ProcessInfo.processInfo.environment["STATY_FAULT_STRIDE"].flatMap { Int($0) }
  private static let powerRuns =
    ProcessInfo.processInfo.environment["STATY_POWER_RUNS"].flatMap { Int($0) } ?? 1
  /// How many of the things that may be left of a moment are tried; `.ci/faults` tries four.
  private static let states = "1"

  @Test(arguments: ["empty", "killed", "v1.sqlite"], ["once", "for-good"])
  func `memory may run out at any call`(scene: String, manner: String) throws {
    try sweep("memory", scene, manner, by: 24_000)
  }

  @Test(
    arguments: ["empty", "killed", "v1.sqlite"], ["once", "for-a-while", "for-good"])
  func `the disk may fail at any call`(scene: String, manner: String) throws {
    try sweep("input", scene, manner, by: 150)
  }

  @Test(
    arguments: ["empty", "killed", "v1.sqlite"], ["once", "for-a-while", "for-good"])
  func `the disk may be full at any call`(scene: String, manner: String) throws {
    try sweep("full", scene, manner, by: 150)
  }

  @Test func `the power may go at any sync, whichever sectors have been written by then`() throws {
    let (problems, sum) = try run([
      "power", "\(testSeed)", "\(Self.powerRuns)", "honest", "empty", Self.states,
    ])
    #expect(problems == [], "\(sum)")
    #expect(number("states", in: sum) > 50 * Self.powerRuns, "\(sum)")
  }

  // Here the second session is to keep the file small, and removes all of the first.
  @Test func `what a later session has removed was not taken by the power`() throws {
    let (problems, sum) = try run(["power", "8", "1", "honest", "empty", Self.states], seed: 8)
    #expect(problems == [], "\(sum)")
    #expect(number("sessions removed", in: sum) > 0, "\(sum)")
  }

  @Test(arguments: ["killed", "v1.sqlite"])
  func `the power may go while what was there before is brought in`(scene: String) throws {
    let (problems, sum) = try run([
      "power", "\(testSeed)", "1", "honest", try place(of: scene), Self.states,
    ])
    #expect(problems == [], "\(sum)")
    #expect(number("states", in: sum) > 20, "\(sum)")
  }

  @Test(arguments: ["empty", "killed", "v1.sqlite"])
  func `what is promised after a sync has failed is there, whatever that sync has lost`(
    scene: String
  ) throws {
    let (problems, sum) = try run([
      "power", "\(testSeed)", "1", "fails", try place(of: scene), Self.states,
    ])
    #expect(problems == [], "\(sum)")
    #expect(number("states", in: sum) > 20, "\(sum)")
  }

  // The data is lost on such a disk, but the loss must be noticed.
  @Test func `a disk that lies once about a sync can take what was promised, and it is noticed`()
    throws
  {
    let (problems, sum) = try run(["power", "\(testSeed)", "3", "lies", "empty", Self.states])
    #expect(
      problems.allSatisfy { $0.contains(": lost: ") || $0.hasSuffix(" was put aside") }, "\(sum)")
  }

  // Else the first test about power would prove nothing.
  @Test func `on a disk that never syncs the power takes what was promised, and it is noticed`()
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

  /// A scene's name, or where its history is.
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
    let sum = try #require(lines.last, "it ended without a word: \(arguments)")
    let kind = arguments.first == "sweep" ? arguments[1] : arguments[0]
    // Of a disk that does not do as it says, problems are what is looked for.
    if Set(arguments).isDisjoint(with: ["never", "lies"]) {
      figure("\(kind) of seed \(seed): \(sum)")
    }
    return (lines.dropLast(), sum)
  }

  /// The number before a word of the sum.
  private func number(_ word: String, in sum: String) -> Int {
    sum.split(separator: ", ").first { $0.hasSuffix(" " + word) }
      .flatMap { Int($0.dropLast(word.count + 1)) } ?? -1
  }
}
