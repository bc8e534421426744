import StatyHistory

/// What identifies a controller in two histories: its name, and its number among those with that
/// name.
struct ControllerKey: Hashable, Comparable {
  let name: String
  let place: Int

  var called: String { place == 0 ? name.visible : "\(name.visible) (number \(place + 1))" }

  static func < (one: ControllerKey, other: ControllerKey) -> Bool {
    (one.name, one.place) < (other.name, other.place)
  }

  /// The keys of a session's controllers by their numbers in the file.
  static func all(_ controllers: [ControllerRecord]) -> [Int32: ControllerKey] {
    var seen: [String: Int] = [:]
    var keys: [Int32: ControllerKey] = [:]
    for controller in controllers {
      let place = seen[controller.name, default: 0]
      seen[controller.name] = place + 1
      keys[controller.id] = ControllerKey(name: controller.name, place: place)
    }
    return keys
  }
}
