public import Staty

/// The socket of a chat; it tells its end once.
@MainActor public protocol ChatSocket {
  func open()
  func close()
}

/// The connection to a chat's server.
@MainActor public final class ChatConnection {
  public enum State: Hashable, Sendable {
    case connected, disconnecting, disconnected
  }

  public let track = StateTrack("chat-connection", State.connected)
  public private(set) var state = State.connected { didSet { track.moved(to: state) } }
  private let socket: any ChatSocket

  public init(_ socket: any ChatSocket) { self.socket = socket }

  public func disconnect() {
    track.received("disconnect") {
      state = .disconnecting
      socket.close()
    }
  }

  public func disconnectIfNeeded() {
    if state == .connected { disconnect() }
  }

  public func reconnectIfNeeded() {
    track.received("reconnect") {
      guard state == .disconnected else { return }
      socket.open()
      state = .connected
    }
  }

  /// The delegate's method of the socket.
  public func didClose() {
    track.received("did close") { state = .disconnected }
  }
}

/// Asks whether there is a connection before it ends that; if the server ends it between the two, it stays
/// in `disconnecting` for good (GetStream/stream-chat-swift #4109).
public actor ConnectionRecovery {
  private let connection: ChatConnection
  private let version: Version

  public init(_ connection: ChatConnection, _ version: Version) {
    (self.connection, self.version) = (connection, version)
  }

  /// What the monitor of the network calls.
  public func networkChanged(isOnline: Bool) async {
    if isOnline {
      await connection.reconnectIfNeeded()
    } else if version == .fixed {
      // Fixed: asked and done at once.
      await connection.disconnectIfNeeded()
    } else if await connection.state == .connected {
      await connection.disconnect()
    }
  }
}
