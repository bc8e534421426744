package import Staty
package import StatyHistory
package import StatyRules

/// The result of playing a session again with a change.
package struct WhatIfResult: Equatable, Sendable {
  /// The result in a word.
  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// The recording broke rules, and the replay does not.
    case fixed
    /// Neither the recording nor the replay breaks a rule.
    case clean
    /// The same rule is still broken.
    case stillBroken = "still broken"
    /// A rule is broken that the recording does not break.
    case newlyBroken = "newly broken"
    /// Nothing is proven, for the reasons in ``WhatIfResult/doubts``.
    case inconclusive
  }

  /// The findings in the recording, at the played controllers.
  package var recorded: [Finding] = []
  /// The findings in the recording after the event to end with, about visits that were requested by
  /// then: the replay also goes on until they have come to rest.
  package var recordedLater: [Finding] = []
  /// The findings in the replay; their numbers are those of ``events``.
  package var findings: [Finding] = []
  /// What was assumed, in the order in which it was needed.
  package var assumptions: [Assumption] = []
  /// What prevents a verdict.
  package var doubts: [ReplayDoubt] = []
  /// What happened, as a recorder would write it.
  ///
  /// The numbers equal those of the recording until the replay differs.
  package var events: [EventRow] = []
  /// The names that the events use.
  package var names: [Int32: String] = [:]
  /// The controllers as they were played.
  package var controllers: [ControllerRecord] = []
  /// The recorded numbers of visits, by controller and by the visits' numbers here.
  package var recordedVisits: [Int32: [UInt32: UInt32]] = [:]
  /// A hash of everything that happened and was found, the same in every run and process.
  package var digest: UInt64 = 0

  /// The verdict.
  ///
  /// A broken rule in the replay counts in spite of most doubts; that none is broken does not. If a
  /// class may do something else than it would in the app, neither does.
  package var verdict: Verdict {
    let before = codes(recorded)
    let now = codes(findings)
    if doubts.contains(where: \.isAboutConduct) { return .inconclusive }
    if !now.isDisjoint(with: before.union(codes(recordedLater))) { return .stillBroken }
    if !now.isEmpty { return .newlyBroken }
    if !doubts.isEmpty { return .inconclusive }
    return before.isEmpty ? .clean : .fixed
  }

  /// The result, compared with that of another run; both should be equal.
  package func confirmed(by other: WhatIfResult) -> WhatIfResult {
    guard digest != other.digest else { return self }
    var result = self
    result.doubts.append(.hiddenInput)
    return result
  }

  /// The findings in the replay that decide the verdict.
  package var decisive: [Finding] { findings.filter(\.isSought) }

  private func codes(_ findings: [Finding]) -> Set<RuleCode> {
    Set(findings.filter(\.isSought).map(\.code))
  }
}

/// Something that a what-if replay assumed because the recording does not say it.
package enum Assumption: Hashable, Sendable {
  /// How long a state took to enter or to exit.
  case duration(AssumedVisit, Completion, microseconds: Int64, DurationSource)
  /// The state did not answer, as in the recording.
  case silent(AssumedVisit, Completion)
  /// The request with this number was not made, because its origin never entered or was never told
  /// to exit.
  case leftOut(seq: Int64, AssumedVisit, becauseOf: AssumedVisit, EventKind)
  /// The message or request with this number did not come, because the message that it answers, or in
  /// whose handling it came, did not.
  case unasked(seq: Int64, name: String, because: Int64)
  /// The message with this number did not come, because in the handling of the one that it answers nothing
  /// was asked that it could answer, or that is awaited no more.
  case notAsked(seq: Int64, name: String, because: Int64)
  /// The visit was waiting when the recording began. Another kind of controller cannot continue
  /// with the recorded line, so the request was made again.
  case askedAgain(AssumedVisit)
  /// The controller was asked, but made no request of it.
  case notTaken(seq: Int64, AssumedVisit)
  /// The delay of a step that was not recorded.
  case step(controller: Int32, microseconds: Int64)
  /// The edit changed nothing, because the event to edit did not happen.
  case noEffect(Edit)
}

/// The source of a duration that was not recorded.
package enum DurationSource: String, Hashable, Sendable {
  /// The median of states of the same name in the session.
  case session
  /// The default, because nothing is known.
  case assumed
}

/// A visit that an assumption is about.
public struct AssumedVisit: Hashable, Sendable {
  /// The number of the controller in the file.
  public var controller: Int32
  /// Its number in the replay; `nil` if it was not played.
  public var played: UInt32?
  /// Its number in the recording; `nil` if it is not there.
  public var recorded: UInt32?
  /// The name of its state; `nil` if it is not known.
  public var state: String?
}
