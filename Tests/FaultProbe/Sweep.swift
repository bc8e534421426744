import Foundation

/// Runs a story once for each call that can fail.
struct Sweep {
  let kind: Kind
  /// The files with which the story begins.
  let scene: Scene
  let seed: UInt64
  /// The numbers of the calls to fail, one in each run, until a run makes fewer calls.
  var from = 1
  var through = Int.max
  var by = 1
  var manner = Manner.once

  enum Kind: String {
    case memory, input, full
  }

  /// The number of calls that fail, one after the other.
  enum Manner: String {
    case once
    /// Some calls, so that an immediate retry fails too.
    case forAWhile = "for-a-while"
    case forGood = "for-good"

    /// The number of calls that fail.
    func count(from index: Int) -> Int {
      switch self {
      case .once: 1
      case .forAWhile: 2 + index % 5
      case .forGood: .max
      }
    }
  }

  /// The result of all runs.
  struct Outcome {
    var runs = 0
    var strikes = 0
    var problems: [String] = []
  }

  /// The number of consecutive runs without a failed call after which the sweep ends.
  ///
  /// One is not enough, because the number of calls differs from run to run.
  private static let mostQuiet = 5

  func run() -> Outcome {
    let beginning = scene.beginning(seed: seed)
    var outcome = Outcome()
    var index = from
    var quiet = 0
    while index <= through, quiet < Self.mostQuiet {
      let (problem, strikes) = one(at: index, beginning)
      // A run without a failed call must be correct too.
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

  /// The arguments that repeat the run in which this call failed.
  private func arguments(_ index: Int) -> String {
    "sweep \(kind.rawValue) \(scene) \(seed) \(manner.rawValue) \(index) \(index)"
  }

  private var plan: FaultPlan { kind == .memory ? FaultyMemory.plan : FaultyDisk.plan }

  private func one(at index: Int, _ beginning: Beginning) -> (problem: String?, strikes: Int) {
    FaultyDisk.fault = kind == .full ? .full : .input
    let place = Workplace()
    var story = beginning.story(at: place, seed: seed)
    story.isBrief = true
    story.promise.keepsPower = true
    for (uuid, share) in beginning.acknowledged { story.promise.sessions[uuid] = share }
    plan.arm(at: index, count: manner.count(from: index))
    story.play()
    plan.disarm()
    let strikes = plan.strikes
    return (Verdict.problem(at: place.path, story.promise), strikes)
  }
}
