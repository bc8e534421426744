import Foundation
import Staty
import Synchronization

/// What one writes by hand in an afternoon: an array behind a mutex, which a thread stores in batches.
///
/// What it holds is lost when the app is killed.
final class Rival: TransitionObserver, Sendable {
  struct Entry {
    var number: UInt64
    var time: UInt64
    var kind: UInt8
    var visit: UInt32
    var state: StateName?
  }

  private let entries = Mutex<[Entry]>([])

  func observe(_ event: borrowing TransitionEvent) {
    let entry = Entry(
      number: event.number, time: event.time, kind: event.kind.rawValue,
      visit: event.visit?.rawValue ?? 0, state: event.state)
    entries.withLock { $0.append(entry) }
  }

  /// What there is, for the thread that stores it.
  func drain() -> [Entry] {
    entries.withLock { entries in
      let all = entries
      entries.removeAll(keepingCapacity: true)
      return all
    }
  }
}
