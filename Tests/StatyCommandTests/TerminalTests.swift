import Foundation
import Staty
import StatyCommand
import StatyRecorder
import Testing

/// The tool among other programs.
@Suite struct TerminalTests {
  private let place: Place

  init() throws { place = try Place() }

  /// Runs a line of shell in which `$staty` is the tool.
  private func shell(_ line: String) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "set -o pipefail; staty='\(Binary.path)'; " + line]
    process.currentDirectoryURL = URL(fileURLWithPath: place.directory)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = String(
      decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test func `a pipe that is closed is no failure, and what was judged counts`() throws {
    var story = Story("mine")
    for visit in UInt32(1)...2_000 {
      story.add(.enqueued, visit)
      story.add(.exiting, visit)
    }
    try place.write(story)
    let run = try shell("\"$staty\" check --limit 0 history.sqlite | head -1")
    #expect(run.status == 1)
    #expect(run.text.split(separator: "\n").count == 1)
    let picture = try shell("\"$staty\" timeline -q --limit 0 history.sqlite | head -1")
    #expect(picture.status == 0)
    #expect(picture.text.hasPrefix("Session 1, ") && picture.text.split(separator: "\n").count == 1)
    #expect(try shell("\"$staty\" --help >&-").status == 73)
  }

  #if os(Linux)
    @Test func `a full disk is not a success`() throws {
      try place.write(.clean)
      let run = try shell("\"$staty\" sessions history.sqlite > /dev/full")
      #expect(run.status == 73)
      #expect(
        run.text == """
          Error: The output cannot be written: No space left on device.
            Make space, or write elsewhere with '-o'.

          """)
      #expect(try shell("\"$staty\" sessions history.sqlite -o /dev/full --force").status == 73)
      // Also where something is told after the data, which hands on what was kept of it.
      #expect(try shell("\"$staty\" demo -q -o demo").status == 0)
      #expect(try shell("\"$staty\" test demo/second-last.sqlite > /dev/full").status == 73)
    }
  #endif

  @Test func `colors come when they are wanted, and data alone goes to the output`() throws {
    try place.write(.overlapping("mine"))
    let plain = try Binary(["check", "history.sqlite"], in: place.directory)
    #expect(!plain.out.contains("\u{1b}"))
    let colored = try Binary(["check", "--color=always", "history.sqlite"], in: place.directory)
    #expect(colored.out.contains("\u{1b}[1;31merror[overlap]\u{1b}[0m"))
    #expect(colored.err == plain.err)
    let never = try Binary(
      ["check", "--color", "never", "history.sqlite"], in: place.directory,
      environment: ["NO_COLOR": ""])
    #expect(never.out == plain.out)
  }

  @Test func `a history is read while it is being recorded`() throws {
    let recorder = try HistoryRecorder(at: place.path())
    let probe = ControllerProbe("mine")
    recorder.attach(to: probe, as: "checkout")
    let state = Place.State()
    probe.requested(state, named: "loading")
    try recorder.flush(.stored)
    let run = try Binary(["sessions", "--format=csv", "history.sqlite"], in: place.directory)
    #expect(run.status == 0, "\(run.err)")
    #expect(run.out.contains(",open,1,2,0,"), "\(run.out)")
    // Its two runs see the same, whatever is recorded between them.
    probe.requested(state, named: "loading")
    let replay = try Binary(["replay", "history.sqlite"], in: place.directory)
    #expect(replay.status == 2)
    #expect(!replay.out.contains("another process"))
    recorder.close()
  }

  @Test func `the second run has another hash seed, time zone and process`() throws {
    try place.write(.clean)
    let run = try Binary(
      ["replay", "--json", "history.sqlite"], in: place.directory,
      environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])
    #expect(run.status == 0)
    #expect(run.out.contains("\"runs\": 2"))
    #expect(run.out.contains("\"disagreement\": null"))
  }

  @Test func `a second run that cannot be made is no agreement`() throws {
    let capture = Capture(
      ["replay", try place.write(.clean)], executable: place.path("none"))
    #expect(capture.status == .inconclusive)
    #expect(capture.out.contains("could not be started"))
    let other = Capture(["replay", place.path()], executable: "/bin/true")
    #expect(other.status == .inconclusive)
    #expect(other.out.contains("differs from the first"))
    #expect(Capture(["replay", "--once", place.path()], executable: "/none").status == .done)
  }

  @Test func `a name that is not UTF-8 is refused, and is not written as another`() throws {
    try place.write(.clean)
    let run = try shell("\"$staty\" export history.sqlite -o \"$(printf 'o\\377.nd')\"")
    #expect(run.status == 64, "\(run.text)")
    let files = try FileManager.default.contentsOfDirectory(atPath: place.directory)
    #expect(files == ["history.sqlite"])
  }

  @Test func `where hardly a file may be opened that is said`() throws {
    try place.write(.clean)
    for verb in ["replay", "explore"] {
      let run = try Binary(
        program: "/bin/sh", ["-c", "ulimit -n 6; exec '\(Binary.path)' \(verb) -q history.sqlite"],
        in: place.directory)
      #expect(run.status == 66, "\(run.err)")
      #expect(run.err.contains("fewer than 8 more files"), "\(run.err)")
    }
  }
}
