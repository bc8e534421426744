import Staty
import StatyHistory

/// A policy and the progress of its visits: everything that decides what can happen next.
struct ModelWorld<Policy: TransitionPolicy> {
  var policy: Policy
  var courses: ModelCourses

  /// The estimated number of bytes that it holds outside of itself: policies keep waiting requests
  /// elsewhere.
  var outside: Int {
    let snapshot = policy.snapshot
    let requests =
      snapshot.waiting.count * MemoryLayout<Request?>.stride
      + snapshot.standing.count * MemoryLayout<PolicySnapshot.Standing>.stride
    // Arrays grow by doubling, and have a header of a few words.
    let policy = requests == 0 ? 0 : 2 * requests + 64
    return policy + (courses.ranks.isEmpty ? 0 : courses.ranks.count + 32)
  }

  /// The hash of the world: worlds with the same future have the same one.
  @inline(__always)
  func fingerprint() -> UInt64 {
    var hasher = Hasher()
    policy.hash(into: &hasher)
    let value = courses.mix(UInt64(bitPattern: Int64(hasher.finalize())))
    // The number of an empty place is reserved.
    return value == 0 ? 1 : value
  }
}
