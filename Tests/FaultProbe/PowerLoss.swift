import Chance
import Foundation

/// Lets the power go at every sync of a story and at moments in between.
struct PowerLoss {
  let seed: UInt64
  var syncing = Disk.Syncing.honest
  /// How many of the things that may be left of a moment are looked at.
  var states = 4

  /// What came of all states.
  struct Outcome {
    var states = 0
    var problems: [String] = []
  }

  func run() -> Outcome {
    let stage = Workplace()
    var story = Story(at: stage.path, seed: seed)
    story.onPromise = { FaultyDisk.disk.promise($0) }
    FaultyDisk.disk.watch(
      stage.directory, ringAt: stage.path + "-ring", syncing, seed: seed)
    story.play()
    let moments = FaultyDisk.disk.unwatch()
    var random = SeededRandom(seed: seed)
    var outcome = Outcome()
    for (number, moment) in moments.enumerated() {
      for state in 1...states {
        outcome.states += 1
        let place = Workplace()
        leave(moment, of: stage, at: place, &random)
        if let problem = Verdict.problem(at: place.path, moment.promise) {
          outcome.problems.append("power \(seed), moment \(number), state \(state): \(problem)")
        }
      }
    }
    return outcome
  }

  /// Writes down what is left of a moment.
  private func leave(
    _ moment: Disk.Moment, of stage: Workplace, at place: Workplace,
    _ random: inout SeededRandom
  ) {
    for (path, image) in moment.files.sorted(by: { $0.key < $1.key }) {
      // Copies for bug reports are not what is recorded into.
      guard ["", "-wal", "-journal"].contains(where: { path == stage.path + $0 }),
        let bytes = image.afterPowerLoss(&random)
      else { continue }
      place.write(bytes, to: place.path + path.dropFirst(stage.path.count))
    }
    guard let ring = moment.ring, let left = Self.ring(ring, &random) else { return }
    place.write(left, to: place.path + "-ring")
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
