import Gallery
import StatyTesting
import Testing

/// The gallery in every order of taps and photos, as plain asynchronous code and with its messages.
@MainActor @Suite struct GalleryOrderTests {
  private struct SlowLoader: PhotoLoader {
    let world: World
    func load(_ photo: String) async { await world.answer("load \(photo)", ()) }
  }

  /// Tells a path to which a photo was pushed twice.
  private func scene(
    _ world: World, _ open: @escaping @MainActor (String) async -> Void,
    _ path: @escaping @MainActor () -> [Gallery.Route]
  ) {
    for _ in 0..<2 { world.user("tap a", when: { path().isEmpty }) { await open("a") } }
    world.always("no photo is on top of itself") { Set(path()).count == path().count }
  }

  @Test func `a double tap pushes a photo twice`() {
    withKnownIssue {
      let found = expectOneOutcome { world in
        let gallery = PlainGallery(loader: SlowLoader(world: world))
        scene(world, gallery.open) { gallery.path }
      }
      #expect(
        found.broken.map(\.conditions) == [
          [
            "the answer of 'load a' to 'tap a' is late: behind 'tap a (2)' and the answer of "
              + "'load a' to 'tap a (2)'"
          ]
        ])
    } matching: {
      $0.comments.contains { $0.rawValue.contains("'no photo is on top of itself' does not hold") }
    }
  }

  @Test func `a fixed gallery does not`() {
    expectOneOutcome { world in
      let gallery = PlainGallery(loader: SlowLoader(world: world), isFixed: true)
      scene(world, gallery.open) { gallery.path }
    }
  }

  @Test(arguments: [false, true]) func `the gallery with messages, unchanged`(isFixed: Bool) {
    func search() -> WorldOutcomes {
      expectOneOutcome { world in
        let gallery = Gallery(loader: SlowLoader(world: world), isFixed: isFixed)
        scene(world, { gallery.send(.tapped($0)) }) { gallery.path }
      }
    }
    if isFixed {
      #expect(search().broken.isEmpty)
    } else {
      withKnownIssue { #expect(search().broken.isEmpty) }
    }
  }
}
