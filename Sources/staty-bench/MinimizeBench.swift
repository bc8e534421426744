import Staty
import StatyHistory
import StatyReading
import StatyReplay
import StatyRules

/// The cost of minimizing a long history: reading, checking, playing and writing.
enum MinimizeBench {
  /// The seconds for a history of 10,000 events in which three requests in the middle matter.
  static func run() -> Double {
    let long = BenchFolder.path("minimize-long.sqlite")
    record(long)
    var count = 0
    return median(of: 5) {
      count += 1
      return seconds { minimize(long, into: BenchFolder.path("minimize-\(count).sqlite")) }
    }
  }

  /// The milliseconds to explain the finding of such a history: the chain that led to it, and the
  /// nearest order without it.
  static func why() -> (chain: Double, nearest: Double) {
    let long = BenchFolder.path("why-long.sqlite")
    record(long)
    let reader = try! HistoryReader(path: long)
    let finding = try! HistoryCheck(reader).session(1).findings[0]
    let chain = median(of: 5) {
      nanoseconds(per: 1) { _ = try! reader.chain(to: finding.seq, session: 1, most: 64) } / 1e6
    }
    let nearest = median(of: 5) {
      nanoseconds(per: 1) {
        let why = try! Why(.finding(finding), reader, session: 1, registry: registry)
        precondition(why.nearest?.isClean == true)
      } / 1e6
    }
    return (chain, nearest)
  }

  private static func minimize(_ path: String, into small: String) {
    let reader = try! HistoryReader(path: path)
    let findings = try! HistoryCheck(reader).session(1).findings
    precondition(findings.map(\.code) == [.neverEntered])
    let minimizer = try! Minimizer(
      reader, session: 1, finding: findings[0], registry: registry)
    let minimization = try! minimizer.run()
    precondition(minimization.requests.before > 1_900 && minimization.requests.after == 3)
    precondition(minimization.proof.requests == .everyOrder)
    try! minimizer.run(of: minimization).write(to: small)
  }

  /// One state after the other.
  ///
  /// In the middle two are requested at once, and one of these is forgotten.
  private static func record(_ path: String) {
    var scenario = Scenario("slot")
    for _ in 0..<2_001 { scenario.request("state") }
    let run = try! ScheduleRun(scenario, registry: registry)
    var last = 0
    func show(_ id: Int) {
      if last != 0 { run.take(.complete(.exited, last)) }
      run.take(.complete(.entered, id))
      last = id
    }
    for id in 1...2_001 {
      run.take(.make(id))
      // The next request replaces it in the slot.
      if id != 1_000 { show(id) }
    }
    precondition(run.events.count >= 10_000)
    try! run.write(to: path)
  }

  private static var registry: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register("slot") { context in
      let slot = Turnstile(context.probe, keepsNewest: true)
      return context.subject(makeState: { PlayedStood($0, slot) }) { state, _ in slot.show(state) }
    }
    return registry
  }
}
