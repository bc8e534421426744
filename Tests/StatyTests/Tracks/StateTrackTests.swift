import Staty
import Testing

@Suite struct StateTrackTests {
  private enum Feed {
    case idle, loading
    case ready(Int)
  }

  private enum Level { case root, detail }

  private let track = StateTrack("feed")
  private let log = EventLog()

  init() {
    track.events.add(log)
  }

  private var moves: [String] {
    log.events.map {
      "\($0.kind) \($0.visit.map { "\($0) " } ?? "")\($0.state.map { "\($0)" } ?? "")"
    }
  }

  @Test func `each change is one event and begins a visit`() {
    track.moved(to: Feed.loading)
    track.moved(to: Feed.ready(1))
    #expect(moves == ["moved #1 loading", "moved #2 ready"])
    #expect(log.events.allSatisfy { $0.kind.side == .output })
  }

  /// A swipe back lets the view below appear, and disappear again if it is cancelled.
  @Test func `of views that appear and disappear the topmost is shown`() {
    let (root, detail) = (Screen(), Screen())
    track.appeared(Level.root, in: root)
    track.appeared(Level.detail, in: detail)
    track.disappeared(root)
    track.appeared(Level.root, in: root)
    track.disappeared(root)
    #expect(moves == ["moved #1 root", "moved #2 detail", "moved #3 root", "moved #4 detail"])
    // A view that shows another value is the same view.
    track.appeared(Level.root, in: detail)
    #expect(moves.last == "moved #5 root")
    track.disappeared(detail)
    track.disappeared(detail)
    track.appeared(Level.detail, in: root)
    #expect(moves.last == "moved #6 detail" && moves.count == 6)
  }

  @Test func `a view that is covered is not shown when its value changes`() {
    let (root, detail) = (Screen(), Screen())
    track.appeared(Level.root, in: root)
    track.appeared(Level.detail, in: detail)
    track.disappeared(root)
    track.changed(Level.root, in: root)
    #expect(moves == ["moved #1 root", "moved #2 detail"])
    track.changed(Level.root, in: detail)
    #expect(moves.last == "moved #3 root")
  }

  @Test func `a view that is released without having disappeared is not shown again`() {
    let root = Screen()
    track.appeared(Level.root, in: root)
    do {
      let detail = Screen()
      track.appeared(Level.detail, in: detail)
    }
    let other = Screen()
    track.appeared(Level.detail, in: other)
    track.disappeared(other)
    #expect(moves == ["moved #1 root", "moved #2 detail", "moved #2 detail", "moved #3 root"])
    withExtendedLifetime(root) {}
  }

  @Test func `a view that gets another track is shown on that one, while it is on the screen`() {
    let (other, view) = (StateTrack("other"), ViewToken())
    let others = EventLog()
    other.events.add(others)
    view.changed(to: Level.root, on: track)
    view.appeared(Level.root, on: track)
    view.changed(to: Level.detail, on: other)
    view.changed(to: Level.root, on: other)
    view.disappeared()
    view.changed(to: Level.detail, on: track)
    #expect(moves == ["moved #1 root"])
    #expect(others.events.map(\.state) == ["detail", "root"])
  }

  @Test func `a track and a probe run on the clock of a test`() {
    let clock = ManualClock()
    clock.advance(by: .seconds(5))
    let before = EventSource.clock
    let track = StateTrack("feed", Feed.idle, elapsed: { clock.now })
    let stack = StackTrack("path", elapsed: { clock.now })
    let probe = ControllerProbe("probe", elapsed: { clock.now })
    for source in [track.events, stack.events, probe.events] { source.add(log) }
    for _ in 0..<2 {
      track.moved(to: Feed.loading)
      stack.moved(toCount: stack.events.snapshot.standing.standing.count + 1)
      probe.requested(self.track, named: "content")
      clock.advance(by: .milliseconds(250))
    }
    let times = log.events.map(\.time)
    #expect(times[0] >= before)
    #expect((0..<3).map { times[$0 + 3] - times[$0] } == [250_000_000, 250_000_000, 250_000_000])
  }

  @Test func `a change to a state with the same name is the same visit`() {
    track.moved(to: Feed.ready(1))
    track.moved(to: Feed.ready(2))
    track.moved(to: Feed.idle)
    track.moved(to: Feed.ready(3))
    #expect(moves == ["moved #1 ready", "moved #1 ready", "moved #2 idle", "moved #3 ready"])
  }

  @Test func `the snapshot has the current value, and whether there were earlier events`() throws {
    #expect(!track.events.snapshot.isLate)
    #expect(track.events.snapshot.standing.standing.isEmpty)
    track.moved(to: Feed.loading)
    track.moved(to: Feed.idle)
    let snapshot = track.events.snapshot
    #expect(snapshot.isLate)
    #expect(snapshot.policy == "moves")
    #expect(snapshot.lastVisit == 2)
    let shown = try #require(snapshot.standing.standing.first)
    #expect(shown.request.state == "idle" && shown.phase == .entered)
  }

  @Test func `what has no value yet is no path that is empty`() {
    track.received("tap") {}
    let snapshot = track.events.snapshot
    #expect(snapshot.isLate && !snapshot.isEmpty)
  }

  @Test func `a first value is shown from the beginning`() {
    let track = StateTrack("feed", Feed.idle)
    #expect(track.events.snapshot.standing.standing.map(\.request.state) == ["idle"])
    #expect(!track.events.snapshot.isLate)
    track.events.add(log)
    track.moved(to: Feed.loading)
    #expect(moves == ["moved #2 loading"])
  }

