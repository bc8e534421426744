import Staty

/// The cost of a whole cycle of a live controller: request, enter, exit; and that of a track.
enum CoreBench {
  static func run() -> [Figure] {
    let cycles = 1_000_000
    let transition = median(of: 7) { nanoseconds(per: cycles) { cycle(cycles) } }
    let pending = median(of: 7) { nanoseconds(per: cycles) { cycle(cycles, pending: 10_000) } }
    let bare = median(of: 7) { nanoseconds(per: cycles) { bareEnum(cycles * 4) } }
    return [
      Figure("transition_ns", transition, "a whole request-enter-exit cycle, no observer"),
      Figure("transition_ns_10k_pending", pending, "the same with 10,000 requests waiting"),
      Figure("clock_read_ns", clockRead(), "baseline: one read of the system's monotonic clock"),
      Figure(
        "bare_enum_ns", bare, "baseline: an enum in a variable, a switch a step; four steps",
        isBaseline: true),
    ] + TrackBench.silent()
  }

  /// States that enter and exit at once, one after the other.
  private static func cycle(_ cycles: Int) {
    let screen = Screen()
    let controller = StateController<Screen>(policy: .queue)
    controller.bind(to: screen)
    let states = (0..<4).map { _ in Instant() }
    for round in 0..<cycles { controller.transition(to: states[round & 3]) }
    precondition(controller.currentVisit == VisitNumber(UInt32(cycles)))
  }

  /// The same with many pending requests: in each cycle one is added, and one exits.
  private static func cycle(_ cycles: Int, pending: Int) {
    let screen = Screen()
    let controller = StateController<Screen>(policy: .queue)
    controller.bind(to: screen)
    let states = (0..<4).map { _ in Patient() }
    for round in 0...pending { controller.transition(to: states[round & 3]) }
    for round in 0..<cycles {
      controller.transition(to: states[round & 3])
      screen.leaving.take()?.exited()
    }
    precondition(controller.currentVisit == VisitNumber(UInt32(cycles + 1)))
  }

  private static func bareEnum(_ cycles: Int) {
    var machine = BareMachine()
    for _ in 0..<cycles { machine.step() }
    precondition(machine.steps == cycles)
  }
}

final class Screen {
  var leaving: Visit?
}

/// A state that enters and exits at once.
final class Instant: ScreenState {
  let name: StateName = "instant"

  func enter(on target: Screen, visit: Visit) {
    visit.entered()
  }

  func exit(from target: Screen, visit: Visit) {
    visit.exited()
  }
}
/// A state that exits when the screen completes it.
final class Patient: ScreenState {
  let name: StateName = "patient"

  func enter(on target: Screen, visit: Visit) {
    visit.entered()
  }

  func exit(from target: Screen, visit: Visit) {
    target.leaving = visit
  }
}

/// A minimal state machine.
private struct BareMachine {
  enum State { case empty, entering, entered, exiting }
  var state = State.empty
  var steps = 0

  @inline(never)
  mutating func step() {
    switch state {
    case .empty: state = .entering
    case .entering: state = .entered
    case .entered: state = .exiting
    case .exiting: state = .empty
    }
    steps += 1
  }
}
