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
  private var isOnline = true
  private let socket: any ChatSocket
  private let version: Version

  public init(_ socket: any ChatSocket, _ version: Version) {
    (self.socket, self.version) = (socket, version)
  }

  public func disconnect() {
    track.received("disconnect") {
      state = .disconnecting
      socket.close()
    }
  }

  /// Fixed: asks and disconnects in one step.
  public func disconnectIfNeeded() {
    isOnline = false
    if state == .connected { disconnect() }
  }

  public func reconnectIfNeeded() {
    track.received("reconnect") {
      isOnline = true
      if state == .disconnected { connect() }
    }
  }

  /// The delegate's method of the socket.
  public func didClose() {
    track.received("did close") {
      state = .disconnected
      // Fixed: the socket may end after the network is back.
      if version == .fixed, isOnline { connect() }
    }
  }

  private func connect() {
    socket.open()
    state = .connected
  }
}

/// Asks whether there is a connection before it ends that. If the server ends it between the two, it stays
/// in `disconnecting`; if the socket ends after the network is back, in `disconnected`
/// (GetStream/stream-chat-swift #4109).
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
      await connection.disconnectIfNeeded()
    } else if await connection.state == .connected {
      await connection.disconnect()
    }
  }
}
