import Staty
import StatyHistory

/// The result of replaying one session.
package struct ReplayResult: Hashable, Sendable {
  /// The result in a word.
  package enum Verdict: String, Hashable, Sendable {
    /// The replay made every output again, as recorded and where recorded.
    case reproduced
    /// Something else happened.
    case diverged
    /// Nothing is proven, for the reasons in ``ReplayResult/doubts``.
    case inconclusive
  }

  /// The most values of a kind that are kept; the rest is counted, so that a result does not grow
  /// with the file.
  package static let most = 100

  /// The divergences: the first, and those that do not follow from it.
  ///
  /// Only the first ``most``, and then the first that is not ``Divergence/Difference/Kind/moved``.
  package private(set) var divergences: [Divergence] = []
  /// How many such divergences there were.
  package private(set) var divergenceCount = 0
  /// Later differences at app's own controllers, which may follow from their first divergences: the
  /// first ``most``.
  package private(set) var consequences: [Divergence] = []
  /// What prevents a verdict, the first ``most``.
  package private(set) var doubts: [ReplayDoubt] = []
  /// How many doubts there were.
  package private(set) var doubtCount = 0
  /// The controllers of which one of them is that brackets lack.
  private var unbracketed: Set<Int32> = []
  /// The numbers of recorded inputs that could not be told, because the events around them did not
  /// happen: the first ``most``.
  package private(set) var unreached: [Int64] = []
  /// How many inputs could not be told.
  package private(set) var unreachedCount = 0
  /// How many recorded outputs were reproduced.
  package var matched = 0
  /// How many inputs were told.
  package var told = 0
  /// A hash of everything that was told and decided, the same in every run and process.
  package var digest: UInt64 = 0

  /// The verdict.
  ///
  /// A divergence counts in spite of doubts, because they begin after it. Only if two runs differ,
  /// neither counts. An input that could not be told without a divergence lies inside an event that
  /// is not in the recording, so its effect is not known.
  package var verdict: Verdict {
    if doubts.contains(.hiddenInput) { return .inconclusive }
    guard divergences.isEmpty else { return .diverged }
    return doubts.isEmpty && unreached.isEmpty ? .reproduced : .inconclusive
  }

  /// The result, compared with that of an earlier run from the same recording; both should be
  /// equal.
  package func confirmed(by other: ReplayResult) -> ReplayResult {
    guard digest != other.digest, !doubts.contains(.hiddenInput) else { return self }
    var result = self
    result.doubts.append(.hiddenInput)
    result.doubtCount += 1
    return result
  }
}

// Adding to a result.
extension ReplayResult {
  mutating func add(_ divergence: Divergence, isConsequence: Bool = false) {
    if isConsequence {
      if consequences.count < Self.most { consequences.append(divergence) }
      return
    }
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
    if case .unbracketed(let controller, _, _) = doubt { unbracketed.insert(controller) }
  }

  /// Notes that a controller without brackets is told something while it is at work: only the first
  /// time for each.
  mutating func addUnbracketed(at seq: Int64, of controller: Int32) {
    if unbracketed.contains(controller) { return }
    add(.unbracketed(controller: controller, seq: seq, .controller))
  }

  mutating func add(unreached seq: Int64) {
    unreachedCount += 1
    if unreached.count < Self.most { unreached.append(seq) }
  }

  /// Adds the time of each divergence.
  mutating func lookUpTimes(
    _ time: (Int64) throws(HistoryError) -> Int64?
  ) throws(HistoryError) {
    for place in divergences.indices {
      divergences[place].time = try time(divergences[place].seq) ?? divergences[place].time
    }
  }

  /// Ends the replay.
  mutating func finish(_ digest: ReplayDigest) {
    // Policies are compared when they are read, which may be ahead of the classes.
    divergences.sort { $0.seq < $1.seq }
    // Without any decision there is nothing to reproduce.
    if verdict == .reproduced, matched == 0 { add(.nothingToCompare) }
    var digest = digest
    for count in [matched, told, divergenceCount, doubtCount, unreachedCount] {
      digest.add(UInt64(count))
    }
    self.digest = digest.value
  }
}
