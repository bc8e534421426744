/// At which decisions of a run something else than usual is chosen.
package struct DeviationPlan: Hashable, Sendable {
  /// The decisions by their numbers in the run, each with the way that is chosen there.
  package private(set) var turns: [Turn] = []

  package init() {}

  package struct Turn: Hashable, Sendable {
    package let decision: Int
    package let way: Int
  }

  /// The way that is chosen at a decision; 0 is the usual one.
  package func way(at decision: Int) -> Int { turns.first { $0.decision == decision }?.way ?? 0 }

  /// The first decision at which it can deviate once more: one behind its last deviation.
  package var firstFree: Int { turns.last.map { $0.decision + 1 } ?? 0 }

  package func and(_ way: Int, at decision: Int) -> DeviationPlan {
    var plan = self
    plan.turns.append(Turn(decision: decision, way: way))
    return plan
  }

  /// The plan with its first turns alone.
  package func first(_ count: Int) -> DeviationPlan {
    var plan = self
    plan.turns.removeLast(turns.count - count)
    return plan
  }

  /// The plan without one of its turns.
  package func without(_ place: Int) -> DeviationPlan {
    var plan = self
    plan.turns.remove(at: place)
    return plan
  }
}

/// All plans, those with fewer deviations first.
///
/// After each run it has to be told how many ways there were at the decisions of the run: that is
/// what the next plans are made of.
package struct DeviationPlans {
  /// The most deviations of a plan.
  let most: Int
  /// All plans with so many deviations have been run; -1 before the first was.
  package private(set) var complete = -1
  /// Whether there are no plans with more deviations.
  package private(set) var isExhausted = false
  /// The runs with one deviation less than the current plans, and their decisions.
  private var parents: [Parent] = []
  private var next: [Parent] = []
  /// The place in `parents`, and in the decisions of that parent.
  private var (place, decision, way) = (0, 0, 0)
  private var hasBegun = false
  /// Whether a plan with the most deviations could have another one.
  private var hasMore = false

  private struct Parent {
    let plan: DeviationPlan
    let ways: [Int]

    var hasChildren: Bool { ways.dropFirst(plan.firstFree).contains { $0 > 1 } }
  }

  package init(most: Int) { self.most = most }

  /// The next plan; `nil` if there is none, or none with few enough deviations.
  package mutating func nextPlan() -> DeviationPlan? {
    guard hasBegun else {
      hasBegun = true
      return DeviationPlan()
    }
    while true {
      while place < parents.count {
        let parent = parents[place]
        while decision < parent.ways.count {
          way += 1
          if way < parent.ways[decision] { return parent.plan.and(way, at: decision) }
          (decision, way) = (decision + 1, 0)
        }
        place += 1
        begin(place)
      }
      complete += 1
      (parents, next, place) = (next, [], 0)
      begin(0)
      if !hasMore, !parents.contains(where: \.hasChildren) {
        isExhausted = true
        return nil
      }
      if complete >= most { return nil }
    }
  }

  /// Notes the decisions of the run of a plan.
  package mutating func note(_ ways: [Int], of plan: DeviationPlan) {
    let parent = Parent(plan: plan, ways: ways)
    // Of the last ones, nothing else is asked.
    if plan.turns.count >= most {
      hasMore = hasMore || parent.hasChildren
    } else {
      next.append(parent)
    }
  }

  private mutating func begin(_ place: Int) {
    // A plan deviates again only behind its last deviation.
    decision = place < parents.count ? parents[place].plan.firstFree : 0
    way = 0
  }

  /// About how many bytes it holds.
  package var bytes: Int {
    (parents.count + next.count) * 96 + (next.last?.ways.count ?? 0) * 8
      * (parents.count + next.count)
  }
}
