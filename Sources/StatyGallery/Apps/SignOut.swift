public import Staty

/// The time of a user from signing in to signing out.
public struct UserSession: Hashable, Codable, Sendable {
  public let id: Int
  public let user: String
  /// How often its token was refreshed; the token itself is in no message.
  public var refreshes: Int
}

/// What reaches the app's session.
public enum SessionMessage: RecordedMessage {
  case signIn(String), signOut, refresh
  case refreshed(UserSession)
}

/// Renews the token of a session.
@MainActor public protocol TokenServer {
  func refresh(_ session: UserSession, _ done: @escaping (UserSession) -> Void)
}

/// A token's refresh ends after its user has signed out (supabase-swift 1371).
@MainActor public final class SessionModel {
  public enum State: Hashable {
    case out
    case `in`(UserSession)
  }

  public let track = StateTrack("gallery-session", State.out)
  public private(set) var state = State.out { didSet { track.moved(to: state, showing: state) } }
  private var signIns = 0
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
    case .signIn(let user):
      signIns += 1
      state = .in(UserSession(id: signIns, user: user, refreshes: 0))
    case .signOut: state = .out
    case .refresh:
      guard let current else { return }
      let question = MessageOrigin.current
      server.refresh(current) { [weak self] in self?.send(.refreshed($0), answering: question) }
    case .refreshed(let session):
      // Fixed: the session that was refreshed may have ended since.
      if version == .fixed, session.id != current?.id { return }
      state = .in(session)
    }
  }

  private var current: UserSession? {
    if case .in(let session) = state { session } else { nil }
  }
}
