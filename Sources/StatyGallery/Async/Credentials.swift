/// Exchanges tokens; each refresh token can be used once.
public protocol TokenExchange: Sendable {
  /// A new refresh token for an old one; `nil` if that was used before.
  func exchange(_ refreshToken: String) async -> String?
}

/// Requests that start together each refresh the expired token; the second gets a refusal, and the
/// user is signed out (tuist/tuist #10276, home-assistant/iOS #1300).
@MainActor public final class Credentials {
  public private(set) var refreshToken: String?
  private let server: any TokenExchange
  private let version: Version
  private var refresh: Task<String?, Never>?

  public init(_ refreshToken: String, _ server: any TokenExchange, _ version: Version) {
    (self.refreshToken, self.server, self.version) = (refreshToken, server, version)
  }

  /// Refreshes the token, as each request does that finds it expired.
  public func authorize() async -> Bool {
    guard let token = refreshToken else { return false }
    // Fixed: a request during a refresh waits for that one.
    let new = version == .fixed ? await shared(token) : await server.exchange(token)
    // A refusal means that the session was revoked.
    refreshToken = new
    return new != nil
  }

  private func shared(_ token: String) async -> String? {
    if let refresh { return await refresh.value }
    let task = Task { await server.exchange(token) }
    refresh = task
    defer { refresh = nil }
    return await task.value
  }
}
