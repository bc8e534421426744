internal import Staty

/// What the tracks of a run show at its end: values where they can be compared, else names.
struct ShownTracks: Equatable, CustomStringConvertible {
  struct Value: Equatable {
    let value: AnyHashable?
    /// Whether there is more to it than its name.
    private let isMore: Bool

    init(_ value: AnyHashable?, _ fingerprint: UInt32) {
      (self.value, isMore) = (value, fingerprint > Fingerprint.unknown)
    }

    static func == (one: Self, other: Self) -> Bool { one.value == other.value }

    /// The value in words; `nil` if its name says all.
    var text: String? {
      guard let value else { return nil }
      if let path = value.base as? [AnyHashable] {
        return path.map { "\($0.base)" }.joined(separator: ", ")
      }
      return isMore ? "\(value.base)" : nil
    }
  }

  /// What one track shows.
  struct Screen: Equatable {
    /// The names of its open visits.
    let names: [String]
    let value: Value

    /// Whether a track that has not moved shows the same, as far as its values are known.
    func equals(unmoved initial: Screen?) -> Bool {
      guard let initial, names == initial.names else { return false }
      guard let one = value.value, let other = initial.value.value else { return true }
      return one == other
    }
  }

  /// What each track shows that has moved.
  var screens: [String: Screen] = [:]
  /// What each track showed before its first event, as far as it is known.
  var initial: [String: Screen] = [:]

  static func == (one: Self, other: Self) -> Bool {
    Set(one.screens.keys).union(other.screens.keys).allSatisfy { name in
      switch (one.screens[name], other.screens[name]) {
      case (let one?, let other?): one == other
      case (let moved?, nil): moved.equals(unmoved: one.initial[name])
      case (nil, let moved?): moved.equals(unmoved: other.initial[name])
      case (nil, nil): true
      }
    }
  }

  var description: String {
    let shown = initial.filter { !$1.names.isEmpty }.merging(screens) { $1 }
    return shown.sorted { $0.key < $1.key }.map { track, screen in
      let text = screen.value.text ?? screen.names.joined(separator: ", ")
      return (shown.count > 1 ? "\(track): " : "") + text
    }.joined(separator: "; ")
  }
}
