/// The gallery with an asynchronous function, before it is recorded.
@MainActor public final class PlainGallery {
  public private(set) var path: [Gallery.Route] = []
  private let loader: any PhotoLoader
  /// Whether a photo that is on top already is ignored.
  private let isCareful: Bool

  public init(loader: any PhotoLoader, isCareful: Bool = false) {
    (self.loader, self.isCareful) = (loader, isCareful)
  }

  public func open(_ photo: String) async {
    await loader.load(photo)
    // The bug, unless `isCareful`: both taps of a double tap push the photo.
    if isCareful, path.last == .photo(photo) { return }
    path.append(.photo(photo))
  }

  public func back() { _ = path.popLast() }
}
