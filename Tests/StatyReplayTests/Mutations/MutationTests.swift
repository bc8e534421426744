import Chance
import Foundation
import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import Testing

/// Recordings in which one thing was changed: the replayer says of each what a plain interpreter
/// says that was written apart from it.
@Suite struct MutationTests {
  /// How many random histories of each policy are changed.
  static let runs = max(8, VerificationTests.runs / 12)

  private func small(_ place: Int) throws -> RecordedHistory {
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    func play(_ policy: some TransitionPolicy) { SmallScene(policy, recorder) }
    play(VerificationTests.policies[place].1)
    try history.spread()
    return history
  }

  @Test(arguments: 0..<6)
  func `a small history with any one thing changed is judged as by the interpreter`(
    _ place: Int
  ) throws {
    let name = VerificationTests.policies[place].0
    let history = try small(place)
    let recording = try PlainRecording(history.path)
    #expect(NaiveInterpreter(recording).run() == .same, "\(name)\n\(recording.words)")
    #expect(try history.verify().verdict == .reproduced)
    let mutations = Mutation.all(of: recording, reach: 4, across: 2)
    // Some of them by the seed; `.ci/nightly` tries all.
    let step = sweep > 1 ? 1 : 3
    let tried = stride(from: Int(testSeed % UInt64(step)), to: mutations.count, by: step)
      .map { mutations[$0] }
    var verdicts: [NaiveInterpreter.Verdict: Int] = [:]
    for mutation in tried {
      let verdict = try judge(history, mutation, "\(name)")
      verdicts[verdict, default: 0] += 1
    }
    #expect(mutations.filter(\.isOfOutputs).count > 15, "\(name)")
    #expect(verdicts[.diverged, default: 0] > tried.count / 3, "\(name): \(verdicts)")
    #expect(verdicts[.misplaced, default: 0] < tried.count / 2, "\(name): \(verdicts)")
  }

  @Test(arguments: 0..<6)
  func `a random history with a random thing changed is judged as by the interpreter`(
    _ place: Int
  ) throws {
    let seed = testSeed
    for run in 0..<Self.runs {
      try judgeRandom(place, other: run % 6, seed: seed &+ UInt64(run))
    }
  }

  @Test func `a decision that changed places with one inside an earlier decision is misplaced`()
    throws
  {
    // Among what is changed are such two, and the second had an answer inside.
    let verdicts = try judgeRandom(2, other: 0, seed: 1_090_953_846)
    #expect(verdicts.contains(.misplaced))
  }

  @discardableResult
  private func judgeRandom(
    _ place: Int, other: Int, seed: UInt64
  ) throws -> [NaiveInterpreter.Verdict] {
    let (name, policy) = VerificationTests.policies[place]
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    let policies = [policy, VerificationTests.policies[other].1]
    let scene = RandomScene(seed: seed, policies: policies, recorder: recorder, name: "scene")
    withExtendedLifetime(scene) { recorder.close() }
    try history.spread()
    let recording = try PlainRecording(history.path)
    let told = "\(name), seed \(seed)"
    #expect(NaiveInterpreter(recording).run() == .same, "\(told)\n\(recording.words)")
    var random = SeededRandom(seed: seed)
    let mutations = Mutation.all(of: recording, reach: 6, across: 6)
    // Some scenes end before anything was recorded.
    guard !mutations.isEmpty else { return [] }
    return try (0..<4).map { _ in
      try judge(history, mutations[random.below(mutations.count)], told)
    }
  }

  @Test func `an event inside of something unrecorded leaves the verdict open`() throws {
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    let controller = StateController<SmallScene.Screen>()
    recorder.attach(to: controller, as: "first")
    let screen = SmallScene.Screen()
    controller.bind(to: screen)
    controller.transition(to: Brief())
    controller.tearDown()
    withExtendedLifetime((controller, screen)) { recorder.close() }
    #expect(try history.verify().verdict == .reproduced)
    let recording = try PlainRecording(history.path)
    // Without it, what the state is shown on may have been gone already, were it not for what
    // happened inside.
    let last = try #require(recording.rows.last { $0.kind == EventKind.entering.rawValue })
    try history.change("DELETE FROM event WHERE seq = \(last.seq)")
    let result = try history.verify()
    #expect(result.unreached == [last.seq + 1])
    #expect(result.verdict == .inconclusive, "\(result)")
  }

  @Test func `a step that was deferred outside and runs inside is not misplaced`() throws {
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    let controller = StateController<SmallScene.Screen>()
    let other = ControllerProbe("other")
    recorder.attach(to: controller, as: "first")
    recorder.attach(to: other, as: "other")
    let screen = SmallScene.Screen()
    controller.bind(to: screen)
    controller.transition(to: Hurrying(other.deferred {}))
    withExtendedLifetime((controller, other, screen)) { recorder.close() }
    let result = try history.verify(only: [1])
    #expect(result.verdict == .reproduced, "\(result)")
  }

  @Test func `a tear-down between another and what that discarded is not reproduced`() throws {
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    let controller = StateController<SmallScene.Screen>()
    recorder.attach(to: controller, as: "first")
    controller.transition(to: Brief())
    controller.tearDown()
    withExtendedLifetime(controller) { recorder.close() }
    try history.spread()
    let recording = try PlainRecording(history.path)
    let row = try #require(recording.rows.first { $0.kind == EventKind.cancelled.rawValue })
    #expect(try history.verify().verdict == .reproduced)
    #expect(try history.mutated(.duplicate(row)).verify().verdict == .diverged)
  }

