public import Staty

/// What reaches the session of a user.
public enum SessionMessage: RecordedMessage {
  case signIn(String), signOut, refresh
  case refreshed(String)
}

/// Renews the token of a user.
@MainActor public protocol TokenServer {
  func refresh(_ user: String, _ done: @escaping (String) -> Void)
}

/// A token's refresh ends after its user has signed out (supabase-swift 1371).
@MainActor public final class SessionModel {
  public enum State: Hashable {
    case out
    case `in`(String)
  }

  public let track = StateTrack("gallery-session", State.out)
  public private(set) var state = State.out { didSet { track.moved(to: state, showing: state) } }
  private let server: any TokenServer
  private let version: Version

  public init(_ server: any TokenServer, _ version: Version) {
    (self.server, self.version) = (server, version)
  }

  public func send(_ message: SessionMessage, answering question: MessageOrigin? = nil) {
    track.received(message, answering: question) { handle(message) }
  }

  private func handle(_ message: SessionMessage) {
    switch message {
    case .signIn(let user): state = .in(user)
    case .signOut: state = .out
    case .refresh:
      guard case .in(let user) = state else { return }
      let question = MessageOrigin.current
      server.refresh(user) { [weak self] in self?.send(.refreshed($0), answering: question) }
    case .refreshed(let user):
      // Fixed: the session that was refreshed may not be the current one any more.
      if version == .fixed, state != .in(user) { return }
      state = .in(user)
    }
  }
}
