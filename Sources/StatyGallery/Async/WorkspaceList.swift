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
  /// What the server has told last.
  private var told: [String]
  /// What the server is asked to close, which is not shown meanwhile.
  private var closing: Set<String> = []
  private let server: any WorkspaceServer
  private let version: Version

  public init(_ names: [String], _ server: any WorkspaceServer, _ version: Version) {
    (state, told) = (.ready(names), names)
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
      closing.insert(name)
      state = .ready(before.filter { $0 != name })
      let isClosed = await server.close(name)
      closing.remove(name)
      if isClosed {
        told.removeAll { $0 == name }
        return
      }
      // Fixed: what the server has told last, not what was shown before.
      if version == .fixed { state = .failed(open) } else { state = .failed(before) }
    }
  }

  private var open: [String] { told.filter { !closing.contains($0) } }

  /// The server tells what there is.
  public func updated(_ names: [String]) {
    track.received("updated") {
      told = names
      state = .ready(version == .fixed ? open : names)
    }
  }
}
