import Staty
import StatyHistory

// What is under way while controllers are run again.
extension OpaqueReplay {
  /// Something a controller reported, while its handling lasts or observers hear of it.
  struct Frame {
    let number: UInt64
    let controller: Int32
    let kind: EventKind
    /// The number of the recorded event that it is; `nil` if the recording does not have it.
    let seq: Int64?
    let thread: UInt8
    /// Whether observers are hearing of it.
    var isHeard = false
    /// What was told as soon as this was made, though the controller may have made it.
    var toldAtOnce: Placement.Making?

    init(_ event: TransitionEvent, _ controller: Int32, seq: Int64?, thread: UInt8) {
      (number, kind) = (event.number, event.kind)
      (self.controller, self.seq, self.thread) = (controller, seq, thread)
    }

    /// Whether a state is told something in it.
    var isOrder: Bool { kind == .entering || kind == .exiting }
  }

  /// An input on its way to a controller, which will report it.
  struct Telling {
    let entry: RecordingWindow.Entry
    let controller: Int32
    var isReported = false
  }
}

/// Stands inside one controller's probe, and among its observers.
final class ReplayFollower: ProbeFollower, TransitionObserver {
  weak var replay: OpaqueReplay?
  private let controller: Int32

  init(_ replay: OpaqueReplay, _ controller: Int32) {
    self.replay = replay
    self.controller = controller
  }

  var requestedName: StateName? { replay?.requestedName(controller) }

  func made(_ event: TransitionEvent, about object: AnyObject?) -> Bool {
    replay?.made(event, controller, about: object) ?? true
  }

  func observe(_ event: borrowing TransitionEvent) {
    replay?.heard(event.number)
  }

  func finished(_ event: TransitionEvent) {
    replay?.finished(event)
  }
}
