import StatyHistory
import StatyRecorder
import StatyReplay
import StatyRules
import StatySpecimens
import StatyReport

/// One stop of the demo's tour: a scenario of a specimen, recorded, checked and replayed.
///
/// Every statement about it is a result. If a result differs from what the tour promises, the demo
/// fails.
struct DemoStop {
  let scenario: SpecimenScenario
  /// The name of the recording in the folder.
  let name: String
  /// The finding in the recording.
  let finding: Finding
  /// The recording, replayed unchanged, the second time in another process.
  let replay: SessionReplay
  /// The recording, replayed with the policy that does not have the fault.
  let mended: SessionReplay
  /// The recording, played again with that policy.
  let played: WhatIfReplay

  /// Records a scenario, and runs the same work as the verbs.
  init(_ scenario: SpecimenScenario, in folder: DemoFolder, run: ToolRun) throws {
    self.scenario = scenario
    name = scenario.name + ".sqlite"
    let path = folder.place(for: name)
    try Self.record(scenario, at: path)
    let history = try OpenHistory(path)
    replay = try Self.replay(history, with: nil, run)
    mended = try Self.replay(history, with: scenario.mend, run)
    guard let whatIf = mended.whatIf else { throw Self.bug(path, "it was not played again") }
    played = whatIf
    let named = replay.findings.first { $0.code.rawValue == scenario.code }
    guard let named, named.severity == .error else {
      throw Self.bug(path, "the rules do not find the fault in it")
    }
    finding = named
    guard replay.verdict == .reproduced else {
      throw Self.bug(path, "replayed it is \(replay.verdict.rawValue)")
    }
    guard mended.verdict == .diverged else {
      throw Self.bug(path, "a '\(scenario.mend)' decides the same")
    }
    guard played.verdict == (scenario.isSilence ? .inconclusive : .fixed) else {
      throw Self.bug(path, "played with a '\(scenario.mend)' it is \(played.verdict.rawValue)")
    }
  }

  private static func record(_ scenario: SpecimenScenario, at path: String) throws(Failure) {
    var options = RecorderOptions(app: "staty demo", appVersion: StatyTool.version)
    options.eventsPerThread = 1_024
    let recorder: HistoryRecorder
    do throws(RecorderError) {
      recorder = try HistoryRecorder(at: path, options: options)
    } catch {
      throw Failure(
        status: .cannotWrite, message: "Recording into '\(path)': \(error.description)")
    }
    // The scenario begins a fixed time after the recording, so that its times are the same in every
    // demo.
    let controller = scenario.begin(at: recorder.began + 100_000_000)
    recorder.attach(to: controller.controller.probe, as: "screen")
    controller.play()
    recorder.close()
    guard recorder.statistics.lost == 0 else {
      throw Failure(
        status: .cannotWrite, message: "Recording into '\(path)': not all of it was stored.",
        advice: "Make space, or choose another folder with '-o'.")
    }
  }

  private static func replay(
    _ history: OpenHistory, with kind: String?, _ run: ToolRun
  ) throws -> SessionReplay {
    let plan = ReplayPlan(
      choice: SessionChoice(session: nil, controllers: []), last: nil, kinds: KindChoice(all: kind),
      registry: run.registry, tool: run.tool)
    let outcome = try ReplayRuns.verifying(plan).replays(
      of: history, isRepeated: kind == nil, executable: run.executable)
    guard outcome.replays.count == 1, outcome.failures.isEmpty else {
      throw bug(history.path, "\(outcome.replays.count) sessions are in it")
    }
    return outcome.replays[0]
  }

  private static func bug(_ path: String, _ what: String) -> Failure {
    Failure(
      status: .bug, message: "Showing '\(path)': \(what).",
      advice: "This is a bug in the tool. Please report it with the file.")
  }
}

// The texts of a stop.
extension DemoStop {
  /// The finding in one sentence that begins with the rule.
  var broken: String { finding.line(replay.words) }

  /// The result of the replay, as its verb reports it.
  var reproduced: String { get throws { "\(replay.word): \(try replay.brief)." } }

  /// The results of both kinds of replay with the policy that does not have the fault.
  var replaced: String { get throws { "\(mended.word) \(try mended.brief)." } }

  /// The result of the what-if replay with that policy.
  var fixed: String { "\(played.word): \(played.sentence)" }

  /// A picture of the events around the fault.
  func picture(_ page: TextSections) throws -> String {
    let rows = try replay.surroundings(of: finding.seq)
    return page.picture(nil, rows, marked: finding.seq, replay.words)
  }
}
