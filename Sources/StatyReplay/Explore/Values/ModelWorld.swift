import Staty
import StatyHistory

/// A policy and how far the visits have got: everything that decides what can happen next.
struct ModelWorld<Policy: TransitionPolicy> {
  var policy: Policy
  var courses: ModelCourses

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
