/// Where the stock comes from; it throws a `CancellationError` when its task is cancelled.
public protocol StockServer: Sendable {
  func stock() async throws -> [String]
}

/// Leaving the screen while it loads shows an error on coming back, since a request that was
/// cancelled counts as failed (supergeorg/Grocy-SwiftUI #167).
@MainActor public final class StockScreen {
  public enum State: Hashable {
    case idle, loading, failed
    case ready([String])
  }

  public private(set) var state = State.idle
  private let server: any StockServer
  private let version: Version

  public init(_ server: any StockServer, _ version: Version) {
    (self.server, self.version) = (server, version)
  }

  /// What the screen does in its `.task`.
  public func appear() async {
    switch state {
    case .ready: return
    // Fixed: what loads may be a request that is cancelled.
    case .loading, .failed: if version == .reported { return }
    case .idle: break
    }
    state = .loading
    do {
      state = .ready(try await server.stock())
    } catch  where Task.isCancelled && version == .fixed {
      // Unless a later request has been answered meanwhile.
      if state == .loading { state = .idle }
    } catch {
      state = .failed
    }
  }
}
