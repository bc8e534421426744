public import Staty

/// The timer of a toast goes on when the toast is shown again, and hides the later one too early
/// (sanzaru/SimpleToast #5).
@MainActor public final class TimedToast {
  public enum State: Hashable {
    case hidden
    case shown(String)
  }

  public let track = StateTrack("toast", State.hidden)
  public private(set) var state = State.hidden { didSet { track.moved(to: state) } }
  private let time: Duration
  private let version: Version
  private var timer: Task<Void, Never>?

  public init(time: Duration = .seconds(5), _ version: Version) {
    (self.time, self.version) = (time, version)
  }

  public func show(_ text: String) {
    track.received("show") {
      state = .shown(text)
      // Fixed: the time begins again.
      if version == .fixed { timer?.cancel() }
      timer = Task {
        guard (try? await Task.sleep(for: time)) != nil else { return }
        // Fixed: the time may be over already, and the task not run yet.
        if version == .fixed, Task.isCancelled { return }
        state = .hidden
      }
    }
  }
}
