import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Testing

@testable import StatyReplay

/// What edits and other controllers change, and what is said of that.
@Suite struct WhatIfTests {
  @Test func `nothing changed is played as it was recorded`() throws {
    let history = try RecordedHistory(ClockedStory.three)
    let result = try history.whatIf()
    #expect(result.events.map(\.kind) == (try history.kinds()))
    #expect(result.verdict == .clean)
    #expect(result.assumptions == [])
  }

  /// The user has removed the page, so it may come again from the beginning.
  @Test func `a page that is shown anew is played without a finding`() throws {
    final class Screen {}
    final class Still: ScreenState {
      func enter(on target: Screen, visit: Visit) { visit.entered() }
      func exit(from target: Screen, visit: Visit) { visit.exited() }
    }
    let routes = Routes<String>(states: ["a", "b"]) {
      Start {
        To("a")
        To("b")
      }
    }
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    let (controller, screen) = (RoutedController(routes: routes) { _, _ in Still() }, Screen())
    recorder.attach(to: controller.states, as: "pages")
    controller.states.bind(to: screen)
    controller.show("a")
    controller.showAnew("b")
    recorder.close()
    let result = try history.whatIf()
    #expect(result.verdict == .clean, "\(result)")
    #expect(result.states(.entered) == ["a", "b"])
  }

  @Test func `a request that is skipped never comes`() throws {
    let history = try RecordedHistory(ClockedStory.three)
    let seq = try #require(Int64(try history.number(of: "enqueued", visit: 2)))
    let result = try history.whatIf(edits: [.skip(seq)])
    #expect(result.states(.entered) == ["loading", "alert"])
    #expect(result.recordedVisits[1] == [1: 1, 2: 3])
    #expect(result.verdict == .clean)
  }

  @Test func `a completion that is skipped keeps the rest waiting`() throws {
    let history = try RecordedHistory(ClockedStory.three)
    let seq = try #require(Int64(try history.number(of: "exited", visit: 1)))
    let result = try history.whatIf(edits: [.skip(seq)])
    #expect(result.states(.entered) == ["loading"])
    #expect(result.assumptions == [])
  }

  @Test func `a delay moves an input and what answers to it`() throws {
    let history = try RecordedHistory(ClockedStory.three)
    let seq = try #require(Int64(try history.number(of: "entered", visit: 1)))
    let before = try history.whatIf()
    let after = try history.whatIf(edits: [.delay(seq, 50_000)])
    #expect(after.states(.entered) == before.states(.entered))
    let (one, other) = (before.times(.entered), after.times(.entered))
    #expect(zip(one, other).map { $1 - $0 } == [50_000, 50_000, 50_000])
    #expect(before.times(.enqueued) == after.times(.enqueued))
  }

