public import Staty
import StatyHistory

/// What came of replaying one session.
public struct ReplayResult: Hashable, Sendable {
  /// In a word.
  public enum Verdict: String, Hashable, Sendable {
    /// Every output was made again, as it was and where it was.
    case reproduced
    /// Something else happened.
    case diverged
    /// It cannot be said, for the reasons given.
    case inconclusive
  }

  /// Why a replay, or a part of it, says nothing.
  public enum Doubt: Hashable, Sendable {
    /// Events are missing from here on, so this controller is replayed only up to here.
    case gap(controller: Int32, seq: Int64)
    /// The recording was cut off at its beginning, and where this controller stood there is not
    /// known.
    case cut(controller: Int32, seq: Int64)
    /// Nobody has told how to make a controller of this kind.
    case unknownController(controller: Int32, policy: String)
    /// An event says something that no version has written.
    case unreadable(seq: Int64)
    /// The recording holds no decision that could be compared.
    case nothingToCompare
    /// What was played with something changed came to nothing: no controller decided anything, or
    /// this one did not, at which the recording broke a rule.
    case nothingPlayed(controller: Int32?)
    /// A state was told something in the event with this number and never answered, and what was
    /// played with something changed breaks no rule only because it is assumed to answer there.
    case unanswered(seq: Int64, AssumedVisit, Completion)
    /// Recording began while the controller was at work, which cannot be taken up again from
    /// outside.
    case lateAttachment(controller: Int32)
    /// The controller could not be made; the reason is what its factory threw.
    case notMade(controller: Int32, reason: String)
    /// The controller was told of this event while it handled another on another thread.
    case overlappingHandling(controller: Int32, seq: Int64)
    /// The controller went on and on by itself when it came to this event.
    case runaway(controller: Int32, seq: Int64)
    /// The controller had not come to rest when the time that a replay is given was over; the event
    /// is the last recorded one that it was told of.
    case unsettled(controller: Int32, seq: Int64)
    /// What made the controller has no way of telling it this.
    case cannotBeTold(controller: Int32, seq: Int64)
    /// The recording does not say whether the input with this number came before, in the midst of or
    /// after what the controller did there, and it may have been told in another place.
    ///
    /// That is the first of which it is not known and that what comes after it may follow from.
    case guessedPlaces(controller: Int32, seq: Int64, Guess)
    /// Something is recorded as having happened in an event that was over by then: no recorder wrote
    /// that.
    case misplaced(seq: Int64, cause: Int64)
    /// More and more waits at the controller in the replay that the recording knows nothing of; it
    /// was replayed up to this event.
    case outgrown(controller: Int32, seq: Int64)
    /// Two runs from the same recording differ, so something goes in that is not recorded.
    case hiddenInput
  }

  /// Why the place of an input is a guess.
  public enum Guess: Hashable, Sendable {
    /// The controller was recorded without brackets, so in what it happened is not known.
    case unbracketed
    /// It happened inside of another event: before the controller did anything about that, in the
    /// midst of it or after.
    case nested
    /// It happened inside of an event that observers heard of late, when they had heard of another of
    /// the same controller.
    case late
    /// What it happened inside of was over in the replay, or did not happen there.
    case displaced
  }

  /// So many of a kind are kept, and the rest is counted: a result does not grow with the file.
  public static let most = 100

  /// The places where the replay went another way: the first, and those that do not follow from it.
  ///
  /// Only the first ``most``, and then the first that is not ``Divergence/Difference/moved(recorded:replayed:)``.
  public private(set) var divergences: [Divergence] = []
  /// How many such places there were.
  public private(set) var divergenceCount = 0
  /// What stands in the way of a verdict, the first ``most``.
  public private(set) var doubts: [Doubt] = []
  /// How much stands in the way of a verdict.
  public private(set) var doubtCount = 0
  /// The numbers of the recorded inputs that could not be told, because what they happened in did
  /// not happen: the first ``most``.
  public private(set) var unreached: [Int64] = []
  /// How many inputs could not be told.
  public private(set) var unreachedCount = 0
  /// How many recorded outputs were made again.
  public var matched = 0
  /// How many inputs were told.
  public var told = 0
  /// Stands for everything that was told and decided, the same in every run and process.
  public var digest: UInt64 = 0

  /// The verdict.
  ///
  /// A divergence is told however much is in doubt: what is in doubt comes after it. Only when two
  /// runs differ, neither counts. An input that could not be told although nothing went another way
  /// happened inside something that is not in the recording, and what it would have come to is not
  /// known.
  public var verdict: Verdict {
    if doubts.contains(.hiddenInput) { return .inconclusive }
    guard divergences.isEmpty else { return .diverged }
    return doubts.isEmpty && unreached.isEmpty ? .reproduced : .inconclusive
  }

  /// The result of this run after another from the same recording, which should have gone the
  /// same way.
  public func confirmed(by other: ReplayResult) -> ReplayResult {
    confirmed(byDigest: other.digest)
  }

  /// The result of this run after another, in another process perhaps, that ended with this digest.
  public func confirmed(byDigest other: UInt64) -> ReplayResult {
    guard digest != other, !doubts.contains(.hiddenInput) else { return self }
    var result = self
    result.doubts.append(.hiddenInput)
    result.doubtCount += 1
    return result
  }
}

// Taking in.
extension ReplayResult {
  mutating func add(_ divergence: Divergence) {
    divergenceCount += 1
    guard divergences.count >= Self.most else { return divergences.append(divergence) }
    if divergence.difference.isMoved || divergences.contains(where: { !$0.difference.isMoved }) {
      return
    }
    divergences.append(divergence)
  }

  mutating func add(_ doubt: Doubt) {
    doubtCount += 1
    if doubts.count < Self.most { doubts.append(doubt) }
  }

  /// The place of an input is a guess: of each controller the first is told.
  mutating func addGuess(_ guess: Guess, at seq: Int64, of controller: Int32) {
    let isKnown = doubts.contains {
      if case .guessedPlaces(controller, _, _) = $0 { true } else { false }
    }
    if !isKnown { add(.guessedPlaces(controller: controller, seq: seq, guess)) }
  }

  mutating func add(unreached seq: Int64) {
    unreachedCount += 1
    if unreached.count < Self.most { unreached.append(seq) }
  }

  /// Says of each divergence when it was.
  mutating func lookUpTimes(
    _ time: (Int64) throws(HistoryError) -> Int64?
  ) throws(HistoryError) {
    for place in divergences.indices {
      divergences[place].time = try time(divergences[place].seq) ?? divergences[place].time
    }
  }

  /// The replay is over.
  mutating func finish(_ digest: ReplayDigest) {
    // To find nothing wrong where nothing was decided says nothing.
    if verdict == .reproduced, matched == 0 { add(.nothingToCompare) }
    var digest = digest
    for count in [matched, told, divergenceCount, doubtCount, unreachedCount] {
      digest.add(UInt64(count))
    }
    self.digest = digest.value
  }
}
