public import StatyReplay

extension ControllerRegistry {
  /// Creates recorded galleries for a replay; `gallery-fixed` is the gallery without the bug.
  @MainActor public static var gallery: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.registerGallery("gallery", isFixed: false)
    registry.registerGallery("gallery-fixed", isFixed: true)
    return registry
  }

  /// Registers a gallery under a name.
  @MainActor public mutating func registerGallery(_ name: String, isFixed: Bool) {
    register(name) { context in
      let gallery = Gallery(loader: SilentLoader(), isFixed: isFixed)
      return context.subject(of: gallery.track) { (message: GalleryMessage) in
        gallery.send(message)
      }
    }
  }
}

/// Never answers during a replay, because the photos that have loaded are messages.
private struct SilentLoader: PhotoLoader {
  func load(_ photo: String) async {
    try? await Task.sleep(for: .seconds(3_600))
  }
}
