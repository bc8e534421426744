import Chance
import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import StatySpecimens
import Testing

/// Observers that make requests inside of the events that they observe.
///
/// While one event is delivered, observers get the next ones later. What they do then has the later
/// event as its cause, although the controller has already handled that.
@Suite struct ObservedTests {
  /// With the first seed, an observer of the controller that is not recorded makes a request.
  static let seeds = [14_380_070, testSeed]

  /// The number of scenes in a file.
  ///
  /// A doubt about one scene leaves the whole file in doubt.
  private static let scenesInFile = 5

  @Test(arguments: seeds)
  func `requests of observers never make a replay diverge`(
    _ seed: UInt64
  ) throws {
    var (late, files, reproduced) = (0, 0, 0)
    for first in stride(from: 0, to: RandomSpecimenTests.runs, by: Self.scenesInFile) {
      let history = try SpecimenHistory(observed: first..<(first + Self.scenesInFile), seed)
      let result = try history.replay()
      #expect(result.misplaced.isEmpty, "seed \(seed), from \(first)")
      #expect(result.verdict != .diverged, "seed \(seed), from \(first): \(result)")
      files += 1
      reproduced += result.verdict == .reproduced ? 1 : 0
      late += try EditedHistory(history).afterTheirCalls
    }
    #expect(late > 0, "seed \(seed)")
    #expect(2 * reproduced > files, "seed \(seed): \(reproduced) of \(files)")
  }

  @Test(arguments: seeds)
  func `with one output changed a history is not reproduced, with many requests of observers`(
    _ seed: UInt64
  ) throws {
    let verdicts = try verdicts(ofChanged: 24, askingOnceIn: 3, seed)
    #expect(verdicts[.diverged, default: 0] > 0, "seed \(seed)")
  }

  @Test(arguments: seeds)
  func `with one output changed a history mostly diverges, with few requests of observers`(
    _ seed: UInt64
  ) throws {
    let verdicts = try verdicts(ofChanged: 64, askingOnceIn: 40, seed)
    let all = verdicts.values.reduce(0, +)
    // In the others, the change is next to a request of an observer.
    #expect(5 * verdicts[.diverged, default: 0] >= 4 * all, "seed \(seed): \(verdicts)")
  }

  @Test(arguments: Specimens.all.map { $0.name })
  func `an early request of an observer does not excuse a later change`(
    _ name: String
  ) throws {
    let kind = try #require(Specimens.all.first { $0.name == name })
    let history = try SpecimenHistory(overheard: kind)
    #expect(try history.replay().verdict == .reproduced)
    let whole = try EditedHistory(history)
    for place in whole.outputs where whole.rows[place].visit > 5 {
      var edited = whole
      edited.remove(at: place)
      let result = try edited.write().replay()
      #expect(result.verdict == .diverged, "without \(whole.rows[place]): \(result)")
      #expect(result.divergences.first?.seq == edited.rows[place].seq, "\(result)")
    }
  }

  /// The verdicts on scenes with one output removed, doubled or exchanged.
  private func verdicts(
    ofChanged scenes: Int, askingOnceIn rarity: Int, _ seed: UInt64
  ) throws -> [ReplayResult.Verdict: Int] {
    var random = SeededRandom(seed: seed)
    var verdicts: [ReplayResult.Verdict: Int] = [:]
    for run in 0..<scenes {
      let whole = try EditedHistory(
        SpecimenHistory(observed: run..<(run + 1), seed, askingOnceIn: rarity))
      let outputs = whole.outputs
      guard !outputs.isEmpty else { continue }
      let one = outputs[random.below(outputs.count)]
      var changed = [whole, whole, whole]
      changed[0].remove(at: one)
      changed[1].duplicate(at: one)
      let next = outputs.first {
        $0 > one && whole.rows[$0].controller == whole.rows[one].controller
      }
      if next.map({ changed[2].swap(one, $0) }) != true { changed.removeLast() }
      for (way, edited) in changed.enumerated() {
        let result = try edited.write().replay()
        #expect(result.verdict != .reproduced, "seed \(seed), run \(run), way \(way)")
        verdicts[result.verdict, default: 0] += 1
      }
    }
    return verdicts
  }
}

extension SpecimenHistory {
  /// Records a specimen with an observer that makes a request when the first state has entered.
  fileprivate convenience init<S: Specimen>(overheard kind: S.Type) throws {
    try self.init()
    let recorder = try recorder()
    let clock = ManualClock()
    let specimen = S(probe: ControllerProbe(StateName(S.name)), timer: clock)
    recorder.attach(to: specimen.probe, as: S.name)
    let states = (0..<10).map { place in
      let state = PlayedState(Keyed2015.keys[place % Keyed2015.keys.count])
      state.onEnter = { $0.complete(.entered) }
      state.onExit = { $0.complete(.exited) }
      return state
    }
    let observer = AskingOnce { specimen.request(states[0], asked: nil, by: nil) }
    specimen.events.add(observer)
    for state in states.dropFirst() {
      specimen.request(state, asked: nil, by: nil)
      clock.advance(by: .milliseconds(1))
    }
    recorder.close()
  }

  /// Records scenes with observers that make requests and report completions for states.
  convenience init(
    observed runs: Range<Int>, _ seed: UInt64, askingOnceIn rarity: Int = 3, most: Int = 30,
    queues: Int = 1, words: Int = 0, endings: Int = 0, isMixed: Bool = true
  ) throws {
    try self.init()
    let recorder = try runs.count < 20 ? recorder() : HistoryRecorder(at: path)
    // Kept until the recorder is closed, so that their endings are not recorded.
    let scenes = runs.map { run in
      let kinds = isMixed ? [Specimens.all[run % 4], Specimens.all[(run / 4) % 4]] : []
      let scene = ObservedScene(
        seed: seed &+ UInt64(run), kinds, askingOnceIn: rarity, most: most, queues: queues,
        words: words, endings: endings)
      for (side, specimen) in scene.specimens.enumerated() {
        recorder.attach(to: specimen.probe, as: "\(run) \(side)")
      }
      for (side, controller) in scene.controllers.enumerated() {
        recorder.attach(to: controller, as: "\(run) policy\(side == 0 ? "" : " \(side)")")
      }
      scene.play()
      return scene
    }
    withExtendedLifetime(scenes) { recorder.close() }
  }
}

extension EditedHistory {
  /// The number of inputs in an event that follow an event further out.
  fileprivate var afterTheirCalls: Int {
    rows.indices.filter { place in
      let row = rows[place]
      guard EventKind(rawValue: row.kind)?.side == .input, row.cause != 0 else { return false }
      return rows[..<place].reversed().prefix { $0.seq > row.cause }.contains {
        $0.cause != 0 && $0.cause < row.cause && $0.kind != EventKind.resumed.rawValue
      }
    }.count
  }
}

/// Acts inside of the first event with a state that has entered.
private final class AskingOnce: TransitionObserver {
  private var ask: (() -> Void)?

  init(_ ask: @escaping () -> Void) { self.ask = ask }

  func observe(_ event: borrowing TransitionEvent) {
    if event.kind == .entered { ask.take()?() }
  }
}
