import Staty
import StatyHistory
import Testing

@testable import StatyRules

@Suite("late-answer")
struct LateAnswerTests {
  /// A track that is told of messages, event by event.
  private struct Feed {
    private var checker: SessionChecker
    private var seq: Int64 = 0
    private var visit: UInt32 = 0
    private(set) var now: Int64 = 0
    private(set) var number: Int32 = 1

    private static let names: [Int32: String] = [1: "load", 2: "loaded", 3: "cancel", 4: "stop"]

    init() {
      checker = SessionChecker(
        session: 1, controllers: [1, 2].map { .made(id: $0, discipline: .moves) }, firstSeq: 1)
      checker.learn(names: Self.names)
      add(.attached)
    }

    @discardableResult
    mutating func add(
      _ kind: EventKind, _ visit: UInt32 = 0, _ reason: EventReason? = nil, state: Int32 = 0,
      inside: Int64 = 0, answering: Int64 = 0
    ) -> Int64 {
      seq += 1
      now += 1_000_000
      var row = EventRow(
        seq: seq, time: now, kind: kind, reason: reason?.code ?? 0,
        controller: kind == .mark ? 0 : number, visit: visit, state: state, cause: inside)
      if answering != 0 { row.ownCause = answering }
      checker.take(row)
      return seq
    }

    /// A message that sets the track to another state, and may be an answer.
    @discardableResult
    mutating func receive(_ name: Int32, answering question: Int64 = 0) -> Int64 {
      let message = add(.received, state: name, answering: question)
      visit += 1
      add(.moved, visit, state: Int32(visit), inside: message)
      return message
    }

    /// An answer comes although the user has changed the state since.
    ///
    /// - Returns: the message of the user's.
    mutating func answerLate() -> Int64 {
      let asked = receive(1)
      let other = receive(3)
      receive(2, answering: asked)
      return other
    }

    /// An event is lost, and something else happens.
    mutating func lose() {
      seq += 1
      add(.mark)
    }

    mutating func detach(_ reason: EventReason? = nil) { add(.detached, 0, reason) }

    /// The recording goes on under another number.
    mutating func beginAnew() {
      detach(.continues)
      number += 1
      add(.attached)
      add(.stood, visit, .stoodEntered, state: Int32(visit))
    }

    /// What is found if the session ends now, each with its severity.
    var found: [String] {
      var checker = checker
      return (checker.drain() + checker.findingsAtEnd(endTime: now, isCut: false)).sorted().filter {
        $0.code == .lateAnswer
      }.map { "\($0.severity.rawValue) \($0.seq)" }
    }
  }

  @Test func `an answer behind a message of the user's is late`() {
    var feed = Feed()
    _ = feed.answerLate()
    #expect(feed.found == ["warning 7"])
  }

  @Test func `two that cross are not`() {
    var feed = Feed()
    let other = feed.answerLate()
    feed.receive(4, answering: other)
    #expect(!feed.found.contains("warning 7"))
  }

  /// The lost event may be the answer that it crossed.
  @Test(arguments: [false, true])
  func `where an event was lost behind it, it is worth a note`(isNoticed: Bool) {
    var feed = Feed()
    _ = feed.answerLate()
    feed.lose()
    if isNoticed { feed.receive(3) }
    #expect(feed.found == ["note 7"])
  }

  @Test(arguments: [false, true])
  func `behind a loss it is known whether the two cross, also under another number`(crosses: Bool) {
    var feed = Feed()
    let other = feed.answerLate()
    feed.lose()
    feed.receive(3)
    feed.beginAnew()
    if crosses { feed.receive(4, answering: other) }
    #expect(feed.found.contains("note 7") == !crosses)
  }

  @Test func `where the recording goes on in the next session, the two may cross there`() {
    var feed = Feed()
    _ = feed.answerLate()
    feed.detach(.continues)
    #expect(feed.found == ["note 7"])
  }
}
