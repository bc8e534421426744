internal import StatyReplay
#if os(Linux)
  internal import Dispatch
#endif

/// Runs a known little program before the first search: a runtime in which it goes otherwise is not
/// understood.
@MainActor enum SelfCheck {
  /// Why this runtime cannot be controlled; `nil` if it can.
  static let failure: String? = check()

  private actor Shelf {
    private(set) var count = 0
    func put() { count += 1 }
  }

  private static func check() -> String? {
    var plans = DeviationPlans(most: 1)
    var runs: [Run] = []
    while let plan = plans.nextPlan() {
      let run = Run(plan)
      plans.note(run.decisions, of: plan)
      runs.append(run)
    }
    let usual = runs[0].lines
    let late = runs.first { $0.conditions.first?.hasPrefix(lateAnswer) ?? false }?.lines ?? []
    if usual == expectedUsual, late == expectedLate { return nil }
    let words = { (log: [String]) in log.joined(separator: ", ") }
    return
      "This Swift runtime is not understood: a known program does not run in the order that was "
      + "chosen. Expected were '\(words(expectedUsual))' and '\(words(expectedLate))', and it did "
      + "'\(words(usual))' and '\(words(late))'"
  }

  private static let lateAnswer = "the answer of 'answer' to 'begin' is late"
  private static let expectedUsual = [
    "begin", "task", "shelf 1", "block", "answer", "end", "after an hour",
  ]
  private static let expectedLate = [
    "begin", "task", "shelf 1", "block", "end", "after an hour", "answer",
  ]

  @MainActor private struct Run {
    private(set) var lines: [String] = []
    let decisions: [Int]
    let conditions: [String]

    init(_ plan: DeviationPlan) {
      var lines: [String] = []
      var order = PlannedOrder(plan: plan)
      let end = WorldEnd(WorldOptions(), .none, &order) { world in
        let shelf = Shelf()
        world.user("begin") {
          lines.append("begin")
          Task {
            lines.append("task")
            try? await Task.sleep(for: .seconds(3_600))
            lines.append("after an hour")
          }
          async let put: Void = shelf.put()
          await put
          lines.append("shelf \(await shelf.count)")
          await block()
          lines.append("block")
          lines.append(await world.answer("answer", "answer"))
        }
        world.user("end") { lines.append("end") }
        world.shows { 1 }
      }
      self.lines = lines + end.escapes
      (decisions, conditions) = (end.decisions, end.conditions)
    }
  }

  private static func block() async {
    #if os(Linux)
      await withUnsafeContinuation { continuation in
        DispatchQueue.global().async { continuation.resume() }
      }
    #endif
  }
}
