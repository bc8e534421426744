public import Staty

/// What reaches a progress HUD.
public enum HUDMessage: RecordedMessage {
  case show, dismiss
  case queued(Int)
}

/// Runs a block later, as the main queue does.
@MainActor public protocol Queue {
  func later(_ block: @escaping () -> Void)
}

/// The dismissal overtakes the queued show, and the spinner never stops (SVProgressHUD 555).
@MainActor public final class HUDModel {
  public enum State: Hashable {
    case hidden, shown
  }

  public let track = StateTrack("gallery-hud", State.hidden)
  public private(set) var state = State.hidden { didSet { track.moved(to: state) } }
  private var last = 0
  private var wanted: Int?
  private let queue: any Queue
  private let version: Version

  public init(_ queue: any Queue, _ version: Version) {
    (self.queue, self.version) = (queue, version)
  }

  public func send(_ message: HUDMessage, answering question: MessageOrigin? = nil) {
    track.received(message, answering: question) { handle(message) }
  }

  private func handle(_ message: HUDMessage) {
    switch message {
    case .show:
      last += 1
      wanted = last
      let question = MessageOrigin.current
      queue.later { [weak self, last] in self?.send(.queued(last), answering: question) }
    case .dismiss:
      wanted = nil
      if state == .shown { state = .hidden }
    case .queued(let number):
      // Fixed: it may have been dismissed since.
      if version == .fixed, wanted != number { return }
      state = .shown
    }
  }
}
