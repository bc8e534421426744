import Staty
import StatyHistory
import StatyReading
import StatyRules

/// A recording as a scenario.
struct RecordedOrder {
  /// What may happen.
  var scenario: Scenario
  /// The requests by the visits that they became.
  let requests: [VisitKey: Int]
  /// The events in which the steps were recorded.
  let seqs: [Step: Int64]
  /// How many events were read.
  let count: Int

  /// No search gets to the end of more.
  static let mostEvents = 200_000

  /// The parameters are those of the scenario's own initializer.
  init(
    _ reader: HistoryReader, session: Int64, through last: Int64? = nil, only: Set<Int32>? = nil,
    registry: ControllerRegistry, with replacement: Replacement = .none
  ) throws {
    let controllers = registry.current(try reader.controllers(session: session))
    let cast = try Cast(controllers, only: only, registry: registry, with: replacement)
    var recording = RecordedSide(session, cast, registry.current(try reader.names()), [])
    try recording.read(
      RecordedEvents(reader, session: session, through: last), isWhole: last == nil,
      Self.mostEvents)
    var writer = ScenarioWriter(cast, recording.writer.script, end: recording.lastTime)
    writer.write()
    var scenario = writer.scenario
    scenario.doubts += recording.writer.script.doubts + recording.doubts
    scenario.doubts += recording.writer.script.unplayed.sorted { $0.key < $1.key }.map {
      .unplayedQuestion(controller: $0, seq: $1)
    }
    let searched = Set(scenario.controllers.map(\.id))
    let same = searched.filter { cast.isSame($0) }
    // What the recording does not tell is in doubt for every controller that takes its part.
    let known = controllers.filter { searched.contains($0.id) && registry.contains($0.kind) }
    if !known.isEmpty {
      let verification = try Verification(
        reader, session: session, through: last, only: Set(known.map(\.id)), registry: registry)
      var replay = try verification.run()
      // A class may leave something behind that the next one finds.
      if known.contains(where: { registry.makesOwn($0.kind) }) {
        replay = replay.confirmed(by: try verification.run())
      }
      scenario.doubts += replay.doubts.filter(\.isAboutConduct)
      let parted = Dictionary(
        replay.divergences.map { ($0.controller, $0.seq) }, uniquingKeysWith: min)
      scenario.parting = parted.filter { same.contains($0.key) }.values.min()
      scenario.recorded = try HistoryCheck(reader).session(session, through: last).findings.filter {
        guard same.contains($0.controller) else { return false }
        guard let parted = parted[$0.controller] else { return true }
        return !$0.code.isAboutTheEnd && $0.seq < parted
      }
    }
    scenario.recordedOrder = writer.order.map(\.step)
    self.scenario = scenario
    requests = writer.ids
    seqs = Dictionary(writer.order.map { ($0.step, $0.place) }) { first, _ in first }
    count = recording.count
  }
}

extension RecordedOrder {
  /// The message at which a track made a recorded move.
  func message(
    ofMove seq: Int64, _ reader: HistoryReader, session: Int64
  ) throws -> Int? {
    try FindingKey.message(ofMove: seq) {
      try reader.event($0, session: session)
    } told: { seq in
      scenario.messages.first { $0.seq == seq }?.id
    }
  }

  /// What identifies a recorded finding in runs of the scenario.
  ///
  /// - Parameter names: the names of the history.
  func key(
    of finding: Finding, _ reader: HistoryReader, session: Int64, _ names: [Int32: String]
  ) throws -> FindingKey {
    let message = try message(ofMove: finding.seq, reader, session: session)
    return FindingKey(finding, message: message) { visit in
      requests[VisitKey(controller: finding.controller, visit: visit)]
    } name: {
      names[$0]
    }
  }
}

extension RuleCode {
  /// Whether it is about what did not happen until the end, and not about the finding's event alone.
  var isAboutTheEnd: Bool { self == .neverEntered || awaited != nil }
}
