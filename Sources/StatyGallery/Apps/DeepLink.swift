public import Staty

/// What reaches the tabs of a browser.
public enum TabsMessage: RecordedMessage {
  case launch
  case restored([String])
  case open(String)
}

/// Keeps the tabs of the last launch.
@MainActor public protocol TabStore {
  func restore(_ done: @escaping ([String]) -> Void)
}

/// A link is opened while the tabs are being restored, and disappears (firefox-ios 15113).
@MainActor public final class TabsModel {
  public enum State: Hashable {
    case launching, restored
    case linked(String)
  }

  public let track = StateTrack("gallery-tabs", State.launching)
  public private(set) var state = State.launching { didSet { track.moved(to: state) } }
  public private(set) var tabs: [String] = []
  private var hasRestored = false
  private var pending: [String] = []
  private let store: any TabStore
  private let version: Version

  public init(_ store: any TabStore, _ version: Version) {
    (self.store, self.version) = (store, version)
  }

  public func send(_ message: TabsMessage, answering question: MessageOrigin? = nil) {
    track.received(message, answering: question) { handle(message) }
  }

  private func handle(_ message: TabsMessage) {
    switch message {
    case .launch:
      let question = MessageOrigin.current
      store.restore { [weak self] in self?.send(.restored($0), answering: question) }
    case .restored(let restored):
      hasRestored = true
      tabs = restored
      state = .restored
      while !pending.isEmpty { open(pending.removeFirst()) }
    case .open(let link):
      // Fixed: a link that starts the app waits for the tabs.
      if version == .fixed, !hasRestored { return pending.append(link) }
      open(link)
    }
  }

  private func open(_ link: String) {
    tabs.append(link)
    state = .linked(link)
  }
}
