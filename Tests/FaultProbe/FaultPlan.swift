import Synchronization

/// Which of the calls that come fail.
final class FaultPlan: Sendable {
  private let count = Atomic(0)
  private let first = Atomic(Int.max)
  private let isForGood = Atomic(false)
  private let struck = Atomic(0)

  /// How many calls have failed since it was armed.
  var strikes: Int { struck.load(ordering: .acquiring) }

  /// Lets the call with this number fail, counted from now and from 1, or all from there on.
  func arm(at index: Int, forGood: Bool) {
    disarm()
    count.store(0, ordering: .releasing)
    struck.store(0, ordering: .releasing)
    isForGood.store(forGood, ordering: .releasing)
    first.store(index, ordering: .releasing)
  }

  /// Lets no call fail.
  func disarm() {
    first.store(.max, ordering: .releasing)
  }

  /// Counts a call, and says whether it fails.
  func strikes(_ isAffected: Bool = true) -> Bool {
    guard isAffected else { return false }
    let number = count.add(1, ordering: .acquiringAndReleasing).newValue
    let index = first.load(ordering: .acquiring)
    guard number == index || number > index && isForGood.load(ordering: .acquiring) else {
      return false
    }
    struck.add(1, ordering: .acquiringAndReleasing)
    return true
  }
}
