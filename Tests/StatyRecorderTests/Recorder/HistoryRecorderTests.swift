import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatySQLite
import Synchronization
import Testing

@Suite struct HistoryRecorderTests {
  @Test func `every event of a visit is stored with its cause`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let page = Page()
    let controller = StateController<Page>()
    recorder.attach(to: controller, as: "checkout")
    controller.bind(to: page)
    controller.transition(to: Instant("loading"))
    controller.transition(to: Instant("content"))
    recorder.close()
    let rows = try place.query(
      "SELECT seq, controller, visit, state, kind, cause FROM history ORDER BY seq")
    #expect(
      rows == [
        "1|checkout|||attached|", "2|checkout|||resumed|",
        "3|checkout|1|loading|enqueued|", "4|checkout|1|loading|entering|3",
        "5|checkout|1|loading|entered|4",
        "6|checkout|2|content|enqueued|", "7|checkout|1|loading|exiting|6",
        "8|checkout|1|loading|exited|7", "9|checkout|2|content|entering|8",
        "10|checkout|2|content|entered|9",
      ])
    #expect(try place.query("SELECT ended, events, lost FROM sessions") == ["clean|10|0"])
  }

  @Test func `flushed events can be read while the app keeps recording`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let controller = StateController<Page>()
    recorder.attach(to: controller, as: "checkout")
    controller.transition(to: Instant("loading"))
    try recorder.flush()
    #expect(try place.query("SELECT count(*) FROM history") == ["2"])
    controller.transition(to: Instant("content"))
    try recorder.flush(.durable)
    #expect(try place.query("SELECT count(*) FROM history") == ["3"])
    let statistics = recorder.statistics
    #expect(statistics.observed == 3)
    #expect(statistics.stored == 3)
    #expect(statistics.inFlight == 0)
  }

  @Test func `a reader of an older snapshot of the file delays no flush`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    try recorder.flush()
    let reader = try Connection(path: place.path, mode: .readOnly)
    try reader.transaction(.deferred) {
      _ = try reader.prepare("SELECT count(*) FROM event").step()
      recorder.mark("after")
      try recorder.flush(.durable, atMost: .seconds(4))
    }
    try reader.close()
    #expect(try place.query("SELECT count(*) FROM event") == ["2"])
    recorder.close()
  }

  @Test func `a second recorder on the same file is told which process records`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let pid = ProcessInfo.processInfo.processIdentifier
    #expect(throws: RecorderError.alreadyRecording(path: place.path, pid: pid)) {
      try HistoryRecorder(at: place.path)
    }
    recorder.close()
    try HistoryRecorder(at: place.path).close()
    #expect(try place.query("SELECT count(*) FROM sessions") == ["2"])
  }

  @Test func `details of a request and of a rejection are stored`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let routes = Routes<String>(states: ["list", "detail"]) {
      Start { To("list") }
    }
    let controller = StateController<Page>(policy: .priority, routes: routes)
    recorder.attach(to: controller, as: "checkout")
    controller.transition(to: Instant("list"), priority: 3)
    controller.transition(to: Instant("detail"), file: "Shop/Cart.swift", line: 7)
    recorder.close()
    #expect(
      try place.query("SELECT priority FROM detail WHERE priority IS NOT NULL") == ["3"])
    #expect(
      try place.query(
        """
        SELECT refusal, text FROM detail JOIN name ON name.id = refused_from
        """) == ["2|list"])
    #expect(
      try place.query(
        "SELECT file, line FROM event JOIN site ON site.id = event.ref ORDER BY seq DESC LIMIT 1")
        == ["Shop/Cart.swift|7"])
    #expect(
      try place.query("SELECT state, reason FROM history WHERE kind = 'discarded'")
        == ["detail|rejected"])
  }

  @Test func `payloads are stored open, hashed or omitted, as their states demand`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let controller = StateController<Page>()
    recorder.attach(to: controller, as: "checkout")
    controller.transition(to: Instant("open", payload: .open("seven")))
    controller.transition(to: Instant("hashed", payload: .hashed("secret")))
    controller.transition(to: Instant("omitted", payload: .omitted))
    controller.transition(to: Instant("none"))
    recorder.close()
    let payloads = try place.query(
      "SELECT state, payload FROM history WHERE kind = 'enqueued' ORDER BY seq")
    #expect(payloads[0] == "open|seven")
    #expect(payloads[1].hasPrefix("hashed|hash:"))
    #expect(!payloads[1].contains("secret"))
    #expect(payloads[2...] == ["omitted|omitted", "none|"])
  }

  @Test func `marks are stored between the events, from any thread`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    onThread { recorder.mark("elsewhere") }
    recorder.close()
    #expect(
      try place.query("SELECT note FROM detail ORDER BY seq") == ["before", "elsewhere"])
  }

  @Test func `detaching a controller ends its recording with an event`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let controller = StateController<Page>()
    recorder.attach(to: controller, as: "checkout")
    controller.transition(to: Instant("loading"))
    recorder.detach(from: controller)
    controller.transition(to: Instant("content"))
    #expect(!controller.events.isObserved)
    recorder.close()
    #expect(
      try place.query("SELECT kind FROM history ORDER BY seq") == [
        "attached", "enqueued", "detached",
      ])
  }

  @Test func `releasing a controller ends its recording`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    do {
      let controller = StateController<Page>()
      recorder.attach(to: controller, as: "checkout")
    }
    recorder.close()
    #expect(
      try place.query("SELECT kind FROM history ORDER BY seq") == [
        "attached", "cancelled", "detached",
      ])
  }

  @Test func `the recording of a late attached controller begins with its open visits`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let page = Page()
    let controller = StateController<Page>()
    controller.bind(to: page)
    controller.transition(to: Patient("first"))
    controller.transition(to: Patient("second"))
    recorder.attach(to: controller, as: "checkout")
    recorder.close()
    let text = try #require(try place.query("SELECT snapshot FROM controller").first)
    let snapshot = try #require(SnapshotRecord(text))
    #expect(snapshot.standing.map(\.state) == ["first"])
    #expect(snapshot.standing.map(\.phase) == [Phase.exiting.rawValue])
    #expect(snapshot.waiting.map(\.state) == ["second"])
    #expect(snapshot.lastVisit == 2)
  }

  @Test func `events of controllers that drive each other have causes in the other controller`()
    throws
  {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let page = Page()
    let inner = StateController<Page>()
    let outer = StateController<Page>()
    recorder.attach(to: inner, as: "inner")
    recorder.attach(to: outer, as: "outer")
    inner.bind(to: page)
    outer.bind(to: page)
    outer.transition(to: Instant("sheet") { inner.transition(to: Instant("spinner")) })
    recorder.close()
    let rows = try place.query(
      """
      SELECT e.controller || ' ' || e.kind, c.controller || ' ' || c.kind
      FROM history e JOIN history c ON c.seq = e.cause
      WHERE e.controller = 'inner' AND e.kind = 'enqueued'
      """)
    #expect(rows == ["inner enqueued|outer entering"])
  }

  @Test
  func `a suspended recorder has no lock, and stores the events of that time after it resumes`()
    throws
  {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    try recorder.suspend()
    recorder.mark("meanwhile")
    let other = try Connection(path: place.path, mode: .readWrite)
    try other.transaction(.immediate) {}
    try other.close()
    recorder.resume()
    recorder.close()
    #expect(try place.query("SELECT note FROM detail ORDER BY seq") == ["before", "meanwhile"])
  }

  @Test func `a shared copy is one file that needs no other`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("here")
    let copy = place.directory + "/copy for 'you'.sqlite"
    try recorder.share(to: copy)
    #expect(!FileManager.default.fileExists(atPath: copy + "-wal"))
    let reader = try Connection(path: copy, mode: .immutable)
    let rows = try reader.prepare("SELECT kind FROM history")
    #expect(try rows.step())
    #expect(try rows.string(at: 0) == "mark")
    recorder.close()
  }

  @Test func `copying creates no other file, and may replace an empty file`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("here")
    let folder = place.directory + "/copies"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Data().write(to: URL(fileURLWithPath: folder + "/empty"))
    try recorder.share(to: URL(filePath: folder + "/empty"))
    try recorder.share(to: folder + "/new")
    #expect(throws: RecorderError.self) { try recorder.share(to: folder + "/new") }
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/nowhere", withDestinationPath: "none")
    #expect(throws: RecorderError.self) { try recorder.share(to: folder + "/nowhere") }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
        "empty", "new", "nowhere",
      ])
    for name in ["empty", "new"] {
      #expect(try HistoryReader(path: "\(folder)/\(name)").sessions().count == 1)
    }
    recorder.close()
  }

  @Test func `of copies requested at the same time, each is made or has its own error`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("here")
    let taken = place.directory + "/taken"
    try Data("something else".utf8).write(to: URL(fileURLWithPath: taken))
    let paths = [taken] + (1...6).map { "\(place.directory)/copy \($0)" }
    let refusals = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: paths.count) { number in
      do {
        try recorder.share(to: paths[number])
      } catch {
        refusals.withLock { $0.append(paths[number]) }
      }
    }
    #expect(refusals.withLock { $0 } == [taken])
    for path in paths.dropFirst() { #expect(FileManager.default.fileExists(atPath: path)) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: taken)) == Data("something else".utf8))
    recorder.close()
  }

  @Test func `the oldest sessions are deleted when there are more than the limit`() throws {
    let place = try Place()
    for round in 1...4 {
      var options = RecorderOptions(app: "run \(round)")
      options.retention.sessions = 2
      let recorder = try HistoryRecorder(at: place.path, options: options)
      recorder.mark("note \(round)")
      recorder.close()
    }
    #expect(try place.query("SELECT app FROM sessions ORDER BY session") == ["run 3", "run 4"])
    #expect(try place.query("SELECT note FROM detail ORDER BY seq") == ["note 3", "note 4"])
  }
}
