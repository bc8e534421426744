import Foundation

/// Runs a story once for each call that can fail.
struct Sweep {
  let kind: Kind
  /// What the story begins with.
  let scene: Scene
  let seed: UInt64
  /// Which call fails: each of these, until none of them is made any more.
  var from = 1
  var through = Int.max
  var by = 1
  /// Whether all that come after it fail, too.
  var isForGood = false

  enum Kind: String {
    case memory, input, full
  }

  /// What came of all runs.
  struct Outcome {
    var runs = 0
    var strikes = 0
    var problems: [String] = []
  }

  /// The recorder's thread makes some calls more or fewer each time: so many runs in which nothing has
  /// failed, one after the other, are the end.
  private static let mostQuiet = 5

  func run() -> Outcome {
    var outcome = Outcome()
    var index = from
    var quiet = 0
    while index <= through, quiet < Self.mostQuiet {
      let (problem, strikes) = one(at: index)
      // One in which nothing has failed must be right, too.
      if let problem { outcome.problems.append("\(arguments(index)): \(problem)") }
      if strikes == 0 {
        quiet += 1
      } else {
        quiet = 0
        outcome.runs += 1
        outcome.strikes += strikes
      }
      index += by
    }
    return outcome
  }

  /// What repeats the run in which the call with this number failed.
  private func arguments(_ index: Int) -> String {
    "sweep \(kind.rawValue) \(scene) \(seed) \(isForGood ? "for-good" : "once") \(index) \(index)"
  }

  private var plan: FaultPlan { kind == .memory ? FaultyMemory.plan : FaultyDisk.plan }

  private func one(at index: Int) -> (problem: String?, strikes: Int) {
    FaultyDisk.fault = kind == .full ? .full : .input
    let place = Workplace()
    var story = scene.set(place, seed: seed)
    plan.arm(at: index, forGood: isForGood)
    story.play()
    plan.disarm()
    let strikes = plan.strikes
    return (Verdict.problem(at: place.path, story.promise), strikes)
  }
}
