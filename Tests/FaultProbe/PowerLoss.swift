import Chance
import Foundation

/// Simulates a loss of power at every sync of a story, and at moments in between.
struct PowerLoss {
  let seed: UInt64
  /// The files with which the story begins.
  var scene = Scene.empty
  var syncing = Disk.Syncing.honest
  /// The number of possible disk contents to try for each moment.
  var states = 4

  /// The result for all disk contents.
  struct Outcome {
    /// The number of different disk contents.
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

  /// The content of the disk after the loss of power.
  private struct Left: Hashable {
    /// By the endings of their names.
    var files: [String: [UInt8]] = [:]
    /// The events that were promised until then.
    var promised: [String: Int64] = [:]

    /// Compares whole files.
    ///
    /// In a debug build, comparing bytes took longer than the rest of the test.
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
      // Copies for bug reports are not part of the history.
      guard let suffix = ["", "-wal", "-journal"].first(where: { path == stage.path + $0 }) else {
        continue
      }
      left.files[suffix] = image.afterPowerLoss(&random)
    }
    for (suffix, bytes) in moment.rings.sorted(by: { $0.key < $1.key }) {
      // The ring of another process was there long before.
      left.files[suffix] = suffix == "-ring" ? Self.ring(bytes, &random) : bytes
    }
    return left
  }

  /// A possible content of a ring, which is never synced: no, all or some of its pages.
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
