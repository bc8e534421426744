package import Staty
package import StatyHistory
package import StatyRules

/// What came of playing a session again with something changed.
package struct WhatIfResult: Equatable, Sendable {
  /// In a word.
  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// The recording broke rules, and what was played does not.
    case fixed
    /// Neither did.
    case clean
    /// An error of the same code is still there.
    case stillBroken = "still broken"
    /// There is an error, of a code that the recording does not have.
    case newlyBroken = "newly broken"
    /// It cannot be said, for the reasons given.
    case inconclusive
  }

  /// The findings in the recording, at the controllers that were played.
  package var recorded: [Finding] = []
  /// The findings in the recording after the event to end with, at visits that were asked for by
  /// then: what was played goes on until they have come to rest, too.
  package var recordedLater: [Finding] = []
  /// The findings in what was played; their numbers are those of ``events``.
  package var findings: [Finding] = []
  /// What was taken for granted, in the order in which it was needed.
  package var assumptions: [Assumption] = []
  /// What stands in the way of a verdict.
  package var doubts: [ReplayDoubt] = []
  /// What happened, as a recorder would have it.
  ///
  /// As long as nothing goes another way the numbers are those of the recording.
  package var events: [EventRow] = []
  /// The names that the events use.
  package var names: [Int32: String] = [:]
  /// The controllers as they were played.
  package var controllers: [ControllerRecord] = []
  /// The recorded numbers of visits, by controller and by the visits' numbers here.
  package var recordedVisits: [Int32: [UInt32: UInt32]] = [:]
  /// Stands for everything that happened and was found, the same in every run and process.
  package var digest: UInt64 = 0

  /// The verdict.
  ///
  /// An error that is there is told however much is in doubt; that there is none is not.
  package var verdict: Verdict {
    let before = codes(recorded)
    let now = codes(findings)
    if doubts.contains(.hiddenInput) { return .inconclusive }
    if !now.isDisjoint(with: before.union(codes(recordedLater))) { return .stillBroken }
    if !now.isEmpty { return .newlyBroken }
    if !doubts.isEmpty { return .inconclusive }
    return before.isEmpty ? .clean : .fixed
  }

  /// The errors in what was played that the verdict is about.
  package var errors: [Finding] { findings.filter { $0.severity == .error } }

  private func codes(_ findings: [Finding]) -> Set<RuleCode> {
    Set(findings.filter { $0.severity == .error }.map(\.code))
  }
}

/// Something that a what-if replay took for granted because nobody can know it.
package enum Assumption: Hashable, Sendable {
  /// How long a state took to come in or to exit.
  case duration(AssumedVisit, Completion, microseconds: Int64, DurationSource)
  /// As in the recording, the state did not answer.
  case silent(AssumedVisit, Completion)
  /// The request with this number did not come, because what it answers to did not happen: the
  /// visit that asked never came in, or was never told to exit.
  case leftOut(seq: Int64, AssumedVisit, becauseOf: AssumedVisit, EventKind)
  /// The message with this number did not come, because the one that it answers did not.
  case unasked(seq: Int64, name: String, answering: Int64)
  /// The visit waited when the recording began. Another kind of controller cannot take up a line
  /// where it stands, so it was asked for again.
  case askedAgain(AssumedVisit)
  /// The controller was asked, but made no request of it.
  case notTaken(seq: Int64, AssumedVisit)
  /// How long a step took that a controller put off and that was not recorded.
  case step(controller: Int32, microseconds: Int64)
  /// The edit changed nothing, because what it is about did not happen.
  case noEffect(Edit)
}

/// Where a duration that was not recorded comes from.
package enum DurationSource: String, Hashable, Sendable {
  /// What states of the same name mostly took in the session.
  case session
  /// What is assumed when nothing is known.
  case assumed
}

/// A visit that an assumption is about.
public struct AssumedVisit: Hashable, Sendable {
  /// The number of the controller in the file.
  public var controller: Int32
  /// Its number in what was played; `nil` if it was not.
  public var played: UInt32?
  /// Its number in the recording; `nil` if it is not there.
  public var recorded: UInt32?
  /// The name of its state; `nil` if it is not known.
  public var state: String?

  /// A visit of this controller.
  package init(
    controller: Int32, played: UInt32? = nil, recorded: UInt32? = nil, state: String? = nil
  ) {
    self.controller = controller
    self.played = played
    self.recorded = recorded
    self.state = state
  }
}
