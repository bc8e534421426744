import Synchronization

/// Decides which calls fail.
final class FaultPlan: Sendable {
  private let count = Atomic(0)
  private let first = Atomic(Int.max)
  private let last = Atomic(Int.max)
  private let struck = Atomic(0)

  /// The number of calls that have failed since it was armed.
  var strikes: Int { struck.load(ordering: .acquiring) }

  /// Makes this many calls fail, from the one with this number on.
  ///
  /// The next call has number 1.
  func arm(at index: Int, count calls: Int) {
    disarm()
    count.store(0, ordering: .releasing)
    struck.store(0, ordering: .releasing)
    last.store(index > Int.max - calls ? .max : index + calls - 1, ordering: .releasing)
    first.store(index, ordering: .releasing)
  }

  /// Makes no call fail.
  func disarm() {
    first.store(.max, ordering: .releasing)
  }

  /// Counts a call, and returns whether it fails.
  func strikes(_ isAffected: Bool = true) -> Bool {
    guard isAffected else { return false }
    let number = count.add(1, ordering: .acquiringAndReleasing).newValue
    guard number >= first.load(ordering: .acquiring), number <= last.load(ordering: .acquiring)
    else { return false }
    struck.add(1, ordering: .acquiringAndReleasing)
    return true
  }
}
