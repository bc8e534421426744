/// One side of two tracks that should show the same.
package struct TrackMirror: Hashable, Sendable, Codable {
  /// The number of the pair, which is unique in a process.
  package var pair: UInt32
  /// How long they may differ while neither moves, in microseconds.
  package var within: Int64
  /// Whether it is an error if they differ longer.
  package var isError: Bool
  /// Whether this side is a path, which begins empty.
  package var isPath: Bool

  package init(pair: UInt32, within: Int64, isError: Bool, isPath: Bool) {
    (self.pair, self.within, self.isError, self.isPath) = (pair, within, isError, isPath)
  }
}
