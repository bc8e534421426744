import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import Testing

/// Recorded tracks.
///
/// They attach to one recorder of the process, so the tests run one after the other.
@Suite(.serialized) struct TrackTests {
  private enum Feed: StateKey, CaseIterable {
    case idle, loading, ready, failed
  }

  private final class Model {
    let track: StateTrack
    var state = Feed.idle { didSet { track.moved(to: state) } }

    init(_ name: StateName) { track = StateTrack(name) }
  }

  private let place: Place

  init() throws {
    place = try Place()
  }

  private func history(of name: String) throws -> [String] {
    try place.query(
      """
      SELECT kind, visit, state, part, payload FROM history WHERE controller = '\(name)' ORDER BY seq
      """)
  }

  @Test func `a restored path is what its track shows at first`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    let track = StackTrack("restored-path", ["list", "detail"])
    recorder.attach(to: track, as: "restored-path")
    track.moved(to: ["list"])
    recorder.close()
    let told = try history(of: "restored-path")
    #expect(
      told == [
        "attached||||", "stood|1|String||", "stood|2|String||", "moved|2|String||",
      ], "\(told)")
  }

  @Test func `a track attaches at its first event, and is detached when its model is released`()
    throws
  {
    let recorder = try HistoryRecorder(at: place.path)
    recorder.recordTracks()
    let unused = Model("unused-feed")
    do {
      let model = Model("used-feed")
      model.state = .loading
      model.state = .ready
    }
    recorder.close()
    #expect(
      try history(of: "used-feed") == [
        "attached||||", "moved|1|loading||", "moved|2|ready||", "detached||||",
      ])
    #expect(try history(of: "unused-feed") == [])
    #expect(unused.state == .idle)
    #expect(try place.firstDamage() == nil)
  }

  @Test func `a track that another one mirrors attaches with it, also if it never moves`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    recorder.recordTracks()
    let (path, shown) = (StackTrack("mirrored-path"), StackTrack("mirrored-screens"))
    path.mirrors(shown)
    // In a replay nothing is recorded.
    TrackDoor.shut { path.moved(to: [Feed.idle]) }
    let (model, screen) = (StateTrack("mirrored-model"), StateTrack("mirrored-screen", Feed.idle))
    // In a circle, and with itself.
    model.mirrors(screen)
    screen.mirrors(model)
    model.mirrors(model)
    model.moved(to: Feed.loading)
    recorder.close()
    #expect(try history(of: "mirrored-path") == [])
    #expect(
      try history(of: "mirrored-model") == ["attached||||", "moved|1|loading||"])
    #expect(
      try history(of: "mirrored-screen") == ["attached||||", "stood|1|idle||"])
    #expect(try place.firstDamage() == nil)
  }

  @Test func `tracks are not recorded after the recorder was closed`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    recorder.recordTracks()
    recorder.close()
    recorder.recordTracks()
    let model = Model("late-feed")
    model.state = .loading
    let second = try HistoryRecorder(at: place.path)
    second.recordTracks()
    model.state = .ready
    second.close()
    #expect(try history(of: "late-feed") == ["attached||||", "moved|1|ready||"])
    #expect(
      try place.query(
        """
        SELECT c.snapshot FROM controller c JOIN name n ON n.id = c.name
        WHERE n.text = 'late-feed' AND c.snapshot LIKE '%"isLate":true%'
        """
      ).count == 1)
  }

  @Test func `a track that is observed already is recorded, too`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    recorder.recordTracks()
    let model = Model("watched-feed")
    final class Listener: TransitionObserver {
      func observe(_ event: borrowing TransitionEvent) {}
    }
    model.track.events.add(Listener())
    model.state = .loading
    recorder.close()
    #expect(try history(of: "watched-feed").last == "moved|1|loading||")
  }

  @Test func `a double push is found above an element that was there before the recorder`() throws {
    final class Listener: TransitionObserver {
      func observe(_ event: borrowing TransitionEvent) {}
    }
    let track = StackTrack("pushed-path")
    track.events.add(Listener())
    for path in [["detail"], [], ["list", "detail"]] { track.moved(to: path) }
    let recorder = try HistoryRecorder(at: place.path)
    recorder.attach(to: track, as: "pushed-path")
    track.moved(to: ["list", "detail", "detail"])
    recorder.close()
    #expect(
      try place.query("SELECT code, visit FROM violations WHERE controller = 'pushed-path'")
        == ["double-push|4"])
    #expect(try place.firstDamage() == nil)
  }

  /// A debug menu closes the recorder and begins a new one; the model lives on.
  @Test func `a track goes on in the next recorder`() throws {
    let first = try HistoryRecorder(at: place.path)
    first.recordTracks()
    let model = Model("kept-feed")
    model.state = .loading
    first.close()
    let second = try HistoryRecorder(at: place.path)
    second.recordTracks()
    model.state = .ready
    model.state = .idle
    second.close()
    let moves = try history(of: "kept-feed").filter { $0.hasPrefix("moved") }
    #expect(moves.map { $0.split(separator: "|")[2] } == ["loading", "ready", "idle"])
    #expect(try place.firstDamage() == nil)
  }

  @Test func `the views visits, dwell and transitions show moves`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    let model = Model("feed")
    recorder.attach(to: model.track, as: "feed")
    for state in [Feed.idle, .loading, .loading, .ready, .loading, .ready] { model.state = state }
    recorder.close()
    #expect(
      try place.query("SELECT visit, state, outcome FROM visits ORDER BY visit") == [
        "1|idle|exited", "2|loading|exited", "3|ready|exited", "4|loading|exited", "5|ready|open",
      ])
    #expect(
      try place.query(
        "SELECT state, visits, still_open FROM dwell WHERE controller = 'feed' ORDER BY state") == [
          "idle|1|0", "loading|2|0", "ready|2|1",
        ])
    #expect(
      try place.query("SELECT \"from\", \"to\", n, declared FROM transitions ORDER BY 1, 2") == [
        "|idle|1|", "idle|loading|1|", "loading|ready|2|", "ready|loading|1|",
      ])
    #expect(try place.query("SELECT * FROM stuck") == [])
    #expect(try place.query("SELECT count(*) FROM violations") == ["0"])
    #expect(try place.firstDamage() == nil)
  }

  @Test func `a move that no route declares is a finding`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    let routes = Routes<Feed> {
      Start { To(.idle) }
      From(.idle) { To(.loading) }
      From(.loading) {
        To(.ready)
        To(.failed)
      }
    }
    let track = StateTrack("feed", .idle, routes: routes)
    recorder.attach(to: track, as: "feed")
    for state in [Feed.loading, .ready, .failed] { track.moved(to: state) }
    recorder.close()
    #expect(
      try place.query("SELECT code, visit, state FROM violations") == [
        "undeclared-transition|4|failed"
      ])
    #expect(
      try place.query("SELECT \"from\", \"to\", declared FROM transitions ORDER BY 1").count == 3)
  }

  private enum Route: Hashable {
    case list, edit
    case detail(Int)
  }

  private func recordPath(_ paths: [Route]...) throws {
    let recorder = try HistoryRecorder(at: place.path)
    let track = StackTrack("navigation")
    recorder.attach(to: track, as: "navigation")
    for path in paths { track.moved(to: path) }
    recorder.close()
  }

  @Test func `the visits of a path overlap`() throws {
    try recordPath(
      [.list], [.list, .detail(1)], [.list], [.list, .detail(2), .edit], [.list, .edit])
    #expect(
      try place.query("SELECT visit, state, outcome FROM visits ORDER BY visit") == [
        "1|list|open", "2|detail|exited", "3|detail|exited", "4|edit|exited", "5|edit|open",
      ])
    #expect(
      try place.query("SELECT \"from\", \"to\", n FROM transitions ORDER BY 1, 2") == [
        "|list|1", "detail|edit|1", "list|detail|2", "list|edit|1",
      ])
    #expect(try place.query("SELECT count(*) FROM violations") == ["0"])
    #expect(try place.query("SELECT * FROM stuck") == [])
    #expect(try place.firstDamage() == nil)
    let next = try HistoryRecorder(at: place.path)
    #expect(next.lastState(of: "navigation")?.state == "edit")
    next.close()
  }

  @Test func `pushing an element onto an equal one is a finding`() throws {
    try recordPath(
      [.list], [.list, .detail(1)], [.list, .detail(1), .detail(2)],
      [.list, .detail(1), .detail(2), .detail(2)])
    #expect(
      try place.query("SELECT code, severity, visit, state FROM violations") == [
        "double-push|warning|4|detail"
      ])
  }

  @Test func `a stale answer is a finding if the model moves because of it`()
    throws
  {
    let recorder = try HistoryRecorder(at: place.path)
    let model = Model("feed")
    recorder.attach(to: model.track, as: "feed")
    var questions: [MessageOrigin?] = []
    var other: MessageOrigin?
    model.track.received("look") { other = .current }
    for _ in 0..<3 { model.track.received("search") { questions.append(.current) } }
    model.track.received("found", answering: questions[1]) { model.state = .ready }
    model.track.received("found", answering: questions[2]) { model.state = .ready }
    // Another answer to a message with the same name is stale too. One that changes nothing is correct.
    model.track.received("failed", answering: questions[0]) { model.state = .failed }
    model.track.received("found", answering: questions[0]) {}
    // The message and the answer have different names.
    model.track.received("seen", answering: other) { model.state = .idle }
    model.track.received("found", answering: questions[0]) { model.state = .ready }
    recorder.close()
    #expect(
      try place.query(
        "SELECT code, severity, visit, state, detail FROM violations WHERE severity <> 'note'") == [
          "late-answer|warning|2|failed|Visit #2 (failed) took the answer to 'search' (event 3), although 'search' (event 5), "
            + "a newer message, had been answered before.",
          "late-answer|warning|4|ready|Visit #4 (ready) took the answer to 'search' (event 3), although 'search' (event 5), "
            + "a newer message, had been answered before.",
        ])
    #expect(
      try place.query("SELECT code, seq FROM violations WHERE severity = 'note' ORDER BY seq") == [
        "asked-twice|4", "asked-twice|5", "late-answer|14", "answered-twice|15",
      ])
    #expect(try place.firstDamage() == nil)
  }

  /// What was found of a model that was refreshed while something else happened.
  private func findings(_ between: (Model) -> Void, answers: Bool = true) throws -> [String] {
    let recorder = try HistoryRecorder(at: place.path)
    let model = Model("feed")
    recorder.attach(to: model.track, as: "feed")
    var question: MessageOrigin?
    model.track.received("refresh") {
      question = .current
      model.state = .loading
    }
    between(model)
    if answers { model.track.received("refreshed", answering: question) { model.state = .ready } }
    recorder.close()
    #expect(try place.firstDamage() == nil)
    return try place.query("SELECT code, severity, visit, state, detail FROM violations")
  }

  @Test func `an answer behind a message of the user's that has changed the state is a finding`()
    throws
  {
    #expect(
      try findings { model in model.track.received("sign out") { model.state = .idle } } == [
        "late-answer|warning|3|ready|Visit #3 (ready) took the answer to 'refresh' (event 2), although 'sign out' (event 4), "
          + "a message from outside, had changed the state since."
      ])
  }

  @Test func `one that has changed nothing is worth a note`() throws {
    #expect(
      try findings { model in model.track.received("look") {} } == [
        "late-answer|note|2|ready|Visit #2 (ready) took the answer to 'refresh' (event 2), although 'look' (event 4), "
          + "a message from outside, had come since and changed nothing. If it should have changed something, that is the bug."
      ])
  }

  @Test func `two questions whose answers cross are worth a note`() throws {
    #expect(
      try findings { model in
        var other: MessageOrigin?
        model.track.received("load more") {
          other = .current
          model.state = .idle
        }
        model.track.received("loaded more", answering: other) { model.state = .loading }
      } == [
        "late-answer|note|4|ready|Visit #4 (ready) took the answer to 'refresh' (event 2), although the answer "
          + "to 'load more' (event 4), another question, had changed the state since."
      ])
  }

  @Test func `the answer to the other may come behind`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    let model = Model("feed")
    recorder.attach(to: model.track, as: "feed")
    var questions: [MessageOrigin?] = []
    model.track.received("refresh") {
      questions.append(.current)
      model.state = .loading
    }
    model.track.received("load more") {
      questions.append(.current)
      model.state = .idle
    }
    model.track.received("refreshed", answering: questions[0]) { model.state = .ready }
    model.track.received("loaded more", answering: questions[1]) { model.state = .failed }
    recorder.close()
    #expect(
      try place.query("SELECT code, severity, state FROM violations") == [
        "late-answer|note|failed"
      ])
  }

  @Test(arguments: [false, true]) func `asynchronous calls are judged in the same way`(
    isCall: Bool
  ) async throws {
    let recorder = try HistoryRecorder(at: place.path)
    let model = Model("feed")
    recorder.attach(to: model.track, as: "feed")
    let answers = AsyncStream.makeStream(of: Void.self)
    var answer = answers.stream.makeAsyncIterator()
    await model.track.received("refresh") {
      model.state = .loading
      if isCall {
        await model.track.received("look") { await Task.yield() }
      } else {
        // In the app, another task of the user's.
        MessageOrigin.$current.withValue(nil) {
          model.track.received("sign out") { model.state = .idle }
        }
      }
      answers.continuation.yield()
      await answer.next()
      model.state = .ready
    }
    await recorder.close()
    #expect(
      try place.query("SELECT code, state FROM violations") == (isCall ? [] : ["late-answer|ready"])
    )
  }

  @Test func `the last state of a track is found at the next launch`() throws {
    let first = try HistoryRecorder(at: place.path)
    let model = Model("feed")
    first.attach(to: model.track, as: "feed")
    model.state = .loading
    model.state = .ready
    first.close()
    let second = try HistoryRecorder(at: place.path)
    let last = try #require(second.lastState(of: "feed"))
    #expect(last.state == "ready" && last.wasShown)
    second.close()
  }

  private enum Message: RecordedMessage {
    case load(query: String)
    case long(String)
  }

  private enum Private: RecordedMessage {
    case search(String)
    var recording: MessageRecording { .hashed }
  }

  private enum Unrecorded {
    case search(String)
  }

  @Test func `the recorded payload of a message is the one that its type allows`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    let model = Model("feed")
    recorder.attach(to: model.track, as: "feed")
    model.track.received(Message.load(query: "q")) { model.state = .loading }
    model.track.received(Private.search("secret")) {}
    model.track.received(Unrecorded.search("secret")) {}
    model.track.received(Message.long(String(repeating: "x", count: 9_000))) {}
    recorder.close()
    let lines = try history(of: "feed")
    #expect(
      lines.prefix(3) == [
        "attached||||", "received||load||{\"load\":{\"query\":\"q\"}}", "moved|1|loading|handled|",
      ])
    #expect(lines[3].hasPrefix("received||search||hash:"))
    #expect(lines[4] == "received||search||")
    #expect(lines[5].hasPrefix("received||long||cut:{\"long\""))
    #expect(!lines.contains { $0.contains("secret") })
  }

  @Test func `without payloads, only the names of messages are recorded`() throws {
    var options = RecorderOptions()
    options.recordsPayloads = false
    let recorder = try HistoryRecorder(at: place.path, options: options)
    let model = Model("feed")
    recorder.attach(to: model.track, as: "feed")
    model.track.received(Message.load(query: "q")) {}
    recorder.close()
    #expect(try history(of: "feed")[1] == "received||load||")
  }
}
