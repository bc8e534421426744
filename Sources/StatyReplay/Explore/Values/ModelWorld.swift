import Staty
import StatyHistory

/// A policy and how far the visits have got: everything that decides what can happen next.
struct ModelWorld<Policy: TransitionPolicy> {
  var policy: Policy
  var courses: ModelCourses

  /// About how many bytes it holds beside its own: policies keep those who wait elsewhere.
  var outside: Int {
    let snapshot = policy.snapshot
    let requests =
      snapshot.waiting.count * MemoryLayout<Request?>.stride
      + snapshot.standing.count * MemoryLayout<PolicySnapshot.Standing>.stride
    // Arrays grow by doubling, and begin with a few words about themselves.
    let policy = requests == 0 ? 0 : 2 * requests + 64
    return policy + (courses.ranks.isEmpty ? 0 : courses.ranks.count + 32)
  }

  /// A number that stands for it: worlds in which the same can happen have the same.
  @inline(__always)
  func fingerprint() -> UInt64 {
    var hasher = Hasher()
    policy.hash(into: &hasher)
    let value = courses.mix(UInt64(bitPattern: Int64(hasher.finalize())))
    // Nothing has the number that stands for an empty place.
    return value == 0 ? 1 : value
  }
}
