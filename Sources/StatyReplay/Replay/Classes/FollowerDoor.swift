import Staty
import Synchronization

/// Passes on what a probe and scripted states tell, on the thread that runs their class alone, until it
/// is closed.
///
/// The probe and the states keep it for good: a class that goes on in a task may call them on any thread,
/// while the replay lets go of the class.
final class FollowerDoor: ProbeFollower, TransitionObserver, Sendable {
  /// A class of a replay, and what is done about what it reports.
  typealias Follower = OpaqueController & ProbeFollower & TransitionObserver

  private let id: Int32
  private let thread: RunningThread
  private let isClosed = Atomic(false)
  // Set once, in `init`, and loaded on the running thread alone. The probe, which keeps the door, may live
  // longer than the replay.
  nonisolated(unsafe) private weak var follower: (any Follower)?

  init(to follower: any Follower, of id: Int32, on thread: RunningThread) {
    (self.follower, self.id, self.thread) = (follower, id, thread)
  }

  /// Passes nothing on any more.
  func close() { isClosed.store(true, ordering: .relaxed) }

  private var open: (any Follower)? {
    isClosed.load(ordering: .relaxed) || !thread.isCurrent(for: id) ? nil : follower
  }

  var requestedName: StateName? { open?.requestedName }

  func made(_ event: TransitionEvent, about object: AnyObject?) -> Bool {
    // What the class does elsewhere goes no further.
    if isClosed.load(ordering: .relaxed) { return true }
    guard thread.isCurrent(for: id) else { return false }
    return follower?.made(event, about: object) ?? true
  }

  func finished(_ event: TransitionEvent) { open?.finished(event) }
  func deferred(_ step: UInt32) { open?.deferred(step) }
  func observe(_ event: borrowing TransitionEvent) { open?.observe(event) }
  func told(_ script: ReplayState) { open?.told(script) }
}
