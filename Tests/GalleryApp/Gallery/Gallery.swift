public import Staty

/// What reaches the gallery: what the user does, and the photos that have loaded.
public enum GalleryMessage: RecordedMessage {
  case tapped(String)
  case loaded(String)
  case wentBack
}

/// Loads photos.
@MainActor public protocol PhotoLoader {
  func load(_ photo: String) async
}

/// A list of photos, with a photo on top of it once that has loaded.
@MainActor public final class Gallery {
  public enum Route: Hashable {
    case photo(String)
  }

  public let track = StackTrack("gallery")
  public private(set) var path: [Route] = [] {
    didSet { track.moved(to: path) }
  }

  private let loader: any PhotoLoader
  /// Whether a photo that is on top already is ignored.
  private let isFixed: Bool

  public init(loader: any PhotoLoader, isFixed: Bool = false) {
    self.loader = loader
    self.isFixed = isFixed
  }

  public func send(_ message: GalleryMessage) {
    track.received(message) { handle(message) }
  }

  private func handle(_ message: GalleryMessage) {
    switch message {
    case .tapped(let photo):
      Task {
        await loader.load(photo)
        send(.loaded(photo))
      }
    case .loaded(let photo):
      // The bug, unless `isFixed`: both taps of a double tap push the photo.
      if isFixed, path.last == .photo(photo) { return }
      path.append(.photo(photo))
    case .wentBack:
      _ = path.popLast()
    }
  }
}
