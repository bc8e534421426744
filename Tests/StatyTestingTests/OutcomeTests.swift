import Staty
import StatyReplay
import StatyRules
import StatyTesting
import Testing

/// Expectations of how a scenario ends.
@Suite struct OutcomeTests {
  enum Message: RecordedMessage {
    case load
    case pause
    case ready
  }

  /// Plays as soon as it is ready, whatever happened since it was asked to.
  final class Player {
    enum State: Hashable { case idle, loading, paused, playing }

    let track = StateTrack("player", State.idle)
    private(set) var state = State.idle { didSet { track.moved(to: state) } }
    private let isFixed: Bool
    private var isPaused = false

    init(isFixed: Bool) { self.isFixed = isFixed }

    func send(_ message: Message) {
      track.received(message) {
        switch message {
        case .load: (state, isPaused) = (.loading, false)
        case .pause:
          isPaused = true
          if state == .playing { state = .paused }
        case .ready: state = isPaused && isFixed ? .paused : .playing
        }
      }
    }
  }

  private func registry(isFixed: Bool = false) -> ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register("player") { context in
      let player = Player(isFixed: isFixed)
      return context.subject(of: player.track) { (message: Message) in player.send(message) }
        .atEnd("it is not loading") { player.state != .loading }
    }
    return registry
  }

  private var scenario: Scenario {
    var scenario = Scenario("player", discipline: .moves)
    let load = scenario.receive(Message.load)
    scenario.receive(Message.ready, answering: load)
    scenario.receive(Message.pause)
    return scenario
  }

  @Test func `another outcome fails, with the order that decides and the line to paste`() throws {
    let scenario = scenario
    let found = failures { expectOneOutcome(scenario, in: registry()) }
    #expect(found.map(\.line) == [#line - 1])
    try expectGolden(found.map(\.text).joined(), "outcomes")
    expectOneOutcome(scenario, in: registry(isFixed: true))
  }

  @Test func `only outcomes that are allowed pass`() {
    let scenario = scenario
    let (paused, playing) = ("paused, set by 'pause'", "playing, set by 'ready'")
    let outcomes = expectOutcomes(scenario, in: registry(), allowed: paused, playing)
    #expect(outcomes.map(\.text) == [paused, playing])
    #expect(outcomes.map(\.deviations.count) == [0, 1])
    let missing = failures { expectOutcomes(scenario, in: registry(), allowed: paused) }
    #expect(missing.count == 1 && missing[0].text.contains("This is not allowed."))
    let other = failures {
      expectOutcomes(scenario, in: registry(isFixed: true), allowed: playing)
    }
    #expect(other.count == 1)
  }

  @Test func `what a test says is compared is compared, and nothing else`() {
    let scenario = scenario
    var registry = ControllerRegistry()
    registry.register("player") { context in
      let player = Player(isFixed: false)
      return context.subject(of: player.track) { (message: Message) in player.send(message) }
        .showing { player.state == .loading }
    }
    let outcomes = expectOneOutcome(scenario, in: registry)
    #expect(outcomes.map(\.text) == ["false"])
  }

  @Test func `a scenario in which nothing happens has no outcome to expect`() {
    let found = failures {
      expectOneOutcome(Scenario("player", discipline: .moves), in: registry())
    }
    #expect(found.count == 1)
  }
}