  @Test func `an inserted request comes after its event, with a time that is assumed`() throws {
    let history = try RecordedHistory(ClockedStory.three)
    let seq = try #require(Int64(try history.number(of: "enqueued", visit: 1)))
    let result = try history.whatIf(
      edits: [.insert(after: seq, state: "empty"), .insert(after: seq, state: "loading")],
      assuming: 70_000)
    #expect(result.states(.entered) == ["loading", "empty", "loading", "content", "alert"])
    let visit = AssumedVisit(controller: 1, played: 2, recorded: nil, state: "empty")
    #expect(
      result.assumptions.first == .duration(visit, .entered, microseconds: 70_000, .assumed))
    // Of its name there is another in the session, which took 10 ms.
    let second = AssumedVisit(controller: 1, played: 3, recorded: nil, state: "loading")
    #expect(
      result.assumptions.contains(
        .duration(second, .entered, microseconds: 10_000, .session)))
  }

  @Test func `a request is not made if its origin never enters, and that is reported`() throws {
    let history = try RecordedHistory(ClockedStory.asking)
    let asked = try #require(Int64(try history.number(of: "enqueued", visit: 1)))
    let asking = try #require(Int64(try history.number(of: "enqueued", visit: 2)))
    #expect(try history.whatIf().states(.entered) == ["loading", "content"])
    let result = try history.whatIf(edits: [.skip(asked)])
    #expect(result.states(.enqueued) == [])
    #expect(
      result.assumptions == [
        .leftOut(
          seq: asking, AssumedVisit(controller: 1, recorded: 2, state: "content"),
          becauseOf: AssumedVisit(controller: 1, recorded: 1), .entered)
      ])
  }

  @Test func `a request keeps its delay after its origin has entered`() throws {
    let history = try RecordedHistory(ClockedStory.asking)
    let arrived = try #require(Int64(try history.number(of: "entered", visit: 1)))
    let before = try history.whatIf().times(.enqueued)
    let after = try history.whatIf(edits: [.delay(arrived, 20_000)]).times(.enqueued)
    #expect(zip(before, after).map { $1 - $0 } == [0, 20_000])
  }

  @Test func `a replay says which edits changed nothing, and refuses those about no input`() throws
  {
    let history = try RecordedHistory(ClockedStory.asking)
    let asked = try #require(Int64(try history.number(of: "enqueued", visit: 1)))
    let asking = try #require(Int64(try history.number(of: "enqueued", visit: 2)))
    let entering = try #require(Int64(try history.number(of: "entering", visit: 1)))
    let result = try history.whatIf(edits: [.skip(asked), .skip(asking)])
    #expect(result.assumptions == [.noEffect(.skip(asking))])
    #expect(throws: EditError.noInput(.skip(entering), session: 1)) {
      try history.whatIf(edits: [.skip(entering)])
    }
    let entered = try #require(Int64(try history.number(of: "entered", visit: 1)))
    for seq in [asked, entered] {
      #expect(throws: EditError.nothingToFinish(.finish(seq), session: 1)) {
        try history.whatIf(edits: [.finish(seq)])
      }
    }
    #expect(throws: EditError.endOfRecording(.delay(1, 5), session: 1)) {
      try history.whatIf(edits: [.delay(1, 5)])
    }
    #expect(throws: EditError.notReplayed(.skip(asked), session: 1)) {
      try history.whatIf(edits: [.skip(asked)], only: [])
    }
    #expect(throws: EditError.noEvent(.skip(999), session: 1)) {
      try history.whatIf(edits: [.skip(999)])
    }
    #expect(
      EditError.noEvent(.skip(999), session: 1).description
        == "'skip 999': there is no event 999 in what is replayed of session 1.")
  }

  @Test func `an edit of an event of another session says which session has it`() throws {
    let history = try RecordedHistory(ClockedStory.three)
    try history.addSession()
    let seq = Int64(try history.kinds().count) + 1
    #expect(throws: EditError.otherSession(.skip(seq), session: 2, replayed: 1)) {
      try history.whatIf(edits: [.skip(seq)])
    }
    #expect(throws: EditError.noEvent(.skip(seq + 1), session: 1)) {
      try history.whatIf(edits: [.skip(seq + 1)])
    }
  }

  @Test func `of a state that did not answer another kind assumes that it does`() throws {
    let history = try RecordedHistory(ClockedStory.silent)
    let visit = AssumedVisit(controller: 1, played: 1, recorded: 1, state: "loading")
    let same = try history.whatIf()
    #expect(same.verdict == .stillBroken)
    #expect(same.assumptions == [.silent(visit, .entered)])
    let other = try history.whatIf(with: "priority")
    // That cannot be known: the state was told the same, and did not answer.
    #expect(other.verdict == .inconclusive)
    #expect(other.findings == [])
    let told = try #require(Int64(try history.number(of: "entering", visit: 1)))
    #expect(other.doubts == [.unanswered(seq: told, visit, .entered)])
    #expect(
      other.assumptions == [
        .duration(visit, .entered, microseconds: 300_000, .assumed),
        .duration(visit, .exited, microseconds: 300_000, .assumed),
      ])
  }

  @Test func `a state that was told out of turn is taken to answer in turn`() throws {
    let history = try RecordedHistory(ClockedStory.overlapped, under: ImmediatePolicy())
    let same = try history.whatIf()
    #expect(same.decisive.map(\.code) == [.neverArrived])
    #expect(same.verdict == .stillBroken)
    // A controller that means to let states overlap gave it no reason to be silent.
    #expect(try history.whatIf(with: "queue").verdict == .inconclusive)
    try history.change("INSERT INTO name VALUES (900, 'mine')")
    try history.change("UPDATE controller SET policy = 900, discipline = 1")
    let queued = try history.whatIf(with: "queue")
    #expect(queued.verdict == .fixed, "\(queued.doubts)")
    #expect(queued.assumptions != [])
    // Where it is told as early as it was, it has no reason to answer.
    let early = try history.whatIf(with: "immediate")
    #expect(early.recorded.contains { $0.code == .overlap })
    #expect(early.findings == [])
    #expect(early.verdict == .inconclusive)
  }

  @Test(arguments: VerificationTests.policies.map(\.0), VerificationTests.policies.map(\.0))
  func `a state that never exited exits with no other policy`(_ recorded: String, _ name: String)
    throws
  {
    let policy = try #require(VerificationTests.policies.first { $0.0 == recorded }?.1)
    let history = try RecordedHistory(ClockedStory.staying, under: policy)
    let result = try history.whatIf(with: name)
    let told = try history.number(of: "exiting", visit: 1)
    if told == "-1" || result.states(.exiting).isEmpty {
      // A controller that never tells the state waits for no answer.
      let expected: WhatIfResult.Verdict = told == "-1" ? .clean : .fixed
      #expect(result.verdict == expected, "\(result.doubts)")
    } else {
      #expect(result.verdict == (recorded == name ? .stillBroken : .inconclusive))
    }
  }

  @Test func `a silence that is no error yet is none, and an answer may be assumed`() throws {
    let history = try RecordedHistory(ClockedStory.silent)
    let told = try #require(Int64(try history.number(of: "entering", visit: 1)))
    let result = try history.whatIf(with: "priority", through: told)
    #expect(result.recorded == [])
    #expect(result.verdict == .clean)
  }

  @Test func `that nothing is broken where nothing was played says nothing`() throws {
    let empty = try RecordedHistory { _, clock in clock.advance(by: .seconds(1)) }
    #expect(try empty.whatIf().verdict == .inconclusive)
    #expect(try empty.whatIf().doubts == [.nothingPlayed(controller: nil)])
    let history = try RecordedHistory(ClockedStory.silent)
    let asked = try #require(Int64(try history.number(of: "enqueued", visit: 1)))
    let result = try history.whatIf(edits: [.skip(asked)])
    #expect(result.recorded.map(\.code) == [.neverArrived])
    #expect(result.verdict == .inconclusive)
    #expect(result.doubts == [.nothingPlayed(controller: nil)])
  }

  @Test func `a session is judged up to where it is played, in the recording and in the play`()
    throws
  {
    let history = try RecordedHistory(ClockedStory.silent)
    let reader = try HistoryReader(path: history.path)
    for last in 1...Int64(try history.kinds().count) {
      let checked = try HistoryCheck(reader).session(1, through: last).findings
      #expect(try history.whatIf(through: last).recorded == checked)
    }
    #expect(try HistoryCheck(reader).session(1, through: 3).findings == [])
    #expect(try HistoryCheck(reader).session(1).findings != [])
  }

  @Test func `an edit may move things by more than a controller may dally`() throws {
    let history = try RecordedHistory(ClockedStory.three)
    let seq = try #require(Int64(try history.number(of: "entered", visit: 1)))
    let result = try history.whatIf(edits: [.delay(seq, 7_200_000_000)])
    #expect(result.doubts == [])
    #expect(result.states(.entered) == ["loading", "content", "alert"])
    let long = try history.whatIf(
      edits: [.insert(after: seq, state: "empty")], assuming: 7_200_000_000)
    #expect(long.doubts == [])
    #expect(long.states(.entered).contains("empty"))
  }

  @Test func `edits that contradict each other are refused`() throws {
    let history = try RecordedHistory(ClockedStory.three)
    let seq = try #require(Int64(try history.number(of: "entered", visit: 1)))
    for (one, other) in [
      (Edit.skip(seq), Edit.delay(seq, 5)), (.delay(seq, 5), .skip(seq)),
      (.delay(seq, 5), .delay(seq, 5_000)), (.delay(seq, 5), .delay(seq, 5)),
      (.finish(seq), .delay(seq, 5)), (.skip(seq), .finish(seq)),
    ] {
      #expect(
        throws: EditError.contradiction(one, other)
      ) { try history.whatIf(edits: [one, .insert(after: seq, state: "empty"), other]) }
    }
    #expect(
      try history.whatIf(edits: [.skip(seq), .skip(seq)]) == history.whatIf(edits: [.skip(seq)]))
  }

  /// A controller whose recording ends 10 ms after its second state has entered.
  private func ending(_ reason: String = "") throws -> RecordedHistory {
    try RecordedHistory(
      """
      {"format":"staty-history","version":1}
      {"type":"session","uuid":"u","first_seq":1}
      {"type":"controller","controller":"checkout","policy":"queue","discipline":"in-order","fidelity":"full"}
      {"seq":1,"t_us":0,"kind":"attached","controller":"checkout"}
      {"seq":2,"t_us":1000,"kind":"enqueued","controller":"checkout","visit":1,"state":"loading"}
      {"seq":3,"t_us":1000,"kind":"entering","controller":"checkout","visit":1,"state":"loading","inside":2,"part":"handled"}
      {"seq":4,"t_us":10000,"kind":"entered","controller":"checkout","visit":1,"state":"loading"}
      {"seq":5,"t_us":20000,"kind":"enqueued","controller":"checkout","visit":2,"state":"content"}
      {"seq":6,"t_us":20000,"kind":"exiting","controller":"checkout","visit":1,"state":"loading","inside":5,"part":"handled"}
      {"seq":7,"t_us":30000,"kind":"exited","controller":"checkout","visit":1,"state":"loading"}
      {"seq":8,"t_us":30000,"kind":"entering","controller":"checkout","visit":2,"state":"content","inside":7,"part":"handled"}
      {"seq":9,"t_us":40000,"kind":"entered","controller":"checkout","visit":2,"state":"content"}
      {"seq":10,"t_us":50000,"kind":"detached"\(reason),"controller":"checkout"}
      {"type":"end","ended":"clean"}

      """)
  }

  @Test func `the end of a controller waits for what comes later, and for what follows from it`()
    throws
  {
    let history = try ending()
    #expect(try history.whatIf().times(.detached) == [50_000])
    for seq in [5, 7, 9] as [Int64] {
      let result = try history.whatIf(edits: [.delay(seq, 100_000)])
      #expect(result.states(.entered) == ["loading", "content"], "\(seq)")
      #expect(result.times(.entered).last == 140_000)
      #expect(result.events.last?.kind == EventKind.detached.rawValue)
      #expect(result.verdict == .clean && result.assumptions == [], "\(result)")
    }
    // What comes before the end changes nothing about it.
    #expect(try history.whatIf(edits: [.delay(9, 5_000)]).times(.detached) == [50_000])
    let inserted = try history.whatIf(edits: [.insert(after: 9, state: "alert")])
    #expect(inserted.states(.entered) == ["loading", "content", "alert"])
    #expect(inserted.verdict == .clean, "\(inserted.findings) \(inserted.doubts)")
  }

  @Test func `the end of a controller waits for what comes later at another that it follows`()
    throws
  {
    let history = try RecordedHistory(
      """
      {"format":"staty-history","version":1}
      {"type":"session","uuid":"u","first_seq":1}
      {"type":"controller","controller":"page","policy":"queue","discipline":"in-order","fidelity":"full"}
      {"type":"controller","controller":"sheet","policy":"queue","discipline":"in-order","fidelity":"full"}
      {"seq":1,"t_us":0,"kind":"attached","controller":"page"}
      {"seq":2,"t_us":0,"kind":"attached","controller":"sheet"}
      {"seq":3,"t_us":1000,"kind":"enqueued","controller":"page","visit":1,"state":"list"}
      {"seq":4,"t_us":1000,"kind":"entering","controller":"page","visit":1,"state":"list","inside":3,"part":"handled"}
      {"seq":5,"t_us":10000,"kind":"entered","controller":"page","visit":1,"state":"list"}
      {"seq":6,"t_us":10000,"kind":"enqueued","controller":"sheet","visit":1,"state":"hint","inside":5,"part":"observed"}
      {"seq":7,"t_us":10000,"kind":"entering","controller":"sheet","visit":1,"state":"hint","inside":6,"part":"handled"}
      {"seq":8,"t_us":20000,"kind":"entered","controller":"sheet","visit":1,"state":"hint"}
      {"seq":9,"t_us":50000,"kind":"detached","controller":"sheet"}
      {"seq":10,"t_us":60000,"kind":"detached","controller":"page"}
      {"type":"end","ended":"clean"}

      """)
    let result = try history.whatIf(edits: [.delay(5, 100_000)])
    #expect(result.states(.entered) == ["list", "hint"])
    #expect(result.verdict == .clean, "\(result.findings) \(result.doubts)")
  }

  /// The next session has what comes later.
  @Test func `that nothing is broken where a delayed input never comes says nothing`() throws {
    let history = try ending(#","reason":"continues""#)
    #expect(try history.whatIf().verdict == .clean)
    let result = try history.whatIf(edits: [.delay(5, 100_000)])
    #expect(result.assumptions == [.noEffect(.delay(5, 100_000))])
    #expect(result.doubts == [.noEffect(seq: 5)])
    #expect(result.verdict == .inconclusive)
  }

  @Test func `a recording with a gap is never called clean`() throws {
    let history = try RecordedHistory(ClockedStory.three)
    let seq = Int(try history.number(of: "entered", visit: 2))!
    try history.change("DELETE FROM event WHERE seq = \(seq)")
    try history.change("INSERT INTO loss VALUES (\(seq), \(seq), 1, 'overload')")
    let result = try history.whatIf()
    #expect(result.verdict == .inconclusive)
    #expect(result.doubts == [.gap(controller: 1, seq: Int64(seq))])
  }

  /// Two controllers, the second attached while numbers of the first are missing, or after them.
  private func lossy(_ attached: Int) throws -> RecordedHistory {
    let history = try RecordedHistory(
      """
      {"format":"staty-history","version":1}
      {"type":"controller","controller":"first","policy":"queue"}
      {"kind":"enqueued","controller":"first","state":"a","t_ms":1}
      {"kind":"entering","controller":"first","state":"a","t_ms":2}
      {"kind":"entered","controller":"first","state":"a","t_ms":3}
      {"kind":"enqueued","controller":"first","state":"b","t_ms":4}
      {"kind":"exiting","controller":"first","state":"a","t_ms":5}
      {"type":"controller","controller":"second","policy":"queue"}
      {"kind":"enqueued","controller":"second","state":"a","t_ms":6}
      {"kind":"entering","controller":"second","state":"a","t_ms":7}
      {"kind":"entered","controller":"second","state":"a","t_ms":8}
      {"kind":"enqueued","controller":"first","state":"c","t_ms":9000}

      """)
    try history.change("UPDATE controller SET fidelity = 1")
    let told = try #require(Int(try history.number(of: "exiting", visit: 1)))
    try history.change("DELETE FROM event WHERE seq = \(told)")
    try history.change("INSERT INTO loss VALUES (\(told), \(told + attached), 1, 'overload')")
    return history
  }

  @Test func `a gap puts only the controllers in doubt that may have events in it`() throws {
    let history = try lossy(0)
    let result = try history.whatIf()
    #expect(result.doubts == [.gap(controller: 1, seq: 6)])
    #expect(result.verdict == .inconclusive)
    #expect(
      result.events.contains { $0.controller == 2 && $0.kind == EventKind.entering.rawValue })
    #expect(try history.whatIf(only: [2]).verdict == .clean)
    #expect(try history.whatIf(only: [2]).doubts == [])
    #expect(try history.whatIf(only: [1]).doubts == [.gap(controller: 1, seq: 6)])
    #expect(try history.verify().doubts == [.gap(controller: 1, seq: 6)])
    // It is not known whether it exited in the end.
    #expect(result.findings == [])
  }

  @Test func `a controller that is attached while numbers are missing may have lost events`() throws
  {
    let history = try lossy(2)
    for doubts in [try history.whatIf().doubts, try history.verify().doubts] {
      #expect(Set(doubts) == [.gap(controller: 1, seq: 6), .gap(controller: 2, seq: 6)])
    }
  }

  @Test func `a controller with a lost beginning is in doubt`() throws {
    let history = try lossy(0)
    try history.change("DELETE FROM event WHERE what & 31 = 1 AND what >> 14 = 2")
    try history.change("UPDATE loss SET last_seq = last_seq + 1, count = 2")
    for doubts in [try history.whatIf().doubts, try history.verify().doubts] {
      #expect(Set(doubts) == [.gap(controller: 1, seq: 6), .gap(controller: 2, seq: 6)])
    }
  }

  /// A desk that puts each of its steps off, and what is recorded of it.
  private final class Putting: Desk {
    var schedule: (@escaping () -> Void) -> Void = { _ in }
    override func proceed() { schedule(probe.deferred { [unowned self] in goOn() }) }

    static var registry: ControllerRegistry {
      var registry = ControllerRegistry()
      registry.register("desk") { context in
        let desk = Putting(probe: context.probe)
        desk.schedule = { context.scheduler.async($0) }
        return context.subject(makeState: ScriptedDeskState.init) { state, _ in
          state.desk = desk
          desk.transit(to: state)
        }
      }
      return registry
    }
  }

  @Test func `a step that was put off can be skipped and delayed`() throws {
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    let desk = Putting(probe: ControllerProbe("desk"))
    var steps: [() -> Void] = []
    desk.schedule = { steps.append($0) }
    recorder.attach(to: desk, as: "desk")
    let state = DeskState("loading")
    state.onEnter = { _ in }
    desk.transit(to: state)
    while !steps.isEmpty { steps.removeFirst()() }
    recorder.close()
    let step = try #require(Int64(try history.number(of: "resumed", visit: nil)))
    let before = try history.whatIf(registry: Putting.registry)
    #expect(before.states(.entering) == ["loading"])
    let later = try history.whatIf(edits: [.delay(step, 40_000)], registry: Putting.registry)
    #expect(later.times(.entering) == before.times(.entering).map { $0 + 40_000 })
    let never = try history.whatIf(edits: [.skip(step)], registry: Putting.registry)
    #expect(never.states(.entering) == [])
    for result in [later, never] {
      #expect(!result.assumptions.contains { if case .noEffect = $0 { true } else { false } })
    }
  }

  @Test func `an answer comes only if what it answers is asked`() throws {
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    let account = Account()
    recorder.attach(to: account.track, as: "account")
    account.send(.refresh)
    account.send(.signIn)
    account.send(.refresh)
    for question in account.questions.reversed() { account.send(.refreshed, answering: question) }
    recorder.close()
    let received = try history.rows("SELECT seq FROM history WHERE kind = 'received'")
      .compactMap { Int64($0) }
    try #require(received.count == 5)
    let same = try history.whatIf(registry: Account.registry(isRight: false))
    #expect(same.assumptions == [])
    #expect(same.states(.received).count == 5)
    let right = try history.whatIf(registry: Account.registry(isRight: true))
    #expect(
      right.assumptions
        == [.notAsked(seq: received[4], name: "refreshed", because: received[0])])
    #expect(right.states(.received) == ["refresh", "signIn", "refresh", "refreshed"])
    // Played as it was recorded, a model that does not ask proves nothing.
    #expect(right.doubts.contains(.askedOtherwise(seq: received[4])))
  }

  /// A list whose pages are asked for: with an argument that depends on what was received before.
  private final class Pages {
    enum Message: RecordedMessage { case widen, load, loaded, rendered }
    enum State { case empty, ready }

    let track = StateTrack("pages", State.empty)
    private let ask: (Int) -> Void
    private var size = 1
    var question: MessageOrigin?

    init(ask: @escaping (Int) -> Void = { _ in }) { self.ask = ask }

    func send(_ message: Message, answering question: MessageOrigin? = nil) {
      track.received(message, answering: question) {
        switch message {
        case .widen: size += 1
        case .load:
          self.question = .current
          ask(size)
        case .loaded:
          self.question = .current
          track.moved(to: State.ready)
        case .rendered: break
        }
      }
    }

    static var registry: ControllerRegistry {
      var registry = ControllerRegistry()
      registry.register("pages") { context in
        let pages = Pages { context.asked("page", $0) }
        return context.subject(of: pages.track) { (message: Message) in pages.send(message) }
      }
      return registry
    }
  }

  @Test func `what is asked for otherwise has no recorded answer`() throws {
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    let pages = Pages()
    recorder.attach(to: pages.track, as: "pages")
    pages.send(.widen)
    pages.send(.load)
    for message in [Pages.Message.loaded, .rendered] {
      pages.send(message, answering: pages.question)
    }
    recorder.close()
    let received = try history.rows("SELECT seq FROM history WHERE kind = 'received'")
      .compactMap { Int64($0) }
    try #require(received.count == 4)
    #expect(try history.whatIf(registry: Pages.registry).verdict == .clean)
    let other = try history.whatIf(edits: [.skip(received[0])], registry: Pages.registry)
    // What answers an answer that did not come does not come either.
    #expect(
      other.assumptions == [
        .notAsked(seq: received[2], name: "loaded", because: received[1]),
        .unasked(seq: received[3], name: "rendered", because: received[2]),
      ])
    #expect(other.doubts.contains(.askedOtherwise(seq: received[2])))
    #expect(other.verdict == .inconclusive)
  }

  @Test func `a controller that never settles is given up`() throws {
    let history = try RecordedHistory(ClockedStory.three)
    var registry = ControllerRegistry()
    registry.register("restless") { Restless.subject($0, every: .seconds(1)) }
    registry.register("frantic") { Restless.subject($0, every: .zero) }
    registry.register("idle") { Restless.subject($0, every: .zero, isTold: false) }
    let slow = try history.whatIf(with: "restless", registry: registry)
    #expect(slow.verdict == .inconclusive)
    #expect(slow.doubts.count == 1)
    guard case .unsettled(controller: 1, _) = slow.doubts.first else {
      Issue.record("\(slow.doubts)")
      return
    }
    for endless in ["frantic", "idle"] {
      let quick = try history.whatIf(with: endless, registry: registry)
      #expect(quick.verdict == .inconclusive)
      guard case .runaway(controller: 1, _) = quick.doubts.first else {
        Issue.record("\(endless): \(quick.doubts)")
        continue
      }
    }
  }
}

