public import Staty
internal import StatyHistory
public import StatyRules

/// Why a replay, or a part of it, proves nothing.
public enum ReplayDoubt: Hashable, Sendable {
  /// Events are missing from here on, so this controller is replayed only up to here.
  case gap(controller: Int32, seq: Int64)
  /// The registry does not say how to make a controller of this kind.
  case unknownController(controller: Int32, kind: String)
  /// The snapshot with which the controller's recording begins cannot be read.
  case unreadableSnapshot(controller: Int32)
  /// An event holds a value that no version has written.
  case unreadable(seq: Int64)
  /// The recording holds no decision that could be compared.
  case nothingToCompare
  /// No controller decided anything in the what-if replay, or this one did not, at which the
  /// recording broke a rule.
  case nothingPlayed(controller: Int32?)
  /// The track moved when it was recorded, and its model does not move it at all when it is played.
  case unmoved(controller: Int32)
  /// The recording broke the mirror of the track, and the track that says what is shown is not played.
  case halfMirror(controller: Int32)
  /// Requests were made of the controller, and it reported nothing that it did about them in any
  /// order that was searched.
  case silent(controller: Int32)
  /// A search tried the track's messages in their recorded order alone, because none says what it
  /// answers.
  case keptOrder(controller: Int32)
  /// The message of this event answers one of a controller that is not played: when it may come is not
  /// known. Only the first of each controller is reported.
  case unplayedQuestion(controller: Int32, seq: Int64)
  /// A state was told something in the event with this number and never answered. The what-if
  /// replay breaks no rule only because it assumes that the state answers there.
  case unanswered(seq: Int64, AssumedVisit, Completion)
  /// The state that was requested in the event with this number was told to enter when it was recorded. In the what-if
  /// replay it still waits at the end.
  case leftWaiting(seq: Int64, AssumedVisit)
  /// The event with this number was to come otherwise, and did not come at all in the what-if replay.
  case noEffect(seq: Int64)
  /// The message of this event did not come in the what-if replay: something else than it answers was asked
  /// for, or nothing.
  case askedOtherwise(seq: Int64)
  /// Recording began while the controller was at work, and a replay cannot continue from there.
  case lateAttachment(controller: Int32)
  /// The controller's factory threw; the reason is its error.
  case notMade(controller: Int32, reason: String)
  /// The controller was told of this event while it handled another on another thread.
  case overlappingHandling(controller: Int32, seq: Int64)
  /// The controller ran without end when it was told this event.
  case runaway(controller: Int32, seq: Int64)
  /// The controller had not come to rest when the time of the replay was up. The event is the last
  /// recorded one that it was told.
  case unsettled(controller: Int32, seq: Int64)
  /// A message cannot be told again: the controller was replayed up to it.
  case untoldMessage(controller: Int32, seq: Int64, name: String, UntoldMessage)
  /// The registry gives no way to tell the controller this event.
  case cannotBeTold(controller: Int32, seq: Int64)
  /// The recording does not say which code caused the event with this number. The controller was
  /// replayed up to there. Only the first such event of each controller is reported.
  case unbracketed(controller: Int32, seq: Int64, Unbracketed)
  /// An event is recorded inside another one that was over by then: no recorder wrote that.
  case misplaced(seq: Int64, cause: Int64)
  /// In the replay ever more requests wait at the controller that the recording does not know. It
  /// was replayed up to this event.
  case outgrown(controller: Int32, seq: Int64)
  /// The recording breaks a rule in the event with this number, and no searched order breaks it:
  /// the search lacks something that the recording has.
  case unmet(controller: Int32, seq: Int64, RuleCode)
  /// The event with this number happened in a call that the controller makes. A search cannot tell
  /// it there.
  case cannotBePlaced(controller: Int32, seq: Int64)
  /// A condition of the app's own changes its model when it is looked at.
  case meddling(controller: Int32, condition: String)
  /// The controller did something in a task, or on another thread than the one that runs it.
  case elsewhere(controller: Int32)
  /// The controller holds a state weakly: when the app releases it is not recorded, and a replay keeps
  /// it.
  case heldWeakly(controller: Int32)
  /// The controller has asked other code for something that is not recorded.
  case unrecordedAnswer(controller: Int32)
  /// The controller shows a state that it has made itself, and nothing in a search lets that report.
  case ownStates(controller: Int32)
  /// Two runs from the same recording differ, so the controller has an input that is not recorded.
  case hiddenInput

  /// A call that lacks a bracket, or has a bracket that holds too much.
  public enum Unbracketed: Hashable, Sendable {
    /// The controller was recorded without brackets, so it is not known in which call the event happened.
    case controller
    /// The event lies directly in the handling of the event with this number, and in the replay the
    /// controller does not make it by itself: something was called without a bracket.
    case call(in: Int64)
    /// The event lies in a call of the event with this number, and the bracket holds more than the
    /// call.
    case tooWide(in: Int64)
    /// The controller acted on something that it did not report: an input, or a deferred step.
    case unreported
    /// The value of a track changed outside of any message.
    case outsideMessage
  }
}

extension ReplayDoubt {
  /// Whether it says that what is run may not be what the app's own class does, so that a broken rule
  /// proves as little as none.
  var isAboutConduct: Bool {
    switch self {
    case .unbracketed, .misplaced, .overlappingHandling, .silent, .elsewhere, .heldWeakly,
      .ownStates, .hiddenInput:
      true
    default: false
    }
  }

  /// Whether a track has to move when its recording is played.
  ///
  /// A right model may ignore the messages at which a rule was broken, and then it may not move at
  /// all. Other recorded moves have to happen.
  ///
  /// - Parameters:
  ///   - moves: the number of its recorded moves.
  ///   - findings: the number of its recorded findings.
  static func hasToMove(moves: Int, findings: Int) -> Bool { moves > max(1, findings) }
}

extension ReplayDoubt.Unbracketed {
  /// That nothing reported leads to an event of this kind.
  static func unled(_ kind: EventKind) -> Self { kind == .moved ? .outsideMessage : .unreported }
}

extension [ReplayDoubt] {
  /// Adds those that are new.
  mutating func note(_ doubts: [ReplayDoubt]) {
    for doubt in doubts where !contains(doubt) { append(doubt) }
  }
}
