import Chance
import Foundation
import Staty
import StatyRecorder

/// An app that uses a recorder, with random actions from a seed.
///
/// It continues after each failure, like an app.
struct Story {
  let path: String
  /// Called with the events that are promised to the app.
  var onPromise: (Promise) -> Void = { _ in }
  /// Called at the end of each session, when the recorder is about to be closed.
  var beforeLeaving: (HistoryRecorder) -> Void = { _ in }
  /// The recorder's option `gathering`.
  var gathering = Duration.milliseconds(1)
  /// The number of sessions.
  var sessions = 2
  /// The beginning of its sessions' app names.
  var name = ""
  /// Whether each wish occurs exactly once, for tests that run the story very often.
  var isBrief = false
  private var random: SeededRandom
  var promise = Promise()

  init(at path: String, seed: UInt64) {
    self.path = path
    random = SeededRandom(seed: seed)
  }

  /// Requests of an app to its recorder.
  private enum Wish: CaseIterable {
    case durable, stored, suspend, share
  }

  /// Runs the story.
  mutating func play() {
    let each = isBrief ? Wish.allCases.shuffled(using: &random) : []
    for number in 1...sessions {
      var options = RecorderOptions(app: "\(name)\(number)")
      options.eventsPerThread = 64
      options.gathering = gathering
      options.retention = Retention()
      if isBrief ? number > 1 : Bool.random(using: &random) {
        options.retention = Retention(bytes: 64 << 10, sessions: isBrief ? 1 : nil)
        promise.allowRemoval()
        onPromise(promise)
      }
      guard let recorder = try? HistoryRecorder(at: path, options: options) else { continue }
      // The sessions of a brief story share the wishes, except the one that promises.
      let wishes = each.enumerated().filter {
        $0.element == .durable || $0.offset % sessions == number - 1
      }
      play(recorder, isBrief ? wishes.map(\.element) : nil)
    }
  }

  /// - Parameter wishes: `nil` for random ones.
  private mutating func play(_ recorder: HistoryRecorder, _ wishes: [Wish]?) {
    let cast = Cast(recorder)
    for round in 0..<(wishes?.count ?? Int.random(in: 4...8, using: &random)) {
      for _ in 0..<Int.random(in: 1...8, using: &random) { cast.act(&random) }
      ask(wishes?[round] ?? wish(), of: recorder)
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) { cast.act(&random) }
    beforeLeaving(recorder)
    recorder.close()
    // Events that could not be stored are in the ring.
    if promise.keepsPower { promise.sessions[recorder.uuid] = .init(recorder.statistics) }
    cast.leave(recorder)
  }

  private mutating func wish() -> Wish {
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: .durable
    case 2, 3: .stored
    case 4: .suspend
    default: .share
    }
  }

  private mutating func ask(_ wish: Wish, of recorder: HistoryRecorder) {
    let told = recorder.statistics
    switch wish {
    case .durable:
      guard (try? recorder.flush(.durable)) != nil else { break }
      promise.sessions[recorder.uuid] = .init(told)
      onPromise(promise)
    case .stored: try? recorder.flush(.stored)
    case .suspend:
      try? recorder.suspend()
      recorder.resume()
    case .share:
      let copy = path + ".copy-\(UInt32.random(in: 0...UInt32.max, using: &random))"
      try? recorder.share(to: copy)
    }
  }
}

/// Sources of events: a controller with its states, a probe, and marks.
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

  // Usually a new name, because storing it needs more calls.
  private func name(_ kind: String, _ random: inout SeededRandom) -> StateName {
    StateName("\(kind) \(Int.random(in: 0..<1_000, using: &random))")
  }

  func act(_ random: inout SeededRandom) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      recorder.mark(String(repeating: "note ", count: Int.random(in: 1...40, using: &random)))
    case 1, 2:
      let kind = ["loading", "content", "alert"].randomElement(using: &random)!
      controller.transition(to: Played(name(kind, &random)))
    case 3:
      let state = ProbedState()
      asked.append(state)
      probe.requested(state, named: name("asked", &random))
    case 4:
      guard let state = asked.last else { return }
      probe.telling(.enter, state) { probe.completed(.entered, state) }
    default:
      guard let state = asked.popLast() else { return }
      probe.telling(.exit, state) { probe.completed(.exited, state) }
    }
  }
}

private final class Stage {}

private final class ProbedState {}

/// Enters and exits at once.
private final class Played: ScreenState {
  let name: StateName

  init(_ name: StateName) {
    self.name = name
  }

  var payload: StatePayload? { .open("of \(name)") }

  func enter(on target: Stage, visit: Visit) { visit.entered() }
  func exit(from target: Stage, visit: Visit) { visit.exited() }
}
