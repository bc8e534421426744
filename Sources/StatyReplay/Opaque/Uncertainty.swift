/// The controllers of which it is not certain that they were told everything where they were when they
/// were recorded.
///
/// The recording says in what something happened. It does not say whether that was before the
/// controller did what it did about it, in the midst of that or after it. Where a controller did it
/// without a word, nothing else says so either.
struct Uncertainty {
  private var controllers: Set<Int32> = []
  /// Those that are not replayed any further for it.
  private(set) var givenUp: Set<Int32> = []

  /// Somebody is told something in a place that is a guess.
  mutating func note(_ controllers: some Sequence<Int32>) {
    self.controllers.formUnion(controllers)
  }

  mutating func giveUp(_ controller: Int32) {
    givenUp.insert(controller)
  }

  func contains(_ controller: Int32) -> Bool { controllers.contains(controller) }
}
