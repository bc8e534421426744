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
  var manner = Manner.once

  enum Kind: String {
    case memory, input, full
  }

  /// How many calls fail, one after the other.
  enum Manner: String {
    case once
    /// Until whatever it was is over: what is tried again at once fails again.
    case forAWhile = "for-a-while"
    case forGood = "for-good"

    /// How many, beginning with this one.
    func count(from index: Int) -> Int {
      switch self {
      case .once: 1
      case .forAWhile: 2 + index % 5
      case .forGood: .max
      }
    }
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
    let beginning = scene.beginning(seed: seed)
    var outcome = Outcome()
    var index = from
    var quiet = 0
    while index <= through, quiet < Self.mostQuiet {
      let (problem, strikes) = one(at: index, beginning)
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
