import Chance
import Foundation
import Staty
import StatyRecorder

/// What an app does with a recorder, all of which follows from a seed.
///
/// Nothing that fails ends it: an app goes on, too.
struct Story {
  let path: String
  /// What the app is told, as soon as it is.
  var onPromise: (Promise) -> Void = { _ in }
  /// Called at the end of each session, when the recorder is about to be closed.
  var beforeLeaving: () -> Void = {}
  /// How many sessions there are.
  var sessions = 2
  /// What the names of its sessions' apps begin with.
  var name = ""
  private var random: SeededRandom
  var promise = Promise()

  init(at path: String, seed: UInt64) {
    self.path = path
    random = SeededRandom(seed: seed)
  }

  /// Plays it.
  mutating func play() {
    for number in 1...sessions { playSession("\(name)\(number)") }
  }

  private mutating func playSession(_ app: String) {
    var options = RecorderOptions(app: app)
    options.eventsPerThread = 64
    options.gathering = .milliseconds(1)
    if Bool.random(using: &random) {
      options.retention = Retention(bytes: 160 << 10)
      promise.allowRemoval()
      onPromise(promise)
    }
    guard let recorder = try? HistoryRecorder(at: path, options: options) else { return }
    let cast = Cast(recorder)
    for _ in 0..<Int.random(in: 4...8, using: &random) {
      for _ in 0..<Int.random(in: 1...8, using: &random) { cast.act(&random) }
      interrupt(recorder, app)
    }
    beforeLeaving()
    recorder.close()
    cast.leave(recorder)
  }

  /// What an app asks of its recorder now and then.
  private mutating func interrupt(_ recorder: HistoryRecorder, _ app: String) {
    let told = recorder.statistics
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: note(app, told) { try recorder.flush(.durable) }
    case 2, 3: try? recorder.flush(.stored)
    case 4:
      try? recorder.suspend()
      recorder.resume()
    default:
      let copy = path + ".copy-\(UInt32.random(in: 0...UInt32.max, using: &random))"
      try? recorder.share(to: copy)
    }
  }

  private mutating func note(
    _ app: String, _ told: RecorderStatistics, _ body: () throws -> Void
  ) {
    guard (try? body()) != nil else { return }
    promise.sessions[app] = Promise.Share(
      observed: Int64(told.observed), lost: Int64(told.lost))
    onPromise(promise)
  }
}

/// What there is to record: a controller with its states, a probe, and notes.
private final class Cast {
  private let recorder: HistoryRecorder
  private let controller = StateController<Stage>()
  private let stage = Stage()
  private let probe = ControllerProbe("probe")
  private var asked: [ProbedState] = []

  init(_ recorder: HistoryRecorder) {
    self.recorder = recorder
    recorder.attach(to: controller, as: "stage")
    recorder.attach(to: probe, as: "probe")
    controller.bind(to: stage)
  }

  func leave(_ recorder: HistoryRecorder) {
    recorder.detach(from: controller)
    recorder.detach(from: probe)
  }

  func act(_ random: inout SeededRandom) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      recorder.mark(String(repeating: "note ", count: Int.random(in: 1...40, using: &random)))
    case 1, 2:
      controller.transition(
        to: Played(["loading", "content", "alert"].randomElement(using: &random)!))
    case 3:
      let state = ProbedState()
      asked.append(state)
      probe.requested(state, named: "asked")
    case 4:
      guard let state = asked.last else { return }
      probe.telling(.enter, state) { probe.told(.entered, state) }
    default:
      guard let state = asked.popLast() else { return }
      probe.telling(.exit, state) { probe.told(.exited, state) }
    }
  }
}

private final class Stage {}

private final class ProbedState {}

/// In and out as soon as it is told.
private final class Played: ScreenState {
  let name: StateName

  init(_ name: StateName) {
    self.name = name
  }

  var payload: StatePayload? { .open("of \(name)") }

  func enter(on target: Stage, visit: Visit) { visit.entered() }
  func exit(from target: Stage, visit: Visit) { visit.exited() }
}
