import StatyHistory
import StatyReplay
import StatyRules

/// One session, replayed as often as was wanted, and what the rules say of it.
struct SessionReplay {
  /// How a session is to be replayed.
  struct Plan {
    let choice: SessionChoice
    /// The number of the event to end with.
    let last: Int64?
    /// The kind of controller to replay with instead of the recorded one.
    let policy: String?
    /// What drives the controllers.
    let engine: ReplayEngine
    /// What the tool is called.
    let tool: String

    /// The number of the event to end with in this session.
    ///
    /// - Parameter pin: the last event of the file when the first run began: what is recorded
    ///   meanwhile is not for any run to see.
    func end(of session: SessionRecord, pin: Int64?) -> Int64? {
      guard session.ended == .open, let pin else { return last }
      return min(last ?? pin, pin)
    }
  }

  let history: OpenHistory
  let session: SessionRecord
  let plan: Plan
  let controllers: [ControllerRecord]
  let losses: [LossRecord]
  /// What came of the first run, as far as the controllers are meant.
  let result: ReplayResult
  /// What the rules say of what was recorded.
  let findings: [Finding]
  /// How many runs were made, and why they do not agree, if they do not.
  var runs = 1
  var disagreement: Disagreement?
  /// What would have come of it with another kind of controller, if one was named.
  var whatIf: WhatIfReplay?

  /// Why more runs than one say less than one.
  enum Disagreement: Equatable {
    /// This run went another way than the first.
    case differs(run: Int)
    /// There was no other run.
    case notMade(reason: String)
  }

  /// Replays a session once.
  init(
    _ session: SessionRecord, of history: OpenHistory, plan: Plan, pin: Int64?, isChecked: Bool
  ) throws {
    self.history = history
    self.session = session
    self.plan = plan
    controllers = try history.reader.controllers(session: session.id).filter(plan.choice.means)
    losses = try history.reader.losses(session: session.id)
    let last = plan.end(of: session, pin: pin)
    let meant = Set(controllers.map(\.id))
    result = try plan.engine.replay(
      session, history.reader, through: last, with: plan.policy, about: meant)
    findings =
      isChecked
      ? try HistoryCheck(history.reader).session(session.id).findings.filter {
        meant.contains($0.controller) && $0.seq <= last ?? .max
      } : []
  }

  /// The verdict: what differs from run to run says nothing about what was recorded.
  var verdict: ReplayResult.Verdict {
    disagreement == nil ? result.verdict : .inconclusive
  }

  /// How many events of the session are missing.
  var lost: Int64 { losses.reduce(0) { $0 &+ $1.count } }

  var status: ExitCode {
    switch verdict {
    case .reproduced: .done
    case .diverged: .broken
    case .inconclusive: .inconclusive
    }
  }

  /// What two runs must have in common, in one line.
  var outcome: String {
    JSONValue.object([
      "session": .whole(session.id), "digest": .text(String(result.digest, radix: 16)),
      "result": ReplayJSON.value(result),
    ]).line
  }
}