/// An account that is refreshed; a right one asks the server only while somebody is signed in.
private final class Account {
  enum Message: RecordedMessage { case refresh, signIn, refreshed }
  enum State { case out, `in` }

  let track = StateTrack("account", State.out)
  private var state = State.out { didSet { track.moved(to: state) } }
  private let isRight: Bool
  private let ask: () -> Void
  var questions: [MessageOrigin?] = []

  init(isRight: Bool = false, ask: @escaping () -> Void = {}) {
    (self.isRight, self.ask) = (isRight, ask)
  }

  func send(_ message: Message, answering question: MessageOrigin? = nil) {
    track.received(message, answering: question) {
      switch message {
      case .refresh:
        if isRight, state == .out { return }
        questions.append(.current)
        ask()
      case .signIn, .refreshed: state = .in
      }
    }
  }

  static func registry(isRight: Bool) -> ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register("account") { context in
      let account = Account(isRight: isRight) { context.asked("refresh") }
      return context.subject(of: account.track) { (message: Message) in account.send(message) }
    }
    return registry
  }
}

/// Puts a step off again and again.
private final class Restless {
  final class State {}
  private let context: ReplayContext
  private let pause: Duration
  /// Whether its steps are reported.
  private let isTold: Bool

  init(_ context: ReplayContext, _ pause: Duration, isTold: Bool) {
    (self.context, self.pause, self.isTold) = (context, pause, isTold)
  }

  static func subject(
    _ context: ReplayContext, every pause: Duration, isTold: Bool = true
  ) -> ReplaySubject {
    let controller = Restless(context, pause, isTold: isTold)
    return context.subject(makeState: { _ in State() }) { state, _ in
      context.probe.requested(state) { controller.wait() }
    }
  }

  private func wait() {
    let step = { [self] in wait() }
    _ = context.scheduler.schedule(after: pause, isTold ? context.probe.deferred(step) : step)
  }
}
