import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Testing

/// What is worth a look in recorded tracks, and may be right.
@Suite struct NoteTests {
  private enum Feed: Hashable {
    case idle, loading
    case ready([Int])
  }

  private final class Model {
    let track = StateTrack("feed", Feed.idle)
    var state = Feed.idle { didSet { track.moved(to: state) } }

    /// Receives a message, and returns it as the question of an answer.
    @discardableResult
    func receive(
      _ name: StaticString, answering question: MessageOrigin? = nil, _ body: () -> Void = {}
    ) -> MessageOrigin? {
      track.received(name, answering: question) {
        body()
        return MessageOrigin.current
      }
    }
  }

  private let place: Place

  init() throws { place = try Place() }

  /// What a check notes of the use of a model, each with its sentence; nothing else may be found.
  private func notes(_ use: (Model) -> Void, file: String = "a") throws -> [String] {
    let recorder = try HistoryRecorder(at: place.path)
    let model = Model()
    recorder.attach(to: model.track, as: "feed")
    use(model)
    recorder.close()
    let reader = try HistoryReader(path: place.path)
    let session = try #require(try reader.sessions().last)
    var options = CheckOptions()
    options.patience = .zero
    let result = try HistoryCheck(reader, options: options).session(session.id)
    #expect(result.findings.isEmpty)
    let names = try reader.names()
    return result.notes.map { note in
      "\(note.code.rawValue) \(note.seq - session.firstSeq + 1): " + note.detail { names[$0] }
    }
  }

  /// What a check says of an answer that comes behind a newer one and sets a state.
  private func late<State>(
    _ initial: State, newer: State, late: State, move: (StateTrack, State) -> Void
  ) throws -> [String] {
    let recorder = try HistoryRecorder(at: place.path)
    let track = StateTrack("late", initial)
    recorder.attach(to: track, as: "late")
    let questions = (0..<2).map { _ in track.received("asked") { MessageOrigin.current } }
    track.received("found", answering: questions[1]) { move(track, newer) }
    track.received("found", answering: questions[0]) { move(track, late) }
    recorder.close()
    let reader = try HistoryReader(path: place.path)
    #expect(try place.firstDamage() == nil)
    let session = try #require(try reader.sessions().last)
    let result = try HistoryCheck(reader).session(session.id)
    return (result.findings + result.notes).filter { $0.code == .lateAnswer }.map {
      $0.severity.rawValue
    }
  }

  private enum Count: Hashable { case none, some(Int) }
  private enum Phase { case idle, ready }

