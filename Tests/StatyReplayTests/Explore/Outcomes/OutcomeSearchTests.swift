import Chance
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import Testing

@testable import StatyReplay

/// What a search for outcomes says of its orders is true: compared with every order, one by one.
@Suite struct OutcomeSearchTests {
  /// Shows everything that it has received, so that each order has an outcome of its own.
  final class Notebook {
    struct Page: Hashable {
      var lines: [String] = []
    }

    let track = StateTrack("notebook", Page())
    private var page = Page() { didSet { track.moved(to: page) } }

    func send(_ name: String, as note: Note? = nil) {
      track.received(note ?? .line(name)) { page.lines.append(name) }
    }
  }

  enum Note: RecordedMessage {
    case line(String)
    case timer(String)
  }

  private static func registry() -> ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register("notebook") { context in
      let notebook = Notebook()
      return context.subject(of: notebook.track) { (note: Note) in
        if case .line(let name) = note { notebook.send(name) }
      }
    }
    return registry
  }

  /// A few questions of the user, with none to two answers each.
  ///
  /// - Parameter most: with how many messages no answer is added.
  private func scenario(_ random: inout SeededRandom, answered most: Int = .max) -> Scenario {
    var scenario = Scenario("notebook", discipline: .moves)
    for question in 1...(2 + random.below(2)) {
      let id = scenario.receive(Note.line("q\(question)"))
      for answer in 0..<random.below(3) where scenario.messages.count < most {
        // Answers of one message keep their order, or come in any.
        let source = random.below(2)
        scenario.receive(Note.line("a\(question)\(answer)"), answering: id) {
          if source == 1 { $0.source = -100 * $0.id }
        }
      }
    }
    return scenario
  }

  private func search(_ scenario: Scenario, most: Int) throws -> Outcomes {
    let plan = try ScenarioPlan(scenario, Self.registry())
    let aim = SearchAim(codes: nil, isForEach: false) { _, _ in true }
    let limits = OutcomeLimits(deviations: most, runs: .max, bytes: .max, deadline: nil)
    var search = OutcomeSearch(plan, aim, limits)
    return try search.run { _, _ in }
  }

  /// Every order of a scenario, found by taking every possible step.
  private func everyOrder(_ plan: ScenarioPlan) throws -> Set<Schedule> {
    var orders: Set<Schedule> = []
    func goOn(_ way: Schedule) throws {
      let run = try #require(try plan.play(way, isAtEnd: false))
      let possible = run.possible
      if possible.isEmpty { orders.insert(way) }
      for step in possible { try goOn(way + [step]) }
    }
    try goOn([])
    return orders
  }

  /// Every order with at most so many deviations: all ways at all decisions, without any plan of what
  /// comes first.
  private func everyOrder(_ plan: ScenarioPlan, most: Int) throws -> Set<Schedule> {
    var orders: Set<Schedule> = []
    func goOn(_ deviations: DeviationPlan, from decision: Int, left: Int) throws {
      let run = try ScheduleRun(plan)
      var order = PatientOrder(plan.scenario, deviations)
      run.play(&order)
      #expect(order.deviations.count == deviations.turns.count)
      orders.insert(run.schedule)
      guard left > 0 else { return }
      for next in order.ways.indices.dropFirst(decision) {
        for way in 1..<order.ways[next] {
          try goOn(deviations.and(way, at: next), from: next + 1, left: left - 1)
        }
      }
    }
    try goOn(DeviationPlan(), from: 0, left: most)
    return orders
  }

  @Test func `all orders with at most so many deviations are run`() throws {
    for run in 0..<20 {
      let seed = testSeed &+ UInt64(run)
      var random = SeededRandom(seed: seed)
      let scenario = scenario(&random)
      let plan = try ScenarioPlan(scenario, Self.registry())
      for most in 0...2 {
        let found = try search(scenario, most: most)
        let every = try everyOrder(plan, most: most)
        // Each order ends otherwise, and has so an outcome of its own.
        #expect(Set(found.outcomes.map(\.schedule)) == every, "seed \(seed), at most \(most)")
        #expect(found.isExhaustive || found.complete == most)
      }
    }
  }

  @Test func `with enough deviations every possible order is run`() throws {
    var orders = 0
    for run in 0..<8 {
      let seed = testSeed &+ UInt64(run)
      var random = SeededRandom(seed: seed)
      // Nine messages have 2,240 orders, and some 50 plans lead to each of them.
      let scenario = scenario(&random, answered: 5)
      let found = try search(scenario, most: .max)
      let every = try everyOrder(ScenarioPlan(scenario, Self.registry()))
      #expect(Set(found.outcomes.map(\.schedule)) == every, "seed \(seed): \(scenario.messages)")
      #expect(found.isExhaustive)
      orders += every.count
    }
    #expect(orders > 16)
  }

  @Test(arguments: [Completion.entered, .exited])
  func `a late report exceeds its deadline only where that is tried`(late: Completion) throws {
    var scenario = Scenario("queue")
    scenario.controllers[0].deadlineEntering = .skip
    scenario.controllers[0].deadlineExiting = .skip
    let first = scenario.request("loading")
    let second = scenario.request("content")
    let third = scenario.request("alert")
    let plan = try ScenarioPlan(scenario, Self.registry())
    let report = Step.complete(late, first)
    var isTried = (late: false, overdue: false)
    for schedule in try everyOrder(plan, most: 2) {
      let next = late == .entered ? second : third
      guard let asked = schedule.firstIndex(of: .make(next)) else { continue }
      if schedule[asked...].contains(report), !schedule.contains(.deadline(late, first)) {
        isTried.late = true
      }
      if schedule[asked...].contains(.deadline(late, first)) { isTried.overdue = true }
    }
    #expect(isTried == (true, true))
  }

  /// What its user sees stays until they close it; what never came is given up.
  @Test(arguments: [Scenario.Answer.later, .never])
  func `no deadline ends what waits for its user, but what counts as entered and never came`(
    enters: Scenario.Answer
  ) throws {
    var scenario = Scenario("queue")
    scenario.controllers[0].deadlineEntering = .force
    scenario.controllers[0].deadlineExiting = .skip
    let alert = scenario.request("alert") {
      ($0.enters, $0.exits, $0.awaitsUser) = (enters, .perhaps, true)
    }
    scenario.request("content")
    let plan = try ScenarioPlan(scenario, Self.registry())
    let orders = try everyOrder(plan, most: 2)
    let ended = orders.filter { $0.contains(.deadline(.exited, alert)) }
    #expect(!orders.isEmpty && ended.isEmpty == (enters == .later))
    // Told before it reports that it has entered, it may be forced out; behind it, never.
    for order in ended {
      #expect(
        !order.prefix { $0 != .deadline(.exited, alert) }.contains(.complete(.entered, alert)))
    }
  }

  @Test func `a state may exceed its deadline, and the user may act before one does`() throws {
    var scenario = Scenario("queue")
    scenario.controllers[0].deadlineEntering = .skip
    let silent = scenario.request("loading") { $0.enters = .never }
    let other = scenario.request("content")
    let plan = try ScenarioPlan(scenario, Self.registry())
    let (deadline, late) = (Step.deadline(.entered, silent), Step.deadline(.entered, other))
    func isHurried(_ schedule: Schedule) -> Bool {
      guard let asked = schedule.firstIndex(of: .make(other)) else { return false }
      return schedule[asked...].contains(deadline)
    }
    let usual = try everyOrder(plan, most: 0)
    #expect(usual.allSatisfy { $0.contains(deadline) && !isHurried($0) && !$0.contains(late) })
    let orders = try everyOrder(plan, most: 1)
    #expect(orders.contains { isHurried($0) && !$0.contains(late) }, "\(orders)")
    #expect(orders.contains { !isHurried($0) && $0.contains(late) }, "\(orders)")
  }

  @Test func `a late report may also not be finished`() throws {
    var scenario = Scenario("queue")
    let first = scenario.request("banner") { $0.mayBeUnfinished = [.exited] }
    let second = scenario.request("content")
    let third = scenario.request("alert")
    let plan = try ScenarioPlan(scenario, Self.registry())
    let orders = try everyOrder(plan, most: 2)
    let unfinished = Step.complete(.exited, first, finished: false)
    #expect(
      orders.contains { order in
        guard let asked = order.firstIndex(of: .make(third)) else { return false }
        return order[asked...].contains(unfinished)
      }, "\(orders)")
    #expect(orders.allSatisfy { $0.contains(.make(second)) })
  }

  @Test func `the usual order is that of a patient user`() throws {
    var scenario = Scenario("notebook", discipline: .moves)
    let first = scenario.receive(Note.line("q1"))
    let second = scenario.receive(Note.line("q2"))
    let late = scenario.receive(Note.line("a1"), answering: first)
    let other = scenario.receive(Note.line("a2"), answering: second)
    let found = try search(scenario, most: 1)
    #expect(
      found.outcomes.first?.schedule == [.make(first), .make(late), .make(second), .make(other)])
    #expect(
      found.outcomes.dropFirst().map(\.deviations) == [
        [.late(.make(late), behind: .make(second))],
        [.hurried(.make(second), before: .make(late))],
      ])
  }

  @Test func `an outcome is allowed by a text that no other has`() throws {
    func explore(_ name: String, allowed: [String]? = nil) throws -> Exploration {
      var scenario = Scenario("reject")
      let payload = "account number 1111: \(name) has been signed in, and all is well"
      scenario.request("alert") { $0.payload = payload }
      var options = Explorer.Options()
      options.allowed = allowed
      return try Explorer(scenario, options: options).run()
    }
    let texts = try explore("Anna").outcomes.flatMap(\.outcomes).map(\.text)
    #expect(texts.count == 1 && texts[0].hasPrefix("alert account number 1111:"), "\(texts)")
    #expect(try explore("Anna", allowed: texts).verdict == .same)
    #expect(try explore("Ben", allowed: texts).verdict == .broken)
    // What is shown without a choice is as short as it was.
    let shown = try OutcomeWords(#require(try explore("Anna").outcomes.first)).texts
    #expect(shown.allSatisfy { texts[0].hasPrefix($0) && $0 != texts[0] }, "\(shown)")
  }

  @Test func `unequal values of one text are told apart, and none can be allowed`() throws {
    struct Vague: Hashable, CustomStringConvertible {
      let lines: [String]
      var description: String { "a page" }
    }
    func explore(_ allowed: [String]?) throws -> Exploration {
      var registry = ControllerRegistry()
      registry.register("notebook") { context in
        let notebook = Notebook()
        var lines: [String] = []
        return context.subject(of: notebook.track) { (note: Note) in
          guard case .line(let name) = note else { return }
          notebook.send(name)
          lines.append(name)
        }.showing { Vague(lines: lines) }
      }
      var scenario = Scenario("notebook", discipline: .moves)
      let asked = scenario.receive(Note.line("q"))
      scenario.receive(Note.line("a"), answering: asked)
      scenario.receive(Note.line("r"))
      var options = Explorer.Options()
      options.allowed = allowed
      return try Explorer(scenario, registry: registry, options: options).run()
    }
    let found = try #require(try explore(nil).outcomes.first)
    #expect(OutcomeWords(found).texts == ["a page", "a page (value 2)"])
    #expect(found.outcomes.map(\.hasOwnText) == [false, false])
    #expect(try explore(["a page"]).verdict == .broken)
  }

  @Test func `hidden values change no verdict`() throws {
    var registry = ControllerRegistry()
    registry.register("cart") { context in
      let path = StackTrack("cart")
      return context.subject(of: path) { (note: Note) in path.received(note) {} }
        .showing { ["a", "b"] }
    }
    var scenario = Scenario("cart", discipline: .moves)
    scenario.receive(Note.line("q"))
    var exploration = try Explorer(scenario, registry: registry).run()
    #expect(exploration.verdict == .same)
    exploration.hideValues()
    #expect(exploration.verdict == .same)
  }

  @Test func `what another kind of controller does was not recorded`() throws {
    let history = try RecordedHistory(ClockedStory.three)
    let reader = try HistoryReader(path: history.path)
    for kind in [nil, "latest", "priority"] {
      let scenario = try Scenario(reader, session: 1, with: Replacement(all: kind))
      let outcomes = try Explorer(scenario).run().outcomes
      let words = outcomes.flatMap { OutcomeWords($0).titles }
      #expect(outcomes.flatMap(\.outcomes).contains(where: \.isRecorded) == (kind == nil))
      #expect(
        words.contains { $0.lowercased().contains("as recorded") } == (kind == nil), "\(words)")
    }
  }

  @Test func `what is kept in every order is said`() throws {
    func words(_ change: (inout Scenario) -> Void) throws -> OutcomeWords {
      var scenario = Scenario("queue")
      for name in ["loading", "alert"] as [StateName] { scenario.request(name) { $0.source = 1 } }
      change(&scenario)
      return OutcomeWords(try search(scenario, most: .max))
    }
    let one = try words { _ in }
    #expect(one.restrictions == [])
    #expect(one.extent.hasSuffix("all that can happen to what was recorded"), "\(one.extent)")
    let two = try words { $0.requests[1].source = 2 }
    #expect(two.restrictions == ["the user's and the platform's inputs keep their order"])
    #expect(
      two.extent.hasSuffix("all in which the user's and the platform's inputs keep their order"))
    let silent = try words { $0 = $0.allowingSilence }
    #expect(silent.restrictions == ["each state reports"])
    let alone = try words {
      $0.requests.removeLast()
      $0.requests[0].enters = .atOnce
    }
    #expect(alone.extent == "1 order: no other can happen")
  }

  @Test func `different states of one name are told apart, or it is said that they are not`() throws
  {
    func explore(
      _ second: StateName = "alert", _ change: (inout Scenario.Request) -> Void = { _ in }
    ) throws -> Exploration {
      var scenario = Scenario("reject")
      scenario.request("alert", change)
      scenario.request(second, change)
      return try Explorer(scenario).run()
    }
    #expect(try explore("error").verdict == .differs)
    let named = try explore()
    #expect(named.verdict == .inconclusive && named.isByName)
    #expect(
      named.outcomes.map { OutcomeWords($0).namesOnly } == [
        "'reject' shows different states of one name: give them other names, or a 'payload'."
      ])
    var both = try #require(named.outcomes.first)
    both.scenario.controllers.append(Scenario.Controller("reject", id: 2))
    both.scenario.request("alert") { $0.controller = 2 }
    both.namesOnly = [1, 2]
    #expect(
      OutcomeWords(both).namesOnly?.hasPrefix("'reject' and 'reject' show different states")
        == true)
    // What asks for the same, or tells the same, is the same.
    #expect(try explore { $0.equality = 7 }.verdict == .same)
    #expect(try explore { $0.payload = "sold out" }.verdict == .same)
  }

  /// Shows answers, once it is enabled or as long as it is.
  private final class Board {
    enum Phase { case idle, ready }
    enum Message: RecordedMessage { case asked, answered(Int), enabled(Bool) }

    let track = StateTrack("board", Phase.idle)
    private var isEnabled: Bool

    init(isEnabled: Bool) { self.isEnabled = isEnabled }

    func send(_ message: Message) {
      track.received(message) {
        switch message {
        case .asked: break
        case .answered(let number):
          guard isEnabled else { break }
          if number == 0 {
            track.moved(to: Phase.idle, showing: number)
          } else {
            track.moved(to: Phase.idle, showing: "\(number)")
          }
        case .enabled(let isOn): isEnabled = isOn
        }
      }
    }

    static func explore(isEnabled: Bool, answers: Int) throws -> Exploration {
      var registry = ControllerRegistry()
      registry.register("board") { context in
        let board = Board(isEnabled: isEnabled)
        return context.subject(of: board.track) { (message: Message) in board.send(message) }
      }
      var scenario = Scenario("board", discipline: .moves)
      let asked = scenario.receive(Message.asked)
      for number in 0..<answers {
        scenario.receive(Message.answered(number), answering: asked) { $0.source = -100 * $0.id }
      }
      scenario.receive(Message.enabled(!isEnabled))
      return try Explorer(scenario, registry: registry).run()
    }
  }

  @Test func `a track that has not moved is compared by name with one that shows more`() throws {
    // As usual the answer is shown, and behind the user's next action nothing is.
    let late = try Board.explore(isEnabled: true, answers: 1)
    #expect(late.outcomes.flatMap(\.outcomes).count == 1)
    #expect(late.verdict == .inconclusive && late.isByName)
    #expect(
      late.outcomes.map { OutcomeWords($0).namesOnly } == [
        "Of 'board' only the names of values are compared, because what is shown before the first move "
          + "is not known: say what to compare with '.showing { … }' in the registry."
      ])
    // As usual nothing is shown. What equals that by name need not equal each other, of whatever type
    // it is.
    let other = try Board.explore(isEnabled: false, answers: 2)
    #expect(other.outcomes.flatMap(\.outcomes).count == 2)
    #expect(other.verdict == .differs)
  }

  @Test func `a path that is as it was ends as one that has never changed`() throws {
    final class Navigation {
      enum Message: RecordedMessage { case open, opened, close }

      let track: StackTrack
      private var isClosed = false
      private var path: [Int] { didSet { track.moved(to: path) } }

      init(_ path: [Int]?) {
        track = path.map { StackTrack("navigation", $0) } ?? StackTrack("navigation")
        self.path = path ?? []
      }

      func send(_ message: Message) {
        track.received(message) {
          switch message {
          case .open: break
          case .opened: if !isClosed { path.append(2) }
          case .close:
            isClosed = true
            if path.last == 2 { path.removeLast() }
          }
        }
      }
    }
    for path in [nil, [], [1]] as [[Int]?] {
      var registry = ControllerRegistry()
      registry.register("navigation") { context in
        let navigation = Navigation(path)
        return context.subject(of: navigation.track) { (message: Navigation.Message) in
          navigation.send(message)
        }
      }
      var scenario = Scenario("navigation", discipline: .moves)
      let opening = scenario.receive(Navigation.Message.open)
      scenario.receive(Navigation.Message.opened, answering: opening)
      scenario.receive(Navigation.Message.close)
      #expect(try Explorer(scenario, registry: registry).run().verdict == .same, "\(path ?? [])")
    }
  }

  @Test func `a model that decides by something else is in doubt`() throws {
    var registry = ControllerRegistry()
    var count = 0
    registry.register("notebook") { context in
      let notebook = Notebook()
      count += 1
      return context.subject(of: notebook.track) { [count] (note: Note) in
        notebook.send(count % 7 == 3 ? "?" : "\(note)")
      }
    }
    var scenario = Scenario("notebook", discipline: .moves)
    let question = scenario.receive(Note.line("q"))
    scenario.receive(Note.line("a"), answering: question)
    scenario.receive(Note.line("r"))
    let exploration = try Explorer(scenario, registry: registry).run()
    #expect(exploration.verdict == .inconclusive)
    #expect(exploration.doubts.contains(.hiddenInput))
  }

  @Test func `an answer to what was not asked does not come, unless no double would know`() throws {
    var registry = ControllerRegistry()
    registry.register("notebook") { context in
      let notebook = Notebook()
      var hasAsked = false
      return context.subject(of: notebook.track) { (note: Note) in
        switch note {
        case .line(let name):
          notebook.send(name)
          if name.hasPrefix("q"), !hasAsked {
            context.asked("items")
            hasAsked = true
          }
        // The double of the clock notes nothing.
        case .timer(let name): notebook.send(name, as: note)
        }
      }
    }
    var scenario = Scenario("notebook", discipline: .moves)
    let first = scenario.receive(Note.line("q1"))
    let one = scenario.receive(Note.line("a1"), answering: first)
    let second = scenario.receive(Note.line("q2"))
    let two = scenario.receive(Note.line("a2"), answering: second)
    let timer = scenario.receive(Note.timer("t"))
    let fired = scenario.receive(Note.line("f"), answering: timer)
    let exploration = try Explorer(scenario, registry: registry).run()
    let outcomes = try #require(exploration.outcomes.first?.outcomes)
    #expect(
      outcomes.first?.schedule
        == [.make(first), .make(one), .make(second), .make(timer), .make(fired)])
    #expect(outcomes.count > 1)
    #expect(outcomes.allSatisfy { !$0.schedule.contains(.make(two)) })
    #expect(outcomes.allSatisfy { $0.schedule.contains(.make(fired)) })
  }

  @Test func `an answer to what is asked in a later step comes`() throws {
    var registry = ControllerRegistry()
    registry.register("notebook") { context in
      let notebook = Notebook()
      var hasAsked = false
      return context.subject(of: notebook.track) { (note: Note) in
        guard case .line(let name) = note else { return }
        notebook.send(name)
        guard name.hasPrefix("q") else { return }
        // The first at once, others when the user has paused.
        if hasAsked {
          context.scheduler.async { context.asked("items") }
        } else {
          context.asked("items")
          hasAsked = true
        }
      }
    }
    var scenario = Scenario("notebook", discipline: .moves)
    let first = scenario.receive(Note.line("q1"))
    scenario.receive(Note.line("a1"), answering: first)
    let second = scenario.receive(Note.line("q2"))
    let two = scenario.receive(Note.line("a2"), answering: second)
    let exploration = try Explorer(scenario, registry: registry).run()
    let outcomes = try #require(exploration.outcomes.first?.outcomes)
    #expect(outcomes.allSatisfy { $0.schedule.contains(.make(two)) })
  }

  /// Views that are asked for, and what is recorded of it.
  private final class Views {
    enum Message: RecordedMessage { case view(String), viewed(String) }
    enum Phase { case empty, loading, ready }

    let track = StateTrack("views", Phase.empty)
    private let ask: (String) -> Void
    var questions: [MessageOrigin?] = []

    init(ask: @escaping (String) -> Void = { _ in }) { self.ask = ask }

    func send(_ message: Message, answering question: MessageOrigin? = nil) {
      track.received(message, answering: question) {
        switch message {
        case .view(let text):
          questions.append(.current)
          track.moved(to: Phase.loading)
          ask(text)
        case .viewed: track.moved(to: Phase.ready)
        }
      }
    }

    /// The recorded messages, as they are known where only the first question is asked.
    static func known(_ record: (Views) -> Void) throws -> Scenario {
      let history = try RecordedHistory()
      defer { withExtendedLifetime(history) {} }
      let recorder = try history.recorder()
      let views = Views()
      recorder.attach(to: views.track, as: "views")
      record(views)
      recorder.close()
      var registry = ControllerRegistry()
      registry.register("views") { context in
        var hasAsked = false
        let views = Views { text in
          if !hasAsked { context.asked("view", text) }
          hasAsked = true
        }
        return context.subject(of: views.track) { (message: Message) in views.send(message) }
      }
      let reader = try HistoryReader(path: history.path)
      return try Scenario(reader, session: 1, registry: registry).knowingQuestions(registry)
    }
  }

  @Test func `where a recorded answer is not asked for, the run parts from the recording`() throws {
    let gone = try Views.known { views in
      for place in 0..<2 {
        views.send(.view("a"))
        views.send(.viewed("a"), answering: views.questions[place])
      }
    }
    #expect(gone.messages.last?.questions == [])
    #expect(gone.parting == gone.messages.last?.seq)
  }

  @Test func `a double that knows some questions takes no answer from the others`() throws {
    let other = try Views.known { views in
      for (place, text) in ["a", "b"].enumerated() {
        views.send(.view(text))
        views.send(.viewed(text), answering: views.questions[place])
      }
    }
    let joining = try Views.known { views in
      for _ in 0..<2 { views.send(.view("a")) }
      for place in 0..<2 { views.send(.viewed("a"), answering: views.questions[place]) }
    }
    for scenario in [other, joining] {
      #expect(scenario.messages.count == 4)
      #expect(scenario.messages.last?.questions == nil)
      #expect(scenario.parting == nil)
    }
  }

  /// A feed whose double closes the last question when it is asked again.
  ///
  /// - Parameter isInOrder: whether it answers other questions, in their order.
  private func feed(_ closes: Bool, inOrder isInOrder: Bool = false) -> ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register("notebook") { context in
      let notebook = Notebook()
      var last: ReplayQuestion?
      return context.subject(of: notebook.track) { (note: Note) in
        if case .line(let name) = note {
          notebook.send(name)
          guard name.hasPrefix("q") else { return }
          if closes { last?.close() }
          last = context.asked("items", isInOrder ? name : "", inOrder: isInOrder)
        }
      }
    }
    return registry
  }

  @Test func `what is answered in order waits for what is open, and not for what was closed`()
    throws
  {
    var scenario = Scenario("notebook", discipline: .moves)
    let first = scenario.receive(Note.line("q1"))
    let one = scenario.receive(Note.line("a1"), answering: first)
    let second = scenario.receive(Note.line("q2"))
    let two = scenario.receive(Note.line("a2"), answering: second)
    for closes in [false, true] {
      let exploration = try Explorer(scenario, registry: feed(closes, inOrder: true)).run()
      let orders = Set(exploration.outcomes.flatMap(\.outcomes).map(\.schedule))
      let other: Schedule =
        [.make(first), .make(second)] + (closes ? [.make(two)] : [.make(one), .make(two)])
      #expect(orders == [[.make(first), .make(one), .make(second), .make(two)], other])
    }
  }

  @Test func `an answer comes only to a question that is open, and each question has one`() throws {
    var scenario = Scenario("notebook", discipline: .moves)
    let first = scenario.receive(Note.line("q1"))
    let one = scenario.receive(Note.line("a1"), answering: first)
    let second = scenario.receive(Note.line("q2"))
    let two = scenario.receive(Note.line("a2"), answering: second)
    for closes in [false, true] {
      let exploration = try Explorer(scenario, registry: feed(closes)).run()
      let outcomes = try #require(exploration.outcomes.first?.outcomes)
      #expect(
        outcomes.first?.schedule == [.make(first), .make(one), .make(second), .make(two)])
      // What is closed is awaited no longer.
      #expect(outcomes.allSatisfy { $0.screens.allSatisfy(\.awaited.isEmpty) })
      // Behind the second question, the first answer comes only if its question is still open.
      let late: Schedule = [.make(first), .make(second), .make(two), .make(one)]
      #expect(outcomes.contains { $0.schedule == late } != closes, "\(outcomes.map(\.schedule))")
    }
  }
}
