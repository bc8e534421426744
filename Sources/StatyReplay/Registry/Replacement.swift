package import StatyHistory

/// Which controllers are made under another name than the recorded one.
package struct Replacement: Hashable, Sendable {
  /// The name for all controllers that ``some`` does not list; `nil` for the recorded one.
  var all: String?
  /// The name for single controllers, by their numbers in the file.
  package var some: [Int32: String]

  /// These replacements; by default none.
  package init(all: String? = nil, some: [Int32: String] = [:]) {
    self.all = all
    self.some = some
  }

  /// Every controller is made by its recorded name.
  package static var none: Replacement { Replacement() }

  func name(for controller: Int32, recorded: String) -> String {
    some[controller] ?? all ?? recorded
  }

  /// Fails if a name is not registered, or is that of a policy that would replace a track.
  ///
  /// - Parameter only: the numbers of the controllers that are played; `nil` for all.
  package func check(
    _ registry: ControllerRegistry, _ controllers: [ControllerRecord], only: Set<Int32>?
  ) throws(RegistryError) {
    for name in [all].compactMap(\.self) + some.values.sorted() where !registry.contains(name) {
      throw .unknownController(name, known: registry.names)
    }
    for track in controllers where track.isTrack && only?.contains(track.id) ?? true {
      if let name = some[track.id] ?? all, case .policy = registry[name] {
        throw .policyForTrack(name, track: track.name)
      }
    }
  }
}
