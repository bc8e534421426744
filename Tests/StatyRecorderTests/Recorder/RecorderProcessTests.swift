import Foundation
import StatyRecorder
import Testing

/// A recording process, and other processes that use the same files.
@Suite struct RecorderProcessTests {
  @Test func `a second recorder in another process is told which process records`() throws {
    let place = try Place()
    let probe = try Probe(["hold", place.path], of: "RecorderProbe")
    #expect(probe.line() == "ready")
    #expect(throws: RecorderError.alreadyRecording(path: place.path, pid: probe.pid)) {
      try HistoryRecorder(at: place.path)
    }
    let second = try Probe(["hold", place.path], of: "RecorderProbe")
    #expect(second.line().contains("is being recorded into by process \(probe.pid)"))
    try probe.tell("still recording")
    #expect(probe.line() == "marked")
    probe.end()
    try HistoryRecorder(at: place.path).close()
    #expect(try place.query("SELECT note FROM detail") == ["still recording"])
  }

  @Test
  func `while another process creates its ring, no error has an invalid process ID`()
    throws
  {
    let place = try Place()
    // The state after the file was created and before its header is written.
    let ring = open(place.path + "-ring", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(ring) }
    #expect(flock(ring, LOCK_EX | LOCK_NB) == 0)
    let error = try #require(
      #expect(throws: RecorderError.self) { try HistoryRecorder(at: place.path) })
    #expect(
      error.description
        == "\(place.path) is being recorded into by another process. One recorder serves a file; share it."
    )
  }

  @Test func `a process that is stopped while it waits for the writer still gets its answer`()
    throws
  {
    let place = try Place()
    let probe = try Probe(["hold", place.path], of: "RecorderProbe")
    #expect(probe.line() == "ready")
    try probe.tell("kept")
    #expect(probe.line() == "marked")
    while (try? place.query("SELECT count(*) FROM history")) != ["1"] { usleep(5_000) }
    try place.whileLocked {
      try probe.tell("waits")
      #expect(probe.line() == "marked")
      try probe.tell("flush")
      #expect(probe.line() == "flushing")
      usleep(50_000)
      kill(probe.pid, SIGSTOP)
      // Longer than its time limit.
      usleep(1_500_000)
    }
    kill(probe.pid, SIGCONT)
    #expect(probe.line() == "stored")
    probe.end()
  }

  @Test(.enabled(if: Shell.has("sqlite3"), "sqlite3 is not installed."))
  func `a refused second recorder does not release a lock of the first`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    try recorder.flush()
    #expect(throws: RecorderError.self) { try HistoryRecorder(at: place.path) }
    // The last reader to close removes the log if it sees no other open connection.
    #expect(Shell.output("sqlite3", [place.path, "select count(*) from history"]) == "0")
    recorder.mark("after it was read")
    try recorder.flush()
    #expect(Shell.output("sqlite3", [place.path, "select count(*) from history"]) == "1")
    recorder.close()
  }

  @Test func `of many processes that open the files of a killed one, one records`() throws {
    for _ in 0..<5 {
      let place = try Place()
      let killed = try Probe(["hold", place.path], of: "RecorderProbe")
      #expect(killed.line() == "ready")
      killed.kill()
      let others = try (0..<6).map { _ in try Probe(["hold", place.path], of: "RecorderProbe") }
      let answers = others.map { $0.line() }
      #expect(answers.filter { $0 == "ready" }.count == 1, "\(answers)")
      for other in others { other.end() }
    }
  }

  @Test(.enabled(if: Shell.has("sqlite3"), "sqlite3 is not installed."))
  func `sqlite3 shows events while the app keeps recording`() throws {
    let place = try Place()
    let probe = try Probe(["hold", place.path], of: "RecorderProbe")
    #expect(probe.line() == "ready")
    for round in 1...3 {
      try probe.tell("note \(round)")
      #expect(probe.line() == "marked")
      let began = Date()
      var seen = ""
      while seen != "\(round)", began.timeIntervalSinceNow > -20 {
        seen = Shell.output("sqlite3", [place.path, "select count(*) from history"])
      }
      #expect(seen == "\(round)")
      print("sqlite3 saw event \(round) after \(Int(began.timeIntervalSinceNow * -1_000)) ms")
      #expect(kill(probe.pid, 0) == 0)
    }
    let rows = Shell.output("sqlite3", [place.path, "select * from history"])
    #expect(rows.split(separator: "\n").count == 3)
    #expect(Shell.output("sqlite3", [place.path, "select ended from sessions"]) == "open")
    try probe.tell("after it was read")
    #expect(probe.line() == "marked")
    probe.end()
    #expect(try place.query("SELECT ended, events FROM sessions") == ["clean|4"])
  }

  #if os(Linux)
    @Test(arguments: [false, true])
    func `while the app is idle, no thread of the recorder runs`(isSuspended: Bool) throws {
      let place = try Place()
      let probe = try Probe(["hold", place.path], of: "RecorderProbe")
      #expect(probe.line() == "ready")
      if isSuspended {
        try probe.tell("suspend")
        #expect(probe.line() == "suspended")
      }
      try probe.tell("busy")
      #expect(probe.line() == "marked")
      // Longer than it takes to store the last event.
      var last = switches(of: probe.pid)
      var quiet = 0
      for _ in 0..<40 where quiet < 4 {
        Thread.sleep(forTimeInterval: 0.5)
        let now = switches(of: probe.pid)
        quiet = now == last ? quiet + 1 : 0
        last = now
      }
      #expect(quiet == 4, "\(last)")
      #expect(last.count >= 2, "the recorder's thread is among them")
      // It still works.
      try probe.tell("busy again")
      #expect(probe.line() == "marked")
      probe.end()
      #expect(try place.query("SELECT events FROM sessions") == ["2"])
    }

    /// For each thread of a process, how often it was scheduled.
    private func switches(of pid: Int32) -> [String: String] {
      let tasks = "/proc/\(pid)/task"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
      let counts = names.map { name in
        let text = (try? String(contentsOfFile: "\(tasks)/\(name)/status", encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n").filter { $0.contains("ctxt_switches") }
        return (name, lines.joined(separator: ", "))
      }
      return Dictionary(uniqueKeysWithValues: counts)
    }
  #endif
}

/// Programs that may be installed.
enum Shell {
  static func has(_ program: String) -> Bool {
    output("sh", ["-c", "command -v \(program)"]) != ""
  }

  static func output(_ program: String, _ arguments: [String]) -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return "" }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