  @Test func `the value is unknown after an unobserved change`() {
    track.moved(to: Feed.loading)
    track.events.remove(log)
    track.moved(to: Feed.idle)
    track.events.add(log)
    #expect(track.events.snapshot.isLate)
    track.moved(to: Feed.loading)
    #expect(moves == ["moved #1 loading", "moved #2 loading"])
  }

  @Test func `a message brackets its handling`() throws {
    let sum = track.received("load") {
      track.moved(to: Feed.loading)
      return 7
    }
    #expect(sum == 7)
    track.moved(to: Feed.idle)
    #expect(moves == ["received load", "moved #1 loading", "moved #2 idle"])
    let message = try #require(log.first(.received))
    #expect(message.kind.side == .input)
    #expect(log.events[1].inside == EventPlace(message.number, .handled))
    #expect(log.events[2].inside == .root)
  }

  @Test func `a message that fails ends its bracket`() {
    struct Failure: Error {}
    #expect(throws: Failure.self) { try track.received("load") { throw Failure() } }
    track.moved(to: Feed.idle)
    #expect(log.events.last?.inside == .root)
  }

  @Test func `observers find the payload of a message while they are told of it`() throws {
    var payloads: [StatePayload?] = []
    log.onEvent = { [unowned track] event in
      payloads.append(track.events.payload(ofMessage: event.number))
    }
    track.received(Sent.open(page: 2)) {}
    track.received(Kept.secret("a secret")) {}
    track.received(Hidden.secret("a secret")) {}
    track.received(Feed.ready(1)) {}
    #expect(
      payloads == [
        .open(#"{"open":{"page":2}}"#), .hashed(#"{"secret":{"_0":"a secret"}}"#), .omitted, nil,
      ])
    #expect(log.events.map(\.state) == ["open", "secret", "secret", "ready"])
    let first = try #require(log.events.first)
    track.received(Feed.idle) {}
    #expect(track.events.payload(ofMessage: first.number) == nil)
  }

  @Test func `a message says case by case how it is recorded`() {
    enum SignIn: RecordedMessage {
      case nameTyped(String), passwordTyped(String), found(id: Int)

      var recording: MessageRecording {
        switch self {
        case .nameTyped: .hashed
        case .passwordTyped: .omitted
        case .found: .open
        }
      }
    }
    var payloads: [StatePayload?] = []
    log.onEvent = { [unowned track] event in
      payloads.append(track.events.payload(ofMessage: event.number))
    }
    track.received(SignIn.nameTyped("me")) {}
    track.received(SignIn.passwordTyped("secret")) {}
    track.received(SignIn.found(id: 7)) {}
    #expect(
      payloads == [
        .hashed(#"{"nameTyped":{"_0":"me"}}"#), .omitted, .open(#"{"found":{"id":7}}"#),
      ])
  }

  @Test func `the values of a message are recorded, whatever its static type, and at any time`() {
    var payloads: [StatePayload?] = []
    log.onEvent = { [unowned track] event in
      payloads.append(track.events.payload(ofMessage: event.number))
    }
    // The type of a value without values to record is remembered, but not these.
    for _ in 1...2 {
      track.received(Feed.idle) {}
      track.received(Sent?.none) {}
      track.received(Sent?.some(.open(page: 1))) {}
      track.received(Feed.idle as Any) {}
      track.received(Sent.open(page: 2) as Any) {}
    }
    let sent = [1, 2].map { StatePayload.open(#"{"open":{"page":\#($0)}}"#) }
    #expect(payloads == [nil, nil, sent[0], nil, sent[1], nil, nil, sent[0], nil, sent[1]])
  }

  private enum Sent: RecordedMessage {
    case open(page: Int)
  }

  private enum Kept: RecordedMessage {
    case secret(String)
    var recording: MessageRecording { .hashed }
  }

  private enum Hidden: RecordedMessage {
    case secret(String)
    var recording: MessageRecording { .omitted }
  }

  @Test @MainActor func `an answer's origin is the message that its task was started in`() async {
    let track = StateTrack("feed")
    let log = EventLog()
    track.events.add(log)
    let task = track.received("search") { Task { track.received("found") {} } }
    track.received("search") {}
    await task.value
    #expect(log.events.map(\.state) == ["search", "search", "found"])
    #expect(log.events.map(\.ownCause) == [0, 0, log.events[0].number])
    #expect(log.events[2].inside == .root)
  }

  @Test func `a callback passes the message that it answers`() {
    var question: MessageOrigin?
    track.received("search") { question = .current }
    #expect(MessageOrigin.current.map { _ in 1 } == nil)
    track.received("found", answering: question) {}
    #expect(log.events[1].ownCause == log.events[0].number)
  }

  @Test func `an answer to a message of another numbering has no origin`() {
    let other = StateTrack("other")
    let others = EventLog()
    other.events.add(others)
    other.received("search") { track.received("found") {} }
    #expect(log.events.map(\.ownCause) == [0])
  }

  @Test func `a probe receives messages as a track does`() {
    let probe = ControllerProbe("own")
    probe.events.add(log)
    let screen = Screen()
    probe.received(Sent.open(page: 1)) { probe.requested(screen, named: "page") {} }
    #expect(moves == ["received open", "enqueued #1 page"])
    #expect(log.events[1].inside == EventPlace(log.events[0].number, .handled))
  }

  private final class Screen {}

  @Test func `a track without observers only runs the bodies`() {
    let quiet = StateTrack("quiet")
    quiet.moved(to: Feed.loading)
    #expect(quiet.received("load") { 3 } == 3)
    #expect(quiet.events.snapshot.standing.standing.isEmpty)
    quiet.events.add(log)
    #expect(log.events.isEmpty)
  }
}
