public import StatyReplay

extension ControllerRegistry {
  /// Creates recorded galleries for a replay; `gallery-fixed` is the gallery without the bug.
  @MainActor public static var gallery: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.registerGallery("gallery", isCareful: false)
    registry.registerGallery("gallery-fixed", isCareful: true)
    return registry
  }

  /// Registers a gallery under a name.
  @MainActor public mutating func registerGallery(_ name: String, isCareful: Bool) {
    register(name) { context in
      let gallery = Gallery(loader: SilentLoader(), isCareful: isCareful)
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
