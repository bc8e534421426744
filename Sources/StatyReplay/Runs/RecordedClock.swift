import Staty
import StatyHistory

/// What a run has besides its scenario where it plays a recording on the recording's own clock: the chooser
/// attaches and detaches controllers, sets the time, and is told what happens.
struct RecordedClock {
  /// The recorded events in which requests, cancellations and messages were made.
  let seqs: [Int: Int64]
  /// The recorded requests that controllers make by themselves, first to last.
  private var own: [Script.OwnRequest: [Int]]
  /// What happened since the chooser last looked.
  private var happenings: [Happening] = []
  /// The requests of each controller whose visits are on screen.
  private var onScreen: [Int32: Set<Int>] = [:]

  init(seqs: [Int: Int64], own: [Script.OwnRequest: [Int]]) {
    (self.seqs, self.own) = (seqs, own)
  }

  /// The recorded request that a controller makes by itself next; `nil` if no other was recorded.
  mutating func nextOwn(_ controller: Int32, _ state: StateName) -> Int? {
    let key = Script.OwnRequest(controller: controller, state: state)
    return own[key]?.isEmpty == false ? own[key]?.removeFirst() : nil
  }

  mutating func note(_ happening: Happening) { happenings.append(happening) }

  /// What happened since this was asked last, in its order.
  mutating func takeHappenings() -> [Happening] {
    defer { happenings.removeAll(keepingCapacity: true) }
    return happenings
  }

  /// Whether no request of a controller but this one is on screen.
  func hasScreen(_ place: Int, of controller: Int32) -> Bool {
    onScreen[controller]?.allSatisfy { $0 == place } ?? true
  }

  /// Follows which requests are on screen.
  mutating func follow(_ kind: EventKind, _ place: Int, of controller: Int32) {
    switch kind {
    case .entering, .entered, .exiting: onScreen[controller, default: []].insert(place)
    case .exited, .discarded: onScreen[controller]?.remove(place)
    default: break
    }
  }
}

/// Something that happened in a run on a recording's clock, as its chooser is told.
enum Happening {
  /// It happened to a visit; whether its state has to answer it now, and whether the state was told
  /// in its turn: to enter while no other visit is on screen, or to exit after it has entered.
  case moment(Scenario.Moment, owes: Completion? = nil, isInTurn: Bool = true)
  /// A controller defers a step, of all its steps the one with this number, for so many microseconds.
  case deferred(Step.Deferred, number: UInt32, delay: Int64)
  /// The controller was asked for this request, but made none of it.
  case untaken(Int)
}
