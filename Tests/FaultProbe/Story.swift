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
  var beforeLeaving: (HistoryRecorder) -> Void = { _ in }
  /// How long the recorder may gather.
  var gathering = Duration.milliseconds(1)
  /// How many sessions there are.
  var sessions = 2
  /// What the names of its sessions' apps begin with.
  var name = ""
  /// Whether every wish comes once in it, and none twice, for who plays it hundreds of thousands of times.
  var isBrief = false
  private var random: SeededRandom
  var promise = Promise()

  init(at path: String, seed: UInt64) {
    self.path = path
    random = SeededRandom(seed: seed)
  }

  /// What an app asks of its recorder now and then.
  private enum Wish: CaseIterable {
    case durable, stored, suspend, share
  }

  /// Plays it.
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
      // A brief story has its wishes in all of its sessions together, but for the one that promises.
      let wishes = each.enumerated().filter {
        $0.element == .durable || $0.offset % sessions == number - 1
      }
      play(recorder, isBrief ? wishes.map(\.element) : nil)
    }
  }

  /// - Parameter wishes: none if they follow from chance.
  private mutating func play(_ recorder: HistoryRecorder, _ wishes: [Wish]?) {
    let cast = Cast(recorder)
    for round in 0..<(wishes?.count ?? Int.random(in: 4...8, using: &random)) {
      for _ in 0..<Int.random(in: 1...8, using: &random) { cast.act(&random) }
      ask(wishes?[round] ?? wish(), of: recorder)
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) { cast.act(&random) }
    beforeLeaving(recorder)
    recorder.close()
    // What could not be stored stands in the ring.
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

  // Hardly ever one that is known: what is new takes more to be stored.
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