  @Test func `a controller that is torn down inside a track's message is reproduced`() throws {
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    let controller = StateController<SmallScene.Screen>()
    let track = StateTrack("account")
    recorder.attach(to: controller, as: "first")
    recorder.attach(to: track, as: "account")
    let screen = SmallScene.Screen()
    controller.bind(to: screen)
    controller.transition(to: Brief())
    track.received("logout") { controller.tearDown() }
    withExtendedLifetime((controller, screen)) { recorder.close() }
    let rows = try PlainRecording(history.path).rows
    let row = try #require(rows.first { $0.kind == EventKind.cancelled.rawValue })
    #expect(row.part == .handled && row.inside != 0)
    #expect(rows.contains { $0.kind == EventKind.discarded.rawValue })
    #expect(try history.verify(only: [1]).verdict == .reproduced)
  }

  @Test func `a controller that is released with its target in a state's last call is reproduced`()
    throws
  {
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    var owner: Owner? = Owner()
    recorder.attach(to: owner!.controller, as: "first")
    owner!.controller.bind(to: owner!)
    owner!.controller.transition(to: Closing { owner = nil })
    recorder.close()
    let rows = try PlainRecording(history.path).rows
    #expect(rows.contains { $0.kind == EventKind.cancelled.rawValue })
    #expect(try history.verify().verdict == .reproduced)
  }

  /// Compares what replayer and interpreter say of a changed recording.
  @discardableResult
  private func judge(
    _ history: RecordedHistory, _ mutation: Mutation, _ told: String
  ) throws -> NaiveInterpreter.Verdict {
    let changed = try history.mutated(mutation)
    let recording = try PlainRecording(changed.path)
    let result = try changed.verify()
    let interpreter = NaiveInterpreter(recording)
    let naive = interpreter.run()
    let explained = "\(told), \(mutation), \(naive): \(result)\n\(recording.words)"
    let hasDecisions = recording.rows.contains { $0.side == .output }
    switch naive {
    case .same where !hasDecisions:
      #expect(result.doubts == [.nothingToCompare], "\(explained)")
    case .same where interpreter.unreached.isEmpty:
      #expect(result.verdict == .reproduced, "\(explained)")
    case .same: #expect(result.verdict == .inconclusive, "\(explained)")
    // Where a controller is torn down it may have lost its target before it told a state the last
    // thing; the replayer leaves that open if something was made in it.
    case .diverged where !result.unreached.isEmpty:
      #expect(result.verdict != .reproduced, "\(explained)")
    case .diverged: #expect(result.verdict == .diverged, "\(explained)")
    // Torn down a second time, a controller does nothing, so a replay cannot say where that was.
    case .misplaced where recording.isTornDown(twiceBy: mutation): break
    // Of what no run could have recorded the replayer says one or the other, but not that it is so.
    case .misplaced: #expect(result.verdict != .reproduced, "\(explained)")
    }
    if mutation.isOfOutputs, !recording.isTornDown(behind: mutation) {
      #expect(result.verdict != .reproduced, "\(explained)")
    }
    return naive
  }
}

extension PlainRecording {
  /// Whether the controller's next recorded event is that it was torn down.
  ///
  /// A controller without its target is torn down instead of telling a state anything, so without
  /// its last call this is a valid recording.
  fileprivate func isTornDown(behind mutation: Mutation) -> Bool {
    guard case .delete(let row) = mutation else { return false }
    let next = rows.first { $0.controller == row.controller && $0.seq > row.seq }
    return next?.kind == EventKind.cancelled.rawValue && next?.reason == 3
  }
}

extension PlainRecording {
  /// Whether a tear-down is recorded a second time.
  fileprivate func isTornDown(twiceBy mutation: Mutation) -> Bool {
    guard case .duplicate(let row) = mutation else { return false }
    return row.kind == EventKind.cancelled.rawValue && row.reason == 3
  }
}

/// A target that has its controller.
private final class Owner {
  let controller = StateController<Owner>()
}

/// Enters, and closes the screen in that.
private final class Closing: ScreenState {
  private let close: () -> Void

  init(_ close: @escaping () -> Void) { self.close = close }

  func enter(on target: Owner, visit: Visit) {
    close()
    visit.entered()
  }

  func exit(from target: Owner, visit: Visit) { visit.exited() }
}

/// In and out as soon as it is told.
private final class Brief: ScreenState {
  func enter(on target: SmallScene.Screen, visit: Visit) { visit.entered() }
  func exit(from target: SmallScene.Screen, visit: Visit) { visit.exited() }
}

/// Reports that it has entered after it has run another object's step.
private final class Hurrying: ScreenState {
  let name: StateName = "hurrying"
  let step: () -> Void

  init(_ step: @escaping () -> Void) { self.step = step }

  func enter(on target: SmallScene.Screen, visit: Visit) {
    step()
    visit.entered()
  }

  func exit(from target: SmallScene.Screen, visit: Visit) { visit.exited() }
}
