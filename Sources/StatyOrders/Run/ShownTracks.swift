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

  /// The names of the open visits, by the track.
  let names: [String: [String]]
  let values: [String: Value]

  var description: String {
    names.sorted { $0.key < $1.key }.map { track, names in
      let text = values[track]?.text ?? names.joined(separator: ", ")
      return (self.names.count > 1 ? "\(track): " : "") + text
    }.joined(separator: "; ")
  }
}
