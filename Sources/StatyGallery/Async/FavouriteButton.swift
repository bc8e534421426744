/// Keeps what is a favourite.
public protocol FavouriteServer: Sendable {
  func set(_ isFavourite: Bool) async -> Bool
}

/// The button changes when the answer has come: a second tap before that asks for the same again
/// (mastodon-ios #760).
@MainActor public final class FavouriteButton {
  public private(set) var isFavourite = false
  public private(set) var isEnabled = true
  private let server: any FavouriteServer
  private let version: Version

  public init(_ server: any FavouriteServer, _ version: Version) {
    (self.server, self.version) = (server, version)
  }

  public func tap() async {
    // Fixed: while the request is under way, the button is disabled, and a tap does nothing.
    if version == .fixed {
      guard isEnabled else { return }
      isEnabled = false
    }
    isFavourite = await server.set(!isFavourite)
    isEnabled = true
  }
}
