/// The gallery with an asynchronous function, before it is recorded.
@MainActor public final class PlainGallery {
  public private(set) var path: [Gallery.Route] = []
  private let loader: any PhotoLoader
  /// Whether a photo that is on top already is ignored.
  private let isFixed: Bool

  public init(loader: any PhotoLoader, isFixed: Bool = false) {
    (self.loader, self.isFixed) = (loader, isFixed)
  }

  public func open(_ photo: String) async {
    await loader.load(photo)
    // The bug, unless `isFixed`: both taps of a double tap push the photo.
    if isFixed, path.last == .photo(photo) { return }
    path.append(.photo(photo))
  }

  public func back() { _ = path.popLast() }
}
