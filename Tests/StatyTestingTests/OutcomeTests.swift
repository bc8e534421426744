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

  /// Shows what it was asked for last, or whatever comes last.
  private final class Search {
    struct Item { let text: String }
    enum State { case idle, loading, ready([Item]) }
    enum Message: RecordedMessage { case searched(String), found(String) }

    let track: StateTrack
    private(set) var state = State.idle { didSet { track.moved(to: state) } }
    init(_ name: StateName) { track = StateTrack(name, State.idle) }

    var texts: [String] {
      if case .ready(let items) = state { items.map(\.text) } else { [] }
    }

    func send(_ message: Message) {
      track.received(message) {
        switch message {
        case .searched: state = .loading
        case .found(let text): state = .ready([Item(text: text)])
        }
      }
    }
  }

  @Test func `where only names can be compared, it is not known that all orders end the same`() {
    var scenario = Scenario("search", discipline: .moves)
    for text in ["a", "ab"] {
      let asked = scenario.receive(Search.Message.searched(text))
      scenario.receive(Search.Message.found(text), answering: asked)
    }
    func registry(comparing isComparing: Bool) -> ControllerRegistry {
      var registry = ControllerRegistry()
      registry.register("search") { context in
        let search = Search("search")
        let subject = context.subject(of: search.track) { (message: Search.Message) in
          search.send(message)
        }
        // An optional, as a model may have it: nothing is another value than something.
        return isComparing ? subject.showing { search.texts.first } : subject
      }
      return registry
    }
    let asked = scenario
    let byName = failures { expectOneOutcome(asked, in: registry(comparing: false)) }
    #expect(byName.count == 1 && byName[0].text.contains("Of 'search' only the names of values"))
    let byValue = failures { expectOneOutcome(asked, in: registry(comparing: true)) }
    #expect(byValue.count == 1 && byValue[0].text.contains("2 outcomes"), "\(byValue)")
    // What is allowed by its name may be something else.
    let allowed = failures {
      expectOutcomes(
        asked, in: registry(comparing: false), allowed: "ready, set by 'found (2)'")
    }
    #expect(
      allowed.count == 1 && allowed[0].text.contains("Of 'search' only the names of values"),
      "\(allowed)")
    // How it ends is not asked here.
    explore(scenario, in: registry(comparing: false))
  }

  /// Takes an answer only if it was not cancelled since.
  private final class List {
    enum State: Hashable { case list([String]), failed }
    enum Message: RecordedMessage { case load, cancel, loaded }
    let track = StateTrack("list", State.list([]))
    private var state = State.list([]) { didSet { track.moved(to: state) } }
    private var isCancelled = false

    func send(_ message: Message) {
      track.received(message) {
        switch message {
        case .load: isCancelled = false
        case .cancel: isCancelled = true
        case .loaded: if !isCancelled { state = .list(["a"]) }
        }
      }
    }
  }

  @Test func `a track that never moves shows its initial value`() {
    var registry = ControllerRegistry()
    registry.register("list") { context in
      let list = List()
      return context.subject(of: list.track) { (message: List.Message) in list.send(message) }
    }
    var scenario = Scenario("list", discipline: .moves)
    let load = scenario.receive(List.Message.load)
    scenario.receive(List.Message.loaded, answering: load)
    scenario.receive(List.Message.cancel)
    let asked = scenario
    let found = failures { expectOneOutcome(asked, in: registry) }
    #expect(found.count == 1 && found[0].text.contains("2 outcomes"), "\(found)")
  }

  @Test func `where nothing changes and nothing is shown there is nothing to judge`() {
    var registry = ControllerRegistry()
    registry.register("player") { context in
      let track = StateTrack("player")
      return context.subject(of: track) { (message: Message) in track.received(message) {} }
    }
    let scenario = scenario
    let found = failures { expectOneOutcome(scenario, in: registry) }
    #expect(found.count == 1 && found[0].text.contains("nothing is shown"), "\(found)")
    let judged = failures { explore(scenario, in: registry) }
    #expect(
      judged.map(\.text)
        == ["Nothing was judged: nothing changed in any order, and nothing is shown."])
  }

  @Test func `outcomes of one text are not advised to be allowed`() {
    struct Vague: Hashable, CustomStringConvertible {
      let state: Player.State
      var description: String { "a page" }
    }
    var registry = ControllerRegistry()
    registry.register("player") { context in
      let player = Player(isFixed: false)
      return context.subject(of: player.track) { (message: Message) in player.send(message) }
        .showing { Vague(state: player.state) }
    }
    let scenario = scenario
    let found = failures { expectOneOutcome(scenario, in: registry) }
    #expect(found.count == 1 && found[0].text.contains("none of them can be allowed"), "\(found)")
    #expect(!found.contains { $0.text.contains("allowed: ") }, "\(found)")
  }

  @Test func `a scenario in which nothing happens has no outcome to expect`() {
    let found = failures {
      expectOneOutcome(Scenario("player", discipline: .moves), in: registry())
    }
    #expect(found.count == 1)
  }
}
