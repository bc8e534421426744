public import Staty

/// What reaches a navigator.
public enum PopMessage: RecordedMessage {
  case push(Screen)
  case pop
  /// The navigation controller has popped, by itself or because it was told to.
  case popped
}

/// The navigation controller on the screen.
@MainActor public protocol NavigationStage {
  var count: Int { get }
  func push(_ screen: Screen)
  func pop(_ done: @escaping () -> Void)
}

/// One `pop` removes two screens (UIPilot 34).
@MainActor public final class NavigatorModel {
  public let track = StackTrack("gallery-path")
  public private(set) var path: [Screen] = [] { didSet { track.moved(to: path) } }
  private let stage: any NavigationStage
  private let version: Version

  public init(_ stage: any NavigationStage, _ version: Version) {
    (self.stage, self.version) = (stage, version)
  }

  public func send(_ message: PopMessage, answering question: MessageOrigin? = nil) {
    track.received(message, answering: question) { handle(message) }
  }

  private func handle(_ message: PopMessage) {
    switch message {
    case .push(let screen):
      path.append(screen)
      stage.push(screen)
    case .pop:
      guard !path.isEmpty else { return }
      path.removeLast()
      let question = MessageOrigin.current
      stage.pop { [weak self] in self?.send(.popped, answering: question) }
    case .popped:
      // Fixed: a pop that was asked for has been taken from the path.
      let gone = version == .fixed ? max(0, path.count - stage.count) : min(1, path.count)
      path.removeLast(gone)
    }
  }
}
