public import Staty

/// Closes a workspace on another machine.
public protocol WorkspaceServer: Sendable {
  func close(_ name: String) async -> Bool
}

/// A workspace is taken out at once, and the list of before comes back if it could not be closed: what the
/// server has told meanwhile is lost (manaflow-ai/cmux #8289).
@MainActor public final class WorkspaceList {
  public enum State: Hashable {
    case ready([String])
    case failed([String])
  }

  public let track: StateTrack
  public private(set) var state: State { didSet { track.moved(to: state) } }
  private let server: any WorkspaceServer
  private let version: Version

  public init(_ names: [String], _ server: any WorkspaceServer, _ version: Version) {
    state = .ready(names)
    track = StateTrack("workspaces", State.ready(names))
    (self.server, self.version) = (server, version)
  }

  public var names: [String] {
    switch state {
    case .ready(let names), .failed(let names): names
    }
  }

  public func close(_ name: String) async {
    await track.received("close") {
      let before = names
      state = .ready(before.filter { $0 != name })
      if await server.close(name) { return }
      // Fixed: only what was taken out comes back.
      let rest = version == .fixed ? names : before
      state = .failed(rest.contains(name) ? rest : rest + [name])
    }
  }

  /// The server tells what there is.
  public func updated(_ names: [String]) {
    track.received("updated") { state = .ready(names) }
  }
}
