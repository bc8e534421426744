/// Loads images by their address.
public protocol ImageLoader: Sendable {
  func image(at address: String) async -> String
}

/// A cell that is used again shows the image that it was asked for before, if that comes late
/// (finn-no/FinniversKit #409).
@MainActor public final class GridCell {
  public private(set) var image: String?
  private var address: String?
  private let loader: any ImageLoader
  private let version: Version

  public init(_ loader: any ImageLoader, _ version: Version) {
    (self.loader, self.version) = (loader, version)
  }

  public func configure(_ address: String) {
    (self.address, image) = (address, nil)
    Task {
      let loaded = await loader.image(at: address)
      // Fixed: only the image that was asked for last is shown.
      if version == .fixed, self.address != address { return }
      image = loaded
    }
  }
}
