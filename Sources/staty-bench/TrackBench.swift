import Staty
import StatyRecorder

/// The cost of a track for its model: a change of the state, and a message.
enum TrackBench {
  private enum Phase {
    case idle, loading
    case ready(Int)
  }

  private enum Tap {
    case up, down
  }

  /// A model without a track.
  private final class Bare {
    var count = 0
    var state = Phase.idle { didSet { count &+= 1 } }

    @inline(never)
    func receive(_ tap: Tap) { handle(tap) }

    @inline(never)
    func handle(_ tap: Tap) { count &+= 1 }
  }

  private final class Model {
    let track = StateTrack("feed")
    var count = 0
    var state = Phase.idle {
      didSet {
        count &+= 1
        track.moved(to: state)
      }
    }

    @inline(never)
    func receive(_ tap: Tap) { track.received(tap) { handle(tap) } }

    @inline(never)
    func handle(_ tap: Tap) { count &+= 1 }
  }

  /// A model that says what it shows, on a track that another one mirrors.
  private final class Showing {
    let track = StateTrack("feed")
    let mirror = StateTrack("mirror")
    var count = 0
    var state = Phase.idle {
      didSet {
        count &+= 1
        track.moved(to: state, showing: count)
      }
    }

    init() { track.mirrors(mirror) }
  }

  @inline(never)
  private static func moves(_ count: Int, _ model: Showing) {
    for round in 0..<count { model.state = round & 1 == 0 ? .loading : .ready(round) }
  }

  @inline(never)
  private static func moves(_ count: Int, _ model: Model) {
    for round in 0..<count { model.state = round & 1 == 0 ? .loading : .ready(round) }
  }

  @inline(never)
  private static func moves(_ count: Int, _ model: Bare) {
    for round in 0..<count { model.state = round & 1 == 0 ? .loading : .ready(round) }
  }

  @inline(never)
  private static func messages(_ count: Int, _ model: Model) {
    for round in 0..<count { model.receive(round & 1 == 0 ? .up : .down) }
  }

  @inline(never)
  private static func messages(_ count: Int, _ model: Bare) {
    for round in 0..<count { model.receive(round & 1 == 0 ? .up : .down) }
  }

  /// The cost without a recorder.
  static func silent() -> [Figure] {
    let count = 1_000_000
    func cost(_ with: (Int, Model) -> Void, _ without: (Int, Bare) -> Void) -> Double {
      let (model, bare) = (Model(), Bare())
      let taken = median(of: 7) { nanoseconds(per: count) { with(count, model) } }
      return taken - median(of: 7) { nanoseconds(per: count) { without(count, bare) } }
    }
    return [
      Figure("track_moved_ns", cost(moves, moves), "a track's move, no recorder"),
      Figure("track_received_ns", cost(messages, messages), "a track's message, no recorder"),
    ]
  }

  /// The cost with a recorder, in bursts that fit into the ring.
  static func recorded(_ recorder: HistoryRecorder) -> [Figure] {
    let count = 3_000
    func cost<Recorded>(
      of model: Recorded, _ track: StateTrack, _ with: (Int, Recorded) -> Void,
      _ without: (Int, Bare) -> Void
    ) -> Double {
      let bare = Bare()
      recorder.attach(to: track, as: "feed")
      let taken = median(of: 41) {
        let taken = nanoseconds(per: count) { with(count, model) }
        try! recorder.flush()
        return taken
      }
      return taken - median(of: 41) { nanoseconds(per: count) { without(count, bare) } }
    }
    let (moving, showing, receiving) = (Model(), Showing(), Model())
    return [
      Figure(
        "track_moved_recorded_ns", cost(of: moving, moving.track, moves, moves),
        "a track's move with a recorder"),
      Figure(
        "track_moved_showing_ns", cost(of: showing, showing.track, moves, moves),
        "the same with what it shows, on a track that another mirrors"),
      Figure(
        "track_received_recorded_ns", cost(of: receiving, receiving.track, messages, messages),
        "a track's message with a recorder"),
    ]
  }
}
