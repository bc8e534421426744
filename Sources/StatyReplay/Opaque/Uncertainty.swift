import Staty

/// Whose way through the recording is in doubt, since which event and why.
///
/// The recording says in what something happened, and whether observers did it when they heard of
/// that. What happened in the handling of an input may have been before the controller did what it
/// did about it, in the midst of that or after it. Where a controller did it without a word, nothing
/// says so. So an input that was made in the handling of another is told in a place that is a guess.
///
/// *Whom it is about:* the controller that is told, and the one in whose handling it is; whose handling
/// lies further out is at rest meanwhile.
///
/// *From when:* from the guess on, for good: what a controller keeps to itself does not show when it is
/// at rest, and may matter long after.
struct Uncertainty {
  /// A guess that the controller may have gone another way for.
  struct Doubt: Hashable {
    /// The number of the input that was told there.
    let seq: Int64
    let guess: ReplayDoubt.Guess
  }

  /// The first doubt about each controller.
  private var doubts: [Int32: Doubt] = [:]
  /// Those that are not replayed any further for a doubt.
  private(set) var givenUp: Set<Int32> = []

  /// The doubt about a controller.
  func doubt(about controller: Int32) -> Doubt? { doubts[controller] }

  /// Somebody is told something in a place that is a guess.
  mutating func note(_ doubt: Doubt, about controllers: some Sequence<Int32>) {
    for controller in controllers where doubts[controller] == nil { doubts[controller] = doubt }
  }

  /// The controller has gone another way, perhaps for having been told something in another place.
  mutating func giveUp(_ controller: Int32) {
    givenUp.insert(controller)
    doubts[controller] = nil
  }
}
