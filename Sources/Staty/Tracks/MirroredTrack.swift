import Synchronization

extension Track {
  private static let pairs = Atomic<UInt32>(0)

  /// Declares that another track shows the same as this one, such as a path and its screens.
  ///
  /// ```swift
  /// pathTrack.mirrors(shownTrack, within: .seconds(1))
  /// ```
  ///
  /// `staty check` reports when neither has moved for that long and they show different names. Of a
  /// silence in which nothing was recorded, at most half of the time counts: the app may have been
  /// suspended, or stopped in a debugger. At the end of a recording it counts whole.
  ///
  /// Declare it before the first event of either track, and give both the same names. Two paths show
  /// the same if their elements have the same names in the same order.
  ///
  /// - Parameters:
  ///   - other: the other track, in the same isolation. It is not retained.
  ///   - time: how long they may differ while neither moves.
  ///   - isError: whether it is an error, and not only a warning, if they differ longer.
  public final func mirrors(
    _ other: Track, within time: Duration = .seconds(1), isError: Bool = false
  ) {
    if other === self { return }
    let pair = Self.pairs.wrappingAdd(1, ordering: .relaxed).newValue
    // Two moves of one turn are never at one time.
    let within = max(1_000, time.inMicroseconds)
    func side(_ track: Track) -> TrackMirror {
      TrackMirror(pair: pair, within: within, isError: isError, isPath: track is StackTrack)
    }
    add(side(self), of: other)
    other.add(side(other), of: self)
  }
}

/// A track that another one mirrors.
struct MirroredTrack {
  weak var track: Track?
  let side: TrackMirror
}
