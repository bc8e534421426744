import Chance
import Foundation

/// Lets the power go at every sync of a story and at moments in between.
struct PowerLoss {
  let seed: UInt64
  /// What the story begins with.
  var scene = Scene.empty
  var syncing = Disk.Syncing.honest
  /// How many of the things that may be left of a moment are tried.
  var states = 4

  /// What came of all states.
  struct Outcome {
    /// How many there were, each unlike the others.
    var states = 0
    var problems: [String] = []
  }

  func run() -> Outcome {
    let stage = Workplace()
    var story = scene.beginning(seed: seed).story(at: stage, seed: seed)
    story.onPromise = { FaultyDisk.disk.promise($0) }
    FaultyDisk.disk.watch(stage, syncing, seed: seed, promise: story.promise)
    story.play()
    let moments = FaultyDisk.disk.unwatch()
    var random = SeededRandom(seed: seed)
    var outcome = Outcome()
    var seen: Set<Left> = []
    for (number, moment) in moments.enumerated() {
      for state in 1...states {
        let left = left(of: moment, at: stage, &random)
        guard seen.insert(left).inserted else { continue }
        outcome.states += 1
        let place = Workplace()
        for (suffix, bytes) in left.files { place.write(bytes, to: place.path + suffix) }
        if let problem = Verdict.problem(at: place.path, moment.promise) {
          outcome.problems.append("power \(seed), moment \(number), state \(state): \(problem)")
        }
      }
    }
    return outcome
  }

  /// What the power has left.
  private struct Left: Hashable {
    /// By how their names end.
    var files: [String: [UInt8]] = [:]
    /// What had been promised by then.
    var promised: [String: Int64] = [:]

    /// Files as a whole: byte after byte took a debug build longer than all the rest.
    func hash(into hasher: inout Hasher) {
      for (suffix, bytes) in files.sorted(by: { $0.key < $1.key }) {
        hasher.combine(suffix)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      }
      hasher.combine(promised)
    }
  }

  private func left(
    of moment: Disk.Moment, at stage: Workplace, _ random: inout SeededRandom
  ) -> Left {
    var left = Left()
    left.promised = moment.promise.sessions.mapValues(\.observed)
    for (path, image) in moment.files.sorted(by: { $0.key < $1.key }) {
      // Copies for bug reports are not what is recorded into.
      guard let suffix = ["", "-wal", "-journal"].first(where: { path == stage.path + $0 }) else {
        continue
      }
      left.files[suffix] = image.afterPowerLoss(&random)
    }
    for (suffix, bytes) in moment.rings.sorted(by: { $0.key < $1.key }) {
      // One that another process has left stood there long before.
      left.files[suffix] = suffix == "-ring" ? Self.ring(bytes, &random) : bytes
    }
    return left
  }

  /// What may be left of a ring, which is never synced: nothing, all, or some of its pages.
  private static func ring(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8]? {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return nil
    case 1: return bytes
    case 2: return [UInt8](repeating: 0, count: bytes.count)
    default:
      var bytes = bytes
      for start in stride(from: 0, to: bytes.count, by: 4_096) where Bool.random(using: &random) {
        let end = min(start + 4_096, bytes.count)
        bytes.withUnsafeMutableBytes { _ = memset($0.baseAddress! + start, 0, end - start) }
      }
      return bytes
    }
  }
}
