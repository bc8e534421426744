import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatyRules
import StatySpecimens
import Testing

@testable import StatyCommand

/// What the tool says of what it made smaller, word for word.
@Suite struct MinimizeReportTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expect(
    _ arguments: [String], _ name: String, status: Int32 = 0, columns: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try place.expect(
      ["minimize"] + arguments, name, status: status, columns: columns,
      sourceLocation: sourceLocation)
  }

  private func demo() throws {
    let run = try Binary(["demo", "-o", "demo"], in: place.directory)
    try #require(run.status == 0)
  }

  @Test func `what is left is shown step by step, and how sure that is`() throws {
    try demo()
    try expect(["demo/second-exit.sqlite", "--rule=overlap"], "minimize-overlap")
    try expect(
      ["demo/second-exit.sqlite", "--rule=overlap"], "minimize-overlap-40", columns: 40)
    try expect(["-q", "demo/dropped-presentation.sqlite"], "minimize-quiet")
  }

  @Test func `the finding can be selected, and the kind of controller replaced`() throws {
    var story = Story("staty-2019")
    story.add(.enqueued, 1)
    for visit in 2...4 as ClosedRange<UInt32> {
      let asked = story.add(.enqueued, visit)
      story.add(.exiting, visit - 1, cause: asked)
    }
    try place.write(story)
    try expect(["history.sqlite", "--rule=exit-before-enter", "--json"], "minimize-json")
    try expect(["history.sqlite", "--finding=6", "-o", "small.sqlite"], "minimize-finding")
    try expect(["history.sqlite", "--finding=6", "--rule=overlap"], "minimize-error-6", status: 64)
    try place.write(.clean, to: "clean.sqlite")
    try expect(["clean.sqlite", "--with=staty-2019"], "minimize-with")
  }

  @Test func `a limit that was reached is told`() throws {
    try demo()
    try expect(
      ["demo/second-exit.sqlite", "--rule=overlap", "--max-steps=2"], "minimize-cut-steps")
    try expect(
      ["demo/second-exit.sqlite", "--rule=overlap", "--time=0ms"], "minimize-cut-time", status: 2)
    // What is written is what is left so far.
    let run = try Binary(
      ["minimize", "demo/second-exit.sqlite", "--time=0ms", "-o", "small.sqlite", "--json"],
      in: place.directory)
    #expect(run.status == 2 && run.out.contains(#""minimal_obstacle": "time""#), "\(run.out)")
    #expect(run.out.contains(#""verdict": "inconclusive""#))
    #expect(try first(in: "small.sqlite") == "exit-before-enter")
  }

  @Test func `a doubt is reported, and not a limit that was not reached`() throws {
    var story = Story("staty-2019")
    story.add(.enqueued, 1)
    for visit in 2...3 as ClosedRange<UInt32> {
      let asked = story.add(.enqueued, visit)
      story.add(.exiting, visit - 1, cause: asked)
    }
    // What no version has written.
    var strange = EventRow(seq: 7, time: 80_000, kind: .mark, controller: 1)
    strange.kind = 99
    story.add(strange)
    try place.write(story)
    try expect(["history.sqlite", "--rule=exit-before-enter"], "minimize-doubt")
  }

  @Test(arguments: ["second-exit", "closed-alert", "dropped-presentation", "unknown-key"])
  func `what is left checks, replays, is explored and becomes a test`(_ fault: String) throws {
    try demo()
    func tool(_ arguments: [String]) throws -> Binary {
      try Binary(arguments, in: place.directory)
    }
    let made = try tool(["minimize", "demo/\(fault).sqlite", "-o", "small.sqlite"])
    #expect(made.status == 0 && made.out.contains("    staty test "), "\(made.transcript)")
    let code = try first(in: "demo/\(fault).sqlite")
    #expect(try first(in: "small.sqlite") == code)
    #expect(try tool(["check", "small.sqlite"]).status == 1)
    let replay = try tool(["replay", "small.sqlite"])
    // Of one request that nothing came of no decision is left.
    let isNothing = replay.out.contains("No decision of a controller was recorded")
    #expect(replay.status == (isNothing ? 2 : 0), "\(replay.transcript)")
    #expect(try tool(["explore", "--rule=\(code)", "small.sqlite"]).status == 1)
    let test = try tool(["test", "small.sqlite"])
    #expect(test.status == 0 && test.out.contains("error[\(code)]"), "\(test.transcript)")
    // Once more nothing is left to leave out.
    let again = try tool(["minimize", "small.sqlite", "--json", "-o", "again.sqlite"])
    #expect(again.status == 0, "\(again.transcript)")
    let (small, same) = (
      try tool(["export", "small.sqlite"]), try tool(["export", "again.sqlite"])
    )
    func events(_ run: Binary) -> [Substring] {
      run.out.split(separator: "\n").filter { $0.contains(#""kind""#) }
    }
    #expect(events(small) == events(same) && events(small).count > 2)
  }

  @Test func `of what no test can be made none is advised`() throws {
    try demo()
    try expect(["demo/interrupted-animation.sqlite", "-o", "small.sqlite"], "minimize-silent")
    #expect(try Binary(["test", "small.sqlite"], in: place.directory).status == 2)
    // One request that nothing came of: there is nothing to compare.
    try expect(["demo/unknown-key.sqlite", "-o", "key.sqlite"], "minimize-unknown-key")
    let reader = try HistoryReader(path: place.path("small.sqlite"))
    #expect(try reader.session(1).uuid.hasPrefix("minimized-"))
  }

  @Test(
    arguments: SpecimenScenario.all.filter {
      $0.code.flatMap(RuleCode.init)?.severity == .error
    }.map(\.name))
  func `what is advised works, and what is not would be refused`(_ name: String) throws {
    let scenario = try #require(SpecimenScenario.all.first { $0.name == name })
    let recorder = try HistoryRecorder(at: place.path("history.sqlite"))
    let played = scenario.begin()
    recorder.attach(to: played.controller.probe, as: "screen")
    played.play()
    recorder.close()
    let code = try #require(scenario.code)
    let only = try Binary(
      ["minimize", "history.sqlite", "--rule", code, "--session=1", "--controller=screen"],
      in: place.directory)
    if scenario.isSilence, only.status == 2 { return }
    // The same once more, into a file.
    let keep = try #require(advised(only).first)
    let made = try shell(keep)
    #expect(made.status == 0, "\(made.transcript)")
    #expect(try found(in: "small.sqlite").contains(code))
    #expect(made.out.prefix { $0 != "\n" } == only.out.prefix { $0 != "\n" })
    let tests = advised(made).filter { $0.hasPrefix("staty test ") }
    for line in advised(made) {
      let run = try shell(line)
      #expect(run.status == 0, "\(line): \(run.transcript)")
      guard tests.contains(line) else { continue }
      #expect(run.out.contains("// error[\(code)]"), "\(line): \(run.transcript)")
    }
    #expect(tests.count <= 1)
    if tests.isEmpty {
      let refused = try Binary(["test", "--rule", code, "small.sqlite"], in: place.directory)
      #expect([2, 64].contains(refused.status), "\(refused.transcript)")
    }
  }

  /// The command lines that a run advises.
  private func advised(_ run: Binary) -> [String] {
    guard let place = run.out.range(of: "Try next\n") else { return [] }
    return run.out[place.upperBound...].split(separator: "\n")
      .filter { $0.hasPrefix("    staty ") }.map { String($0.dropFirst(4)) }
  }

  /// Runs a command line as a shell does to which it is copied.
  private func shell(_ line: String) throws -> Binary {
    try Binary(
      program: "/bin/sh", ["-c", "staty() { \"$STATY\" \"$@\"; }; " + line],
      in: place.directory, environment: ["STATY": Binary.path])
  }

  private func found(in name: String) throws -> [String] {
    let reader = try HistoryReader(path: place.path(name))
    return try HistoryCheck(reader).session(1).findings.map(\.code.rawValue)
  }

  @Test func `whatever was said is in the line that is advised, as a shell wants it`() throws {
    var story = Story("staty-2019")
    story.add(.enqueued, 1)
    story.addController("it's two", "staty-2019")
    for visit in 1...3 as ClosedRange<UInt32> { story.add(.enqueued, visit, on: 2) }
    try place.write(story, to: "two of them.sqlite")
    let run = try Binary(
      [
        "minimize", "--controller=it's two", "--with", "it's two=staty-2019", "--rule",
        "exit-before-enter", "--rule=overlap", "--memory=20M", "--time=30s",
        "two of them.sqlite", "-q",
      ], in: place.directory)
    let full = try Binary(
      [
        "minimize", "--controller=it's two", "--with", "it's two=staty-2019", "--rule",
        "exit-before-enter", "--rule=overlap", "--memory=20M", "--time=30s",
        "two of them.sqlite",
      ], in: place.directory)
    #expect(run.status == 0 || run.status == 2, "\(run.transcript)")
    guard full.status == 0 else {
      Issue.record("\(full.transcript)")
      return
    }
    let line = try #require(advised(full).first)
    #expect(
      line == "staty minimize --controller 'it'\\''s two' --with 'it'\\''s two=staty-2019' "
        + "--rule exit-before-enter --rule overlap --memory 20M --time 30s "
        + "-o small.sqlite 'two of them.sqlite'")
    #expect(try shell(line).status == 0)
  }

  private func first(in name: String) throws -> String {
    let reader = try HistoryReader(path: place.path(name))
    let findings = try HistoryCheck(reader).session(1).findings
    return try #require(findings.first { $0.severity == .error }).code.rawValue
  }

  @Test func `a recording that cannot be played is refused with the reason`() throws {
    try place.write(.clean)
    try expect(["history.sqlite"], "minimize-error-clean", status: 2)
    try expect(["history.sqlite", "--with=latest"], "minimize-error-with", status: 2)
    try expect(["history.sqlite", "--finding=3"], "minimize-error-finding", status: 64)
    try expect(["history.sqlite", "--with=quue"], "minimize-error-kind", status: 64)
    try expect(
      ["history.sqlite", "--with=latest", "--finding=3"], "minimize-error-both", status: 64)
    try expect(["history.sqlite", "--rule=overlaps"], "minimize-error-rule", status: 64)
    try expect(["history.sqlite", "--session=2"], "minimize-error-session", status: 64)
    try expect(["history.sqlite", "--rule=overlap"], "minimize-error-not-broken", status: 2)
    try expect(["nothing.sqlite"], "minimize-error-missing", status: 66)
    try expect(["history.sqlite", "-o", "history.sqlite"], "minimize-error-output", status: 64)
    try place.write(.overlapping("shop-2024"), to: "own.sqlite")
    try expect(["own.sqlite"], "minimize-error-unknown", status: 2)
    try place.write(.overlapping("queue"), to: "other.sqlite")
    try expect(["other.sqlite"], "minimize-error-other", status: 2)
  }

  @Test func `a recording that lacks something is refused with the reason`() throws {
    var lossy = Story("queue")
    lossy.lose(1)
    for row in Story.overlapping("queue").rows.dropFirst() {
      lossy.add(EventKind(rawValue: row.kind)!, row.visit)
    }
    try place.write(lossy, to: "lossy.sqlite")
    try expect(["lossy.sqlite"], "minimize-error-gaps", status: 2)
    var little = Story("queue", fidelity: .threeKind)
    for (kind, visit) in [
      (.enqueued, 1), (.enqueued, 2), (.entered, 1), (.entered, 2),
    ] as [(EventKind, UInt32)] {
      little.add(kind, visit)
    }
    try place.write(little, to: "little.sqlite")
    try expect(["little.sqlite"], "minimize-error-little", status: 2)
    var slow = Story("queue")
    let first = slow.add(.enqueued, 1)
    slow.add(.entering, 1, cause: first)
    slow.add(.entered, 1)
    let second = slow.add(.enqueued, 2)
    slow.add(.exiting, 1, cause: second)
    slow.wait(seconds: 3)
    let left = slow.add(.exited, 1)
    slow.add(.entering, 2, cause: left)
    slow.add(.entered, 2)
    try place.write(slow, to: "slow.sqlite")
    // As of an exploration: nothing that is played breaks it.
    try expect(["slow.sqlite", "--rule=slow-exit"], "minimize-error-slow", status: 64)
    try expect(["slow.sqlite", "--finding=7"], "minimize-error-slow-finding", status: 2)
  }

  @Test func `a file that is there is written over only if that is wanted`() throws {
    try demo()
    try Data("mine".utf8).write(to: URL(fileURLWithPath: place.path("small.sqlite")))
    let arguments = ["minimize", "demo/second-exit.sqlite", "-o", "small.sqlite"]
    #expect(try Binary(arguments, in: place.directory).status == 73)
    #expect(try String(contentsOfFile: place.path("small.sqlite"), encoding: .utf8) == "mine")
    #expect(try Binary(arguments + ["--force"], in: place.directory).status == 0)
    #expect(try first(in: "small.sqlite") == "exit-before-enter")
  }
}
