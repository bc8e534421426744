public import Staty

/// Sends what was written.
public protocol PromptServer: Sendable {
  func send(_ text: String) async -> Bool
}

/// A draft is kept until its message was sent: coming back to the chat before that shows
/// the sent text in the field (mrmans0n/alas #376).
@MainActor public final class Composer {
  public enum State: Hashable {
    case empty
    case written(String)
  }

  public let track = StateTrack("composer", State.empty)
  public private(set) var field = State.empty { didSet { track.moved(to: field) } }
  private var draft = State.empty
  private let server: any PromptServer
  private let version: Version

  public init(_ server: any PromptServer, _ version: Version) {
    (self.server, self.version) = (server, version)
  }

  public func write(_ text: String) {
    track.received("write") {
      draft = .written(text)
      field = draft
    }
  }

  public func send() async {
    await track.received("send") {
      guard case .written(let text) = field else { return }
      let sent = field
      field = .empty
      // Fixed: the draft is cleared as early as the field.
      if version == .fixed { draft = .empty }
      let isSent = await server.send(text)
      if version == .reported, isSent, draft == sent { draft = .empty }
      // Fixed: a text that was not sent comes back, unless another one was begun.
      if version == .fixed, !isSent, draft == .empty { (draft, field) = (sent, sent) }
    }
  }

  /// The chat is on the screen again, with what is not sent yet.
  public func appear() {
    track.received("appear") { field = draft }
  }
}
