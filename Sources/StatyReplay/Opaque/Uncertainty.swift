import Staty

/// Whose way through the recording is in doubt, since which event and why.
///
/// The recording says in what something happened. It does not say whether that was before the
/// controller did what it did about it, in the midst of that or after it. Where a controller did it
/// without a word, nothing else says so either. So an input that was made inside of another event is
/// told in a place that is a guess.
///
/// *Whom it is about:* the controller that is told, and the one in whose handling it is; whose handling
/// lies further out is at rest meanwhile. Where observers heard of something late, everybody who had a
/// part in that call from outside.
///
/// *From when:* from the guess on.
///
/// *Until when:* until the controller is at rest in step, having done since what the recording says. At
/// rest means that its calls have returned, it has put nothing off, and nobody waits or is on the way:
/// what a guess can have put into another order was settled by then, the same on both sides. A
/// controller may forget who waits, or be left without an answer. Then it is at rest all the same, once
/// somebody has come in who was asked for when the guess was over.
struct Uncertainty {
  /// A guess that the controller may have gone another way for.
  struct Doubt: Hashable {
    /// The number of the input that was told there.
    let seq: Int64
    let guess: ReplayResult.Guess
  }

  /// How a controller stands while none of its calls is under way.
  enum Standing {
    /// It is out of step, or has something to do.
    case busy
    /// Some that were asked for before who came in last wait or are on the way, and nobody else.
    case passedOver(lastAsked: UInt32, lastIn: UInt32)
    case atRest
  }

  private struct Standoff {
    let doubt: Doubt
    /// The last visit that had been asked for when the latest guess was over.
    var lastAsked: UInt32?
  }

  /// An input that was told at one place of two where it may have been.
  private struct Supposed {
    let seq: Int64
    let otherwise: Placement.Otherwise
    let controllers: Set<Int32>
  }

  /// So many of those that may have been elsewhere are supposed to have been there when the replay
  /// parts, the latest first: each costs a replay, and the one that matters is near.
  private static let mostSupposed = 8
  /// The first doubt about each controller that was not taken back.
  private var doubts: [Int32: Standoff] = [:]
  private var supposed: [Supposed] = []
  /// Those that are not replayed any further for a doubt.
  private(set) var givenUp: Set<Int32> = []

  var isEmpty: Bool { doubts.isEmpty }

  /// The doubt that stands about a controller.
  func doubt(about controller: Int32) -> Doubt? { doubts[controller]?.doubt }

  /// Somebody is told something in a place that is a guess.
  mutating func note(_ doubt: Doubt, about controllers: some Sequence<Int32>) {
    for controller in controllers {
      doubts[controller] = Standoff(doubt: doubts[controller]?.doubt ?? doubt)
    }
  }

  /// An input is told where it seems to have been: it may show later that it was elsewhere.
  mutating func noteSupposed(
    _ seq: Int64, otherwise: Placement.Otherwise, about controllers: some Sequence<Int32>
  ) {
    let news = Supposed(seq: seq, otherwise: otherwise, controllers: Set(controllers))
    supposed = supposed.suffix(Self.mostSupposed - 1) + [news]
  }

  /// What may have been elsewhere and can matter to a controller, the latest first.
  func supposed(_ otherwise: Placement.Otherwise, about controller: Int32) -> [Int64] {
    supposed.reversed().filter { $0.otherwise == otherwise && $0.controllers.contains(controller) }
      .map(\.seq)
  }

  /// The controller has gone another way, perhaps for having been told something in another place.
  mutating func giveUp(_ controller: Int32) {
    givenUp.insert(controller)
    doubts[controller] = nil
  }

  /// Nothing is under way: takes back the doubts about controllers that are at rest in step.
  mutating func takeBack(_ standing: (Int32) -> Standing) {
    for (controller, doubt) in doubts {
      switch standing(controller) {
      case .busy: break
      case .atRest: doubts[controller] = nil
      case .passedOver(let lastAsked, let lastIn):
        let known = doubt.lastAsked ?? lastAsked
        if lastIn > known {
          doubts[controller] = nil
        } else {
          doubts[controller]?.lastAsked = known
        }
      }
    }
    // That observers were heard shows later than in the call.
    supposed.removeAll { one in
      one.otherwise == .inCall && one.controllers.allSatisfy { doubts[$0] == nil }
    }
  }
}
