import Foundation
import LibC
import StatyHistory
import Testing

@testable import StatyCommand

/// What the tool makes for itself goes with it, also when a signal ends it.
@Suite struct LeftoverFileTests {
  private let place: Place
  private let scratch: String

  init() throws {
    place = try Place()
    scratch = place.path("scratch")
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: false)
  }

  /// The signals that this process does not ignore: a started process inherits ignored ones.
  private static let signals = [SIGTERM, SIGINT, SIGHUP].filter {
    var action = sigaction()
    sigaction($0, nil, &action)
    #if canImport(Darwin)
      return action.__sigaction_u.__sa_handler.map { unsafeBitCast($0, to: Int.self) } != 1
    #else
      return action.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) } != 1
    #endif
  }

  /// Runs the tool until a file with such a name is in its folder, ends it by a signal, and returns
  /// the signal that it ended by.
  private func end(
    _ arguments: [String], by signal: Int32, whenThereIs name: String, input: String = ""
  ) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Binary.path)
    process.arguments = arguments
    process.environment = ["TMPDIR": scratch]
    let given = Pipe()
    process.standardInput = given
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // Threads of tests have signals blocked, and a started process inherits that.
    var (ending, before) = (sigset_t(), sigset_t())
    sigemptyset(&ending)
    for signal in Self.signals { sigaddset(&ending, signal) }
    pthread_sigmask(SIG_UNBLOCK, &ending, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
    try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    let isThere = { () -> Bool in
      let files = FileManager.default.enumerator(atPath: scratch)?.compactMap { $0 as? String }
      return (files ?? []).contains { $0.lastComponent.hasPrefix(name) && $0.contains("/") }
    }
    for _ in 0..<6_000 where !isThere() && process.isRunning { usleep(10_000) }
    #expect(isThere())
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    return process.terminationStatus
  }

  @Test(arguments: signals) func `a copy of a history with a log goes`(signal: Int32) throws {
    try place.write(.clean)
    let writer = try HistoryWriter(path: place.path())
    _ = try writer.intern(name: "what is in the log")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: place.path() + suffix, toPath: place.path("copy.sqlite") + suffix)
    }
    try writer.close()
    let endless =
      "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT sum(n) FROM c"
    let arguments = ["query", place.path("copy.sqlite"), endless, "--timeout=5m"]
    #expect(try end(arguments, by: signal, whenThereIs: "history.sqlite-wal") == signal)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch) == [])
    // What it was made of is not the tool's.
    for name in ["history.sqlite", "copy.sqlite", "copy.sqlite-wal"] {
      #expect(FileManager.default.fileExists(atPath: place.path(name)), "\(name)")
    }
  }

  @Test(arguments: signals) func `what an output is written into until it is whole goes`(
    signal: Int32
  ) throws {
    try place.write(.clean)
    let folder = scratch + "/out"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let lines = try Binary(["export", "history.sqlite"], in: place.directory).out
    let some = lines.split(separator: "\n").prefix(4).map { $0 + "\n" }.joined()
    let endless =
      "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT sum(n) FROM c"
    for words in [
      ["import", "-", "-o", folder + "/q.sqlite"],
      ["query", place.path(), endless, "--timeout=5m", "-o", folder + "/q.txt"],
    ] {
      let name = words.last!.lastComponent + "."
      #expect(try end(words, by: signal, whenThereIs: name, input: some) == signal)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [], "\(words[0])")
    }
  }
}
