public import Staty

/// A screen of the app.
public enum Screen: Hashable, Codable, Sendable {
  case list, detail, photo
}

/// What reaches the stack of screens.
public enum PushMessage: RecordedMessage {
  case push(Screen)
  /// The platform has brought the screens up to date with the path.
  case updated
}

/// Brings the screens up to date, some time after it was asked.
@MainActor public protocol ScreenUpdater {
  func update(_ done: @escaping () -> Void)
}

/// Two pushes in quick succession, and only one screen is shown (FlowStacks 3).
@MainActor public final class ScreensModel {
  public let track = StackTrack("gallery-screens")
  public let pathTrack = StackTrack("path")
  /// What is shown.
  public private(set) var screens: [Screen] = [] { didSet { track.moved(to: screens) } }
  /// What should be shown.
  private var path: [Screen] = [] { didSet { pathTrack.moved(to: path) } }
  /// The platform shows one more screen in each update, and takes the rest for shown.
  private var seen = 0
  private let updater: any ScreenUpdater
  private let version: Version

  public init(_ updater: any ScreenUpdater, _ version: Version) {
    (self.updater, self.version) = (updater, version)
    pathTrack.mirrors(track)
  }

  public func send(_ message: PushMessage, answering question: MessageOrigin? = nil) {
    track.received(message, answering: question) { handle(message) }
  }

  private func handle(_ message: PushMessage) {
    switch message {
    case .push(let screen):
      path.append(screen)
      update()
    case .updated:
      guard path.count > seen else { return }
      screens.append(path[seen])
      // Fixed: one screen for each update, until all are shown.
      if version == .fixed { seen += 1 } else { seen = path.count }
    }
  }

  private func update() {
    let question = MessageOrigin.current
    updater.update { [weak self] in self?.send(.updated, answering: question) }
  }
}
