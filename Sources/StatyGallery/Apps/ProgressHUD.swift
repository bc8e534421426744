public import Staty

/// What reaches a progress HUD.
public enum HUDMessage: RecordedMessage {
  case show, dismiss
  case queued
}

/// Runs a block later, as the main queue does.
@MainActor public protocol Queue {
  func later(_ block: @escaping () -> Void)
}

/// The dismissal overtakes the queued show, and the spinner stays for ever (SVProgressHUD 555).
@MainActor public final class HUDModel {
  public enum State: Hashable {
    case hidden, shown
  }

  public let track = StateTrack("gallery-hud", State.hidden)
  public private(set) var state = State.hidden { didSet { track.moved(to: state) } }
  private var isWanted = false
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
      isWanted = true
      let question = MessageOrigin.current
      queue.later { [weak self] in self?.send(.queued, answering: question) }
    case .dismiss:
      isWanted = false
      if state == .shown { state = .hidden }
    case .queued:
      if version == .mended, !isWanted { return }
      state = .shown
    }
  }
}