  @Test func `an answer that is late is a finding only if it shows something else`() throws {
    // The values of a state without references are compared, whether the app says them or not.
    func plain<Value: Hashable>(_ initial: Value, _ newer: Value, _ stale: Value) throws -> [String]
    {
      try late(initial, newer: newer, late: stale) { track, state in track.moved(to: state) }
    }
    #expect(try plain(Count.none, .some(2), .some(1)) == ["warning"])
    #expect(try plain(Count.none, .some(2), .some(2)) == [])
    #expect(try plain(Count.some(1), .none, .none) == [])
    #expect(try plain(false, true, true) == [])
    #expect(try plain(false, true, false) == ["warning"])
    // A phase is set anew by a model that has not ignored the answer.
    #expect(
      try late(Phase.idle, newer: .ready, late: .ready) { track, state in track.moved(to: state) }
        == ["warning"])
  }

  @Test func `of values with references the app says what is shown`() throws {
    let (old, new) = (Feed.ready([1]), Feed.ready([2]))
    #expect(
      try late(Feed.idle, newer: new, late: old) { $0.moved(to: $1, showing: $1) } == ["warning"])
    #expect(try late(Feed.idle, newer: new, late: new) { $0.moved(to: $1, showing: $1) } == [])
    // Without it, nothing is known of them.
    #expect(try late(Feed.idle, newer: new, late: old) { $0.moved(to: $1) } == ["note"])
    #expect(try late(Feed.idle, newer: new, late: .loading) { $0.moved(to: $1) } == ["warning"])
  }

  @Test func `an answer behind the user's message, if that changed data within a phase, is a note`()
    throws
  {
    func warnings(_ move: (StateTrack, [Int]) -> Void) throws -> Int {
      let recorder = try HistoryRecorder(at: place.path)
      let track = StateTrack("list", Phase.ready)
      recorder.attach(to: track, as: "list")
      track.received("opened") { move(track, [1]) }
      let question = track.received("refresh") { MessageOrigin.current }
      track.received("deleted") { move(track, []) }
      track.received("refreshed", answering: question) { move(track, [1]) }
      recorder.close()
      let reader = try HistoryReader(path: place.path)
      let session = try #require(try reader.sessions().last)
      let result = try HistoryCheck(reader).session(session.id)
      #expect(result.findings.isEmpty)
      return result.notes.filter {
        $0.detail { _ in nil }.contains("set what is shown")
      }.count
    }
    #expect(try warnings { $0.moved(to: Phase.ready, showing: $1) } == 1)
    #expect(try warnings { track, _ in track.moved(to: Phase.ready) } == 0)
  }

  @Test func `messages about different parts of a model do not make each other's answers late`()
    throws
  {
    for part in [nil, "network" as StateName?] {
      let recorder = try HistoryRecorder(at: place.path)
      let track = StateTrack("page", Count.none)
      recorder.attach(to: track, as: "page")
      let question = track.received("load") { MessageOrigin.current }
      track.received("lost", part: part) { track.moved(to: Count.some(1)) }
      track.received("loaded", answering: question) { track.moved(to: Count.some(2)) }
      recorder.close()
      #expect(try place.firstDamage() == nil)
      let reader = try HistoryReader(path: place.path)
      let session = try #require(try reader.sessions().last)
      let result = try HistoryCheck(reader).session(session.id)
      #expect(result.findings.map(\.code) == (part == nil ? [.lateAnswer] : []))
      #expect(result.notes.isEmpty)
    }
  }

  /// Codes of what a check says of a track, with what counts for a verdict first.
  private func said(_ use: (HistoryRecorder) -> Void) throws -> [String] {
    let recorder = try HistoryRecorder(at: place.path)
    use(recorder)
    recorder.close()
    let reader = try HistoryReader(path: place.path)
    let session = try #require(try reader.sessions().last)
    let result = try HistoryCheck(reader).session(session.id)
    return (result.findings + result.notes).map { "\($0.severity) \($0.code.rawValue)" }
  }

  @Test func `a message about the whole model makes the answer of a part late`() throws {
    let said = try said { recorder in
      let track = StateTrack("page", Count.none)
      recorder.attach(to: track, as: "page")
      let question = track.received("load", part: "header") { MessageOrigin.current }
      track.received("sign out") { track.moved(to: Count.some(1)) }
      track.received("loaded", answering: question) { track.moved(to: Count.none) }
    }
    #expect(said == ["warning late-answer"])
  }

  /// Signs out while a refresh is under way, whose answer signs in again.
  @Test(arguments: [true, false])
  func `an answer that changes nothing does not hide a late one`(isFirst: Bool) throws {
    let said = try said { recorder in
      let track = StateTrack("account", Count.some(1))
      recorder.attach(to: track, as: "account")
      let refresh = track.received("refresh") { MessageOrigin.current }
      let out = track.received("sign out") {
        track.moved(to: Count.none)
        return MessageOrigin.current
      }
      if isFirst { track.received("revoked", answering: out) {} }
      track.received("refreshed", answering: refresh) { track.moved(to: Count.some(1)) }
      if !isFirst { track.received("revoked", answering: out) {} }
    }
    #expect(said == ["warning late-answer"])
  }

  @Test func `an answer is late behind a sign-out, whatever is answered later`() throws {
    let said = try said { recorder in
      let track = StateTrack("account", Count.some(1))
      recorder.attach(to: track, as: "account")
      let refresh = track.received("refresh") { MessageOrigin.current }
      track.received("sign out") { track.moved(to: Count.none) }
      let signIn = track.received("sign in") {
        track.moved(to: Count.some(0))
        return MessageOrigin.current
      }
      track.received("refreshed", answering: refresh) { track.moved(to: Count.none) }
      track.received("signed in", answering: signIn) { track.moved(to: Count.some(2)) }
    }
    #expect(said == ["warning late-answer", "note late-answer"])
  }

  /// A step between a question and the change: a token first, then the profile.
  @Test func `an answer in steps is noted behind what came before the last step`() throws {
    let said = try said { recorder in
      let track = StateTrack("account", Count.some(1))
      recorder.attach(to: track, as: "account")
      let refresh = track.received("refresh") { MessageOrigin.current }
      track.received("sign out") { track.moved(to: Count.none) }
      let token = track.received("token", answering: refresh) { MessageOrigin.current }
      track.received("profile", answering: token) { track.moved(to: Count.some(1)) }
    }
    #expect(said == ["note late-answer"])
  }

  @Test func `an answer in steps is late behind what came after a step`() throws {
    let said = try said { recorder in
      let track = StateTrack("account", Count.some(1))
      recorder.attach(to: track, as: "account")
      let refresh = track.received("refresh") { MessageOrigin.current }
      let token = track.received("token", answering: refresh) { MessageOrigin.current }
      track.received("sign out") { track.moved(to: Count.none) }
      track.received("profile", answering: token) { track.moved(to: Count.some(1)) }
    }
    #expect(said == ["warning late-answer"])
  }

  /// The answers of both come, in any order: then the first one only crosses them.
  @Test(arguments: [true, false])
  func `an answer that two questions cross is no late one`(isFirst: Bool) throws {
    let said = try said { recorder in
      let track = StateTrack("account", Count.some(1))
      recorder.attach(to: track, as: "account")
      let refresh = track.received("refresh") { MessageOrigin.current }
      let questions = ["sign in", "sign out"].map { name in
        track.received(name == "sign in" ? "sign in" : "sign out") {
          track.moved(to: name == "sign in" ? Count.none : Count.some(0))
          return MessageOrigin.current
        }
      }
      track.received("refreshed", answering: refresh) { track.moved(to: Count.none) }
      for place in isFirst ? [0, 1] : [1, 0] {
        track.received(place == 0 ? "signed in" : "signed out", answering: questions[place]) {
          track.moved(to: Count.some(place + 5))
        }
      }
    }
    #expect(!said.contains("warning late-answer"), "\(said)")
  }

  @Test func `what the values of a stream begin is not late behind all that came since it began`()
    throws
  {
    let said = try said { recorder in
      let track = StateTrack("rooms", Count.none)
      recorder.attach(to: track, as: "rooms")
      let stream = track.received("observe") { MessageOrigin.current }
      for number in 1...3 {
        track.received("open") { track.moved(to: Count.some(-number)) }
        let value = track.received("value", answering: stream) { MessageOrigin.current }
        track.received("loaded", answering: value) { track.moved(to: Count.some(number)) }
      }
    }
    #expect(!said.contains("warning late-answer"), "\(said)")
  }

  @Test func `a stream that nobody cancelled is told once`() throws {
    let said = try said { recorder in
      let track = StateTrack("rooms", Count.none)
      recorder.attach(to: track, as: "rooms")
      let streams = (1...2).map { _ in track.received("observe") { MessageOrigin.current } }
      for number in 1...10 {
        for stream in streams.reversed() {
          track.received("value", answering: stream) { track.moved(to: Count.some(number)) }
        }
      }
    }
    #expect(said.count { $0 == "warning late-answer" } <= 1, "\(said)")
  }

  /// A task that reads values for as long as its screen is there.
  @Test(arguments: [4, 60])
  func `what reads a stream is not late behind each thing that the user does`(
    _ count: Int
  ) throws {
    let said = try said { recorder in
      let track = StateTrack("account", Count.some(0))
      recorder.attach(to: track, as: "account")
      let reader = track.received("observe") { MessageOrigin.current }
      for number in 1...count {
        track.received("choose") { track.moved(to: Count.none) }
        track.received("value", answering: reader) { track.moved(to: Count.some(number)) }
      }
    }
    #expect(!said.contains("warning late-answer"), "\(said)")
    #expect(said.contains("note late-answer"), "\(said)")
  }

  @Test func `a screen that is pushed after a swipe back is noted`() throws {
    for isLate in [true, false] {
      let said = try said { recorder in
        let path = StackTrack("path")
        recorder.attach(to: path, as: "path")
        path.received("open list") { path.moved(to: ["list"] as [StateName]) }
        if !isLate { path.moved(to: [] as [StateName]) }
        let open = path.received("open order") { MessageOrigin.current }
        if isLate { path.moved(to: [] as [StateName]) }
        path.received("loaded", answering: open) { path.moved(to: ["order"] as [StateName]) }
      }
      #expect(said == (isLate ? ["note late-answer"] : []), "\(isLate)")
    }
  }

  /// A tap that another model passes on is the user's; what that model loads and passes on is not.
  @Test(arguments: [true, false])
  func `an answer is late behind a tap that another model passes on`(isTap: Bool) throws {
    let said = try said { recorder in
      let settings = StateTrack("settings", Count.none)
      let account = StateTrack("account", Count.none)
      recorder.attach(to: settings, as: "settings")
      recorder.attach(to: account, as: "account")
      let loading = settings.received("load") { MessageOrigin.current }
      let question = account.received("refresh") { MessageOrigin.current }
      settings.received("sign out tapped", answering: isTap ? nil : loading) {
        account.received("sign out") { account.moved(to: Count.some(1)) }
      }
      account.received("refreshed", answering: question) { account.moved(to: Count.none) }
    }
    #expect(said.contains("warning late-answer") == isTap, "\(said)")
  }

  /// A list without its items is the same state to a check: it says that it cannot judge.
  @Test(arguments: [true, false])
  func `of a late answer within a state it is said whether it can be judged`(
    isShown: Bool
  ) throws {
    let recorder = try HistoryRecorder(at: place.path)
    let track = StateTrack("inbox", Feed.idle)
    recorder.attach(to: track, as: "inbox")
    func show(_ items: [Int]) {
      if isShown {
        track.moved(to: Feed.ready(items), showing: items)
      } else {
        track.moved(to: Feed.ready(items))
      }
    }
    track.received("load") { show([1, 2]) }
    let refresh = track.received("refresh") { MessageOrigin.current }
    track.received("archive") { show([2]) }
    track.received("refreshed", answering: refresh) { show([1, 2]) }
    recorder.close()
    let result = try HistoryCheck(HistoryReader(path: place.path)).session(1)
    #expect(result.notes.map(\.code) == (isShown ? [.lateAnswer] : []))
    #expect(result.silent.map(\.code) == (isShown ? [] : [.lateAnswer]))
    if !isShown {
      #expect(result.silent.first?.reason.contains("'showing'") ?? false, "\(result.silent)")
    }
  }

  /// An equal phase is set only if something beside it has changed.
  @Test(arguments: [true, false])
  func `of a late answer within a plain phase it is said that it cannot be judged`(
    isSet: Bool
  ) throws {
    let recorder = try HistoryRecorder(at: place.path)
    let track = StateTrack("inbox", Phase.idle)
    recorder.attach(to: track, as: "inbox")
    track.received("load") { track.moved(to: Phase.ready) }
    let refresh = track.received("refresh") { MessageOrigin.current }
    track.received("archive") { if isSet { track.moved(to: Phase.ready) } }
    track.received("refreshed", answering: refresh) { track.moved(to: Phase.ready) }
    recorder.close()
    let result = try HistoryCheck(HistoryReader(path: place.path)).session(1)
    #expect(result.silent.map(\.code) == (isSet ? [.lateAnswer] : []))
  }

  @Test func `an answer in two steps does not come behind a newer message`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    let track = StateTrack("inbox", Count.none)
    recorder.attach(to: track, as: "inbox")
    let load = track.received("load") { MessageOrigin.current }
    for count in 1...2 {
      track.received("loaded", answering: load) { track.moved(to: Count.some(count)) }
    }
    recorder.close()
    let result = try HistoryCheck(HistoryReader(path: place.path)).session(1)
    #expect(result.silent.map(\.code) == [.lateAnswer])
  }

  /// The values of a stream answer the message that began to read it, however old that is.
  @Test func `the values of a stream are not late for answers of the same name`() throws {
    let said = try said { recorder in
      let track = StateTrack("feed", Feed.idle)
      recorder.attach(to: track, as: "feed")
      var items: [Int] = []
      func show(_ new: [Int], answering question: MessageOrigin?) {
        track.received("loaded", answering: question) {
          items = new
          track.moved(to: Feed.ready(items), showing: items)
        }
      }
      let opened = track.received("opened") { MessageOrigin.current }
      show([1], answering: opened)
      for value in 2...100 {
        if value.isMultiple(of: 20) {
          let refreshed = track.received("refreshed") { MessageOrigin.current }
          show([value, 0], answering: refreshed)
        }
        if value == 50 { track.received("cleared") { track.moved(to: Feed.idle) } }
        show([value], answering: opened)
      }
    }
    #expect(said.count { $0 == "warning late-answer" } <= 1, "\(said)")
    #expect(said.count { $0.hasSuffix("late-answer") } <= 3, "\(said)")
  }

  @Test func `a question that is asked again before its answer`() throws {
    #expect(
      try notes { model in
        let first = model.receive("refresh")
        let second = model.receive("refresh")
        model.receive("refreshed", answering: first)
        model.receive("refreshed", answering: second)
      } == [
        "asked-twice 4: 'refresh' was sent again before event 3, a message of its name, was answered."
      ])
    #expect(
      try notes { model in
        for _ in 0..<3 { model.receive("refreshed", answering: model.receive("refresh")) }
      } == [])
  }

  @Test func `a question with two answers of one name`() throws {
    #expect(
      try notes { model in
        let question = model.receive("upload")
        model.receive("progress", answering: question)
        model.receive("done", answering: question)
        model.receive("done", answering: question)
        model.receive("done", answering: question)
      } == ["answered-twice 6: 'upload' (event 3) was answered a second time by 'done'."])
  }

  @Test func `a question without an answer, where others have one`() throws {
    #expect(
      try notes { model in
        model.receive("refreshed", answering: model.receive("refresh"))
        model.receive("look")
        model.receive("refresh")
      } == ["never-answered 6: 'refresh' was not answered; other messages of its name were."])
    #expect(try notes { model in for _ in 0..<9 { model.receive("refresh") } } == [])
  }

  @Test func `what was sent and never received`() throws {
    #expect(
      try notes { model in
        for isDropped in [false, true, false] {
          model.track.sent("load")
          if !isDropped { model.receive("load") }
        }
        // Sent by another way, which says nothing.
        model.receive("reload")
        model.track.sent(Feed.ready([1]))
      } == [
        "never-received 6: 'load' was sent more often than it was received.",
        "never-received 9: 'ready' was sent more often than it was received.",
      ])
    #expect(
      try notes { model in
        for _ in 0..<3 { model.track.sent("load") }
        for _ in 0..<3 { model.receive("load") }
      } == [])
    // Two sent one after the other are no messages that come in between.
    #expect(
      try notes { model in
        let question = model.receive("load") { model.state = .loading }
        model.track.sent("scroll")
        model.track.sent("loaded")
        model.receive("loaded", answering: question) { model.state = .ready([1]) }
        model.receive("scroll")
      } == [])
  }

  @Test func `two models of one name at the same time, but not the rows of a list`() throws {
    func notes(_ models: Int, released: Bool = false) throws -> [String] {
      let path = place.path + "\(models)\(released)"
      let recorder = try HistoryRecorder(at: path)
      recorder.recordTracks()
      var all: [Model] = []
      for _ in 0..<models {
        if released { all = [] }
        let model = Model()
        all.append(model)
        model.state = .loading
      }
      all[0].state = .idle
      recorder.close()
      withExtendedLifetime(all) {}
      let reader = try HistoryReader(path: path)
      var options = CheckOptions()
      options.patience = .zero
      let result = try HistoryCheck(reader, options: options).session(1)
      #expect(result.findings.isEmpty)
      let names = try reader.names()
      return result.notes.map { "\($0.code.rawValue) \($0.seq): " + $0.detail { names[$0] } }
    }
    #expect(try notes(1) == [])
    let said = try notes(2)
    #expect(said.count == 1)
    #expect(
      said.first?.hasSuffix(
        ": Another track of this name, since event 1, was there at the same time.")
        == true, "\(said)")
    #expect(try notes(2, released: true) == [])
    #expect(try notes(3) == [])
  }

  @Test(arguments: [false, true])
  func `an optional that holds nothing is like an empty path`(isLost: Bool) throws {
    enum Sheet { case settings }
    let recorder = try HistoryRecorder(at: place.path)
    let (sheet, shown) = (StateTrack("sheet", Sheet?.none), StackTrack("shown"))
    sheet.mirrors(shown, within: .milliseconds(50))
    recorder.attach(to: sheet, as: "sheet")
    recorder.attach(to: shown, as: "shown")
    for _ in 0..<2 {
      sheet.moved(to: Sheet?.some(.settings))
      shown.moved(to: [Sheet.settings])
      sheet.moved(to: Sheet?.none)
      shown.moved(to: [Sheet]())
    }
    // A sheet that never comes.
    if isLost { sheet.moved(to: Sheet?.some(.settings)) }
    usleep(120_000)
    recorder.close()
    let result = try HistoryCheck(HistoryReader(path: place.path)).session(1)
    #expect(result.findings.map(\.code) == (isLost ? [.mirror] : []))
    #expect(result.silent.allSatisfy { $0.code != .mirror })
  }

  @Test func `a state that should be left again is told if it is the last`() throws {
    var file = 0
    func ends(in states: [Feed], declared: [StateName], releases: Bool = false) throws -> [String] {
      file += 1
      let path = place.path + "\(file)"
      let recorder = try HistoryRecorder(at: path)
      var model: Model? = Model()
      for name in declared { model?.track.leaves(name) }
      recorder.attach(to: model!.track, as: "feed")
      for state in states { model?.state = state }
      if releases { model = nil }
      recorder.close()
      let reader = try HistoryReader(path: path)
      let session = try #require(try reader.sessions().last)
      var options = CheckOptions()
      options.patience = .zero
      let names = try reader.names()
      return try HistoryCheck(reader, options: options).session(session.id).notes
        .filter { $0.code == .neverLeft }.map { note in "\(note.seq): " + note.detail { names[$0] }
        }
    }
    let told = try ends(in: [.loading, .ready([1]), .loading], declared: ["empty", "loading"])
    #expect(told.count == 1)
    #expect(
      told.first?.hasPrefix("5: Visit #4 (loading) was still shown after ") == true, "\(told)")
    #expect(try ends(in: [.loading, .ready([1])], declared: ["loading"]) == [])
    #expect(try ends(in: [.loading], declared: []) == [])
    // The user has left the screen.
    #expect(try ends(in: [.loading], declared: ["loading"], releases: true) == [])
  }

  @Test func `one that lies far behind is told once, and not if it was answered at last`() throws {
    for isAnswered in [false, true] {
      let found = try notes(
        { model in
          model.receive("refreshed", answering: model.receive("refresh"))
          let question = model.receive("refresh")
          for _ in 0..<200 { model.receive("look", answering: model.receive("tick")) }
          if isAnswered { model.receive("refreshed", answering: question) }
        }, file: isAnswered ? "a" : "b")
      #expect(found.filter { $0.hasPrefix("never-answered") }.count == (isAnswered ? 0 : 1))
    }
  }

  @Test func `a change outside of any message, where there are messages`() throws {
    #expect(
      try notes { model in
        model.receive("refresh") { model.state = .loading }
        model.state = .idle
      } == ["uncaused-change 5: Visit #3 (idle) began outside of any message."])
    #expect(
      try notes { model in
        model.state = .loading
        model.state = .idle
      } == [])
  }

  @Test func `a part of a message's handling is no message of the user's`() throws {
    #expect(
      try notes { model in
        let question = model.receive("refresh") { model.state = .loading }
        model.receive("reconnected") { model.receive("look") }
        model.receive("refreshed", answering: question) {
          model.receive("show") { model.state = .ready([1]) }
        }
      }.map { $0.prefix { $0 != ":" } } == ["late-answer 9"])
  }

  @Test func `ten thousand are counted`() throws {
    #expect(
      try notes { model in
        model.receive("look")
        for number in 0..<10_000 { model.state = number % 2 == 0 ? .loading : .idle }
      }.count == 10_000)
  }
}
