import Staty
import StatyHistory

/// What came of replaying one session.
package struct ReplayResult: Hashable, Sendable {
  /// In a word.
  package enum Verdict: String, Hashable, Sendable {
    /// Every output was made again, as it was and where it was.
    case reproduced
    /// Something else happened.
    case diverged
    /// It cannot be said, for the reasons given.
    case inconclusive
  }

  /// So many of a kind are kept, and the rest is counted: a result does not grow with the file.
  package static let most = 100

  /// The places where the replay went another way: the first, and those that do not follow from it.
  ///
  /// Only the first ``most``, and then the first that is not ``Divergence/Difference/Kind/moved``.
  package private(set) var divergences: [Divergence] = []
  /// How many such places there were.
  package private(set) var divergenceCount = 0
  /// What stands in the way of a verdict, the first ``most``.
  package private(set) var doubts: [ReplayDoubt] = []
  /// How much stands in the way of a verdict.
  package private(set) var doubtCount = 0
  /// The numbers of the recorded inputs that could not be told, because what they happened in did
  /// not happen: the first ``most``.
  package private(set) var unreached: [Int64] = []
  /// How many inputs could not be told.
  package private(set) var unreachedCount = 0
  /// How many recorded outputs were made again.
  package var matched = 0
  /// How many inputs were told.
  package var told = 0
  /// Stands for everything that was told and decided, the same in every run and process.
  package var digest: UInt64 = 0

  /// The verdict.
  ///
  /// A divergence is told however much is in doubt: what is in doubt comes after it. Only when two
  /// runs differ, neither counts. An input that could not be told although nothing went another way
  /// happened inside something that is not in the recording, and what it would have come to is not
  /// known.
  package var verdict: Verdict {
    if doubts.contains(.hiddenInput) { return .inconclusive }
    guard divergences.isEmpty else { return .diverged }
    return doubts.isEmpty && unreached.isEmpty ? .reproduced : .inconclusive
  }

  /// The result of this run after another from the same recording, which should have gone the
  /// same way.
  package func confirmed(by other: ReplayResult) -> ReplayResult {
    confirmed(byDigest: other.digest)
  }

  /// The result of this run after another, in another process perhaps, that ended with this digest.
  func confirmed(byDigest other: UInt64) -> ReplayResult {
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

  mutating func add(_ doubt: ReplayDoubt) {
    doubtCount += 1
    if doubts.count < Self.most { doubts.append(doubt) }
  }

  /// A controller without brackets is told something while it is at work: the first is said of each.
  mutating func addUnbracketed(at seq: Int64, of controller: Int32) {
    let isKnown = doubts.contains {
      if case .unbracketed(controller, _, _) = $0 { true } else { false }
    }
    if !isKnown { add(.unbracketed(controller: controller, seq: seq, .controller)) }
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
    // Policies are compared as they are read, which may be ahead of the classes.
    divergences.sort { $0.seq < $1.seq }
    // To find nothing wrong where nothing was decided says nothing.
    if verdict == .reproduced, matched == 0 { add(.nothingToCompare) }
    var digest = digest
    for count in [matched, told, divergenceCount, doubtCount, unreachedCount] {
      digest.add(UInt64(count))
    }
    self.digest = digest.value
  }
}
