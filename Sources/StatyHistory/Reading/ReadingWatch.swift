/// Reports the progress of reading the events of a session.
///
/// Only for long sessions; short ones are read at once.
package final class ReadingWatch {
  /// How far a pass over the events is.
  package struct Place {
    /// How many numbers he has passed.
    package let passed: Int64
    /// How many he is to pass.
    package let total: Int64
  }

  /// Called now and then during a pass over events.
  package var tell: ((Place) -> Void)?

  private static let fewest: Int64 = 100_000
  /// After so many events it is told.
  static let pause = 8_192

  /// The pass between these numbers, if it is watched.
  func pass(from first: Int64, through last: Int64) -> Pass? {
    guard tell != nil, last &- first >= Self.fewest else { return nil }
    return Pass(watch: self, first: first, last: last)
  }

  /// A pass over the events between two numbers.
  struct Pass {
    fileprivate let watch: ReadingWatch
    fileprivate let first: Int64
    fileprivate let last: Int64

    func reached(_ seq: Int64) {
      watch.tell?(Place(passed: seq &- first &+ 1, total: last &- first &+ 1))
    }
  }
}
