/// The slot of the refresh under way is cleared when its first caller is cancelled, and not when the
/// refresh has ended: a later caller uses the same token again (ReviewStage/luke #570).
@MainActor public final class Vault {
  public private(set) var isSignedIn = true
  private var refreshToken: String
  private let server: any TokenExchange
  private let version: Version
  private var inFlight: Task<Bool, Never>?

  public init(_ refreshToken: String, _ server: any TokenExchange, _ version: Version) {
    (self.refreshToken, self.server, self.version) = (refreshToken, server, version)
  }

  /// Refreshes the token once, however many ask for it.
  public func refreshed() async -> Bool {
    let task = inFlight ?? start()
    inFlight = task
    // Fixed: the task itself clears the slot.
    defer { if version == .reported { inFlight = nil } }
    return await value(of: task)
  }

  private func start() -> Task<Bool, Never> {
    Task {
      let new = await server.exchange(refreshToken)
      if version == .fixed { inFlight = nil }
      guard let new else {
        isSignedIn = false
        return false
      }
      refreshToken = new
      return true
    }
  }

  /// Waits for the task, or until the caller is cancelled.
  private func value(of task: Task<Bool, Never>) async -> Bool {
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    Task {
      continuation.yield(await task.value)
      continuation.finish()
    }
    for await value in stream { return value }
    return false
  }
}
