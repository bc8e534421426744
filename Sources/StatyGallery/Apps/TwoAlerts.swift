public import Staty

/// What reaches a screen with an alert.
public enum AlertMessage: RecordedMessage {
  case fail
  case ok
  case dismissed(Int)
}

/// Shows alerts, and says when one has gone.
@MainActor public protocol AlertPresenter {
  func present(_ number: Int)
  func dismiss(_ number: Int, _ done: @escaping () -> Void)
}

/// The dismissal of the first alert removes the second (TCA 3272).
@MainActor public final class AlertModel {
  public enum State: Hashable {
    case none
    case alert(Int)
  }

  public let track = StateTrack("gallery-alerts", State.none)
  public private(set) var state = State.none { didSet { track.moved(to: state) } }
  private var last = 0
  /// Whether the shown alert is the first of two.
  private var isFirst = false
  private let presenter: any AlertPresenter
  private let version: Version

  public init(_ presenter: any AlertPresenter, _ version: Version) {
    (self.presenter, self.version) = (presenter, version)
  }

  public func send(_ message: AlertMessage, answering question: MessageOrigin? = nil) {
    track.received(message, answering: question) { handle(message) }
  }

  private func handle(_ message: AlertMessage) {
    switch message {
    case .fail: show(isFirst: true)
    case .ok:
      guard case .alert(let shown) = state else { return }
      let question = MessageOrigin.current
      presenter.dismiss(shown) { [weak self] in
        self?.send(.dismissed(shown), answering: question)
      }
      // The button of the first alert shows the second.
      if isFirst { show(isFirst: false) }
    case .dismissed(let number):
      // Fixed: the alert that has gone may not be the one that is shown.
      if version == .fixed, state != .alert(number) { return }
      state = .none
    }
  }

  private func show(isFirst: Bool) {
    self.isFirst = isFirst
    last += 1
    state = .alert(last)
    presenter.present(last)
  }
}
