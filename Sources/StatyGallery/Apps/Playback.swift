public import Staty

/// What reaches a player.
public enum PlaybackMessage: RecordedMessage {
  case load(playWhenReady: Bool)
  case pause
  case ready(Int)
}

/// Loads what is played.
@MainActor public protocol MediaLoader {
  func load(_ done: @escaping () -> Void)
}

/// Pause while the item loads, and it plays anyway (SwiftAudio 114).
@MainActor public final class PlaybackModel {
  public enum State: Hashable {
    case idle, loading, paused, playing
  }

  public let track = StateTrack("gallery-player", State.idle)
  public private(set) var state = State.idle { didSet { track.moved(to: state) } }
  private var playsWhenReady = false
  private var item = 0
  private let loader: any MediaLoader
  private let version: Version

  public init(_ loader: any MediaLoader, _ version: Version) {
    (self.loader, self.version) = (loader, version)
  }

  public func send(_ message: PlaybackMessage, answering question: MessageOrigin? = nil) {
    track.received(message, answering: question) { handle(message) }
  }

  private func handle(_ message: PlaybackMessage) {
    switch message {
    case .load(let plays):
      playsWhenReady = plays
      item += 1
      state = .loading
      let question = MessageOrigin.current
      loader.load { [weak self, item] in self?.send(.ready(item), answering: question) }
    case .pause:
      if version == .fixed { playsWhenReady = false }
      if state == .playing { state = .paused }
    case .ready(let loaded):
      guard loaded == item else { return }
      state = playsWhenReady ? .playing : .paused
    }
  }
}
