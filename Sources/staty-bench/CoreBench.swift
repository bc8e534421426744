import Staty

/// The cost of a whole cycle of a live controller: request, enter, exit; that of a track; and of starting the tool.
enum CoreBench {
  static func run(_ wanted: Wanted) -> [Figure] {
    let cycles = 1_000_000
    var figures = wanted("transition_ns") {
      let taken = median(of: 7) { nanoseconds(per: cycles) { cycle(cycles) } }
      return Figure($0, taken, "a whole request-enter-exit cycle, no observer")
    }
    figures += wanted("transition_ns_10k_pending") {
      let taken = median(of: 7) { nanoseconds(per: cycles) { cycle(cycles, pending: 10_000) } }
      return Figure($0, taken, "the same with 10,000 requests waiting")
    }
    if wanted.isAny("track_moved_ns", "track_received_ns") {
      figures += wanted.pick(TrackBench.silent())
    }
    if wanted.isAny("cli_start_ms", "true_start_ms") {
      figures += wanted.pick(StartBench.run())
    }
    figures += wanted("clock_read_ns") {
      Figure($0, clockRead(), "baseline: one read of the system's monotonic clock")
    }
    figures += wanted("bare_enum_ns") {
      let taken = median(of: 7) { nanoseconds(per: cycles) { bareEnum(cycles * 4) } }
      return Figure(
        $0, taken, "baseline: an enum in a variable, a switch a step; four steps", isBaseline: true)
    }
    return figures
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
