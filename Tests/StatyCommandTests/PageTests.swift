import Chance
import Foundation
import Staty
import StatyHistory
import StatyReading
import Testing

@testable import StatyReport

/// What `report` writes, held against the history; `.ci/report` opens it in a browser.
@Suite struct PageTests {
  private let place: Place

  init() throws { place = try Place() }

  private func page(_ words: String..., name: String = "history.sqlite") throws -> PageReading {
    let run = try Binary(["report", name] + words, in: place.directory)
    #expect(run.status == 0, "\(run.err)")
    return try PageReading(run.out)
  }

  @Test func `a page says of a small story what there is to say`() throws {
    var story = Story.overlapping()
    story.lose(2)
    story.add(.enqueued, 3)
    story.add(.discarded, 3, .replaced)
    try place.write(story)
    let page = try page("--replay")
    try expectGolden(try page.text(of: "facts") + "\n", "page-facts")
    try expectGolden(try page.text(of: "session-1") + "\n", "page-session")
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `its columns are the events`(seed: UInt64) throws {
    var (story, random) = (Story(), SeededRandom(seed: seed))
    story.addController("other", "latest")
    for _ in 0..<200 {
      let kind: EventKind = [.enqueued, .entering, .entered, .discarded].randomElement(
        using: &random)!
      let seq = story.rows.last?.seq ?? 0
      story.add(
        kind, .random(in: 1...30, using: &random), kind == .discarded ? .cancelled : nil,
        cause: Bool.random(using: &random) ? 0 : .random(in: 1...seq, using: &random),
        on: Bool.random(using: &random) ? 1 : 2)
      if Int.random(in: 0..<30, using: &random) == 0 {
        story.lose(.random(in: 1...9, using: &random))
      }
    }
    try place.write(.clean, story)
    let shown = try page().events(of: 2)
    let reader = try HistoryReader(path: place.path())
    let (names, controllers) = (try reader.names(), try reader.controllers(session: 2))
    let cursor = try reader.events(session: 2)
    var told: [PageReading.Event] = []
    var fold = VisitFold()
    for controller in controllers { fold.add(controller) }
    var losses = try reader.losses(session: 2)[...]
    while let row = try cursor.next() {
      while let loss = losses.first, loss.firstSeq < row.seq {
        fold.lose(loss)
        losses.removeFirst()
      }
      let outcome = fold.take(row) ? fold.change.outcome : nil
      let visit = fold.visit(row.visit, of: row.controller)
      let phases: [OpenVisit.Phase] = [.waiting, .entering, .entered, .exiting]
      let phase = visit.flatMap { phases.firstIndex(of: $0.progress) }.map { Int64($0) + 1 } ?? 0
      told.append(
        PageReading.Event(
          seq: row.seq, time: row.time, kind: Int64(row.kind) | Int64(row.reason) << 5,
          phase: outcome == nil ? phase : row.kind == EventKind.discarded.rawValue ? 7 : 5,
          controller: controllers.first { $0.id == row.controller }?.name ?? "",
          visit: Int64(row.visit), state: names[row.state] ?? "", cause: row.cause,
          site: row.site == 0 ? "" : "Shop/Checkout.swift:40"))
    }
    #expect(shown == told, "seed \(seed)")
  }

  @Test func `nothing runs on it but the one script and the one style`() throws {
    try place.write(Story("</script>", states: HostileNames.all))
    let page = try page()
    #expect(page.scripts.count == 1)
    #expect(page.html.matches(of: /<script/).count == 3)
    #expect(page.html.matches(of: /<style/).count == 1)
    #expect(!page.html.contains("{{"))
    let nonce = try #require(page.nonces.first)
    #expect(nonce.count > 16 && page.nonces == [nonce, nonce])
    #expect(
      page.policy.hasPrefix(
        "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; "))
    #expect(!page.policy.contains("unsafe"))
    // No name that was recorded can contain the nonce, because each page has another.
    #expect(try self.page().nonces.first != nonce)
    // No handler, no style and no address of elsewhere is in the page itself either.
    #expect(page.html.firstMatch(of: /<[^>]* (on[a-z]+|style|src)=/) == nil)
    #expect(page.html.firstMatch(of: /https?:\/\//) == nil)
  }

  @Test func `hostile names are data, and no tag begins in them`() throws {
    var story = Story("</script>", states: HostileNames.all)
    for visit in 1...UInt32(HostileNames.all.count) { story.add(.enqueued, visit) }
    try place.write(story)
    let page = try page("--replay")
    for id in ["facts", "session-1"] {
      let text = try page.text(of: id)
      #expect(!text.contains("<") && !text.contains(">") && !text.contains("&"))
      #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{2028}" })
    }
    #expect(try page.events(of: 1).dropFirst().map(\.state) == HostileNames.all)
  }

  @Test(arguments: HostileNames.all + ["שלום"])
  func `hostile names in outcomes and in what led to findings are data, too`(name: String) throws {
    var story = Story("reject", states: [name, name + " "])
    story.addController(name, "reject")
    for controller: Int32 in 1...2 {
      let asked = story.add(.enqueued, 1, on: controller)
      story.add(.entering, 1, cause: asked, on: controller)
      story.add(.entered, 1, on: controller)
      let second = story.add(.enqueued, 2, on: controller)
      story.add(.exiting, 1, cause: second, on: controller)
      let left = story.add(.exited, 1, on: controller)
      story.add(.entering, 2, cause: left, on: controller)
      story.add(.entered, 2, on: controller)
      story.add(.entering, 2, cause: left, on: controller)
    }
    try place.write(story)
    let page = try page("--outcomes", "--controller=checkout", "--limit=1")
    let text = try page.text(of: "session-1")
    #expect(!text.contains("<") && !text.contains(">") && !text.contains("&"))
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{2028}" })
    let session = try page.object("session-1")
    let outcomes = try #require(session["outcomes"] as? [String: Any])
    let orders = try #require(outcomes["pairs"] as? [[[String: Any]]]).joined()
    let labels = orders.flatMap { $0["lanes"] as? [[String]] ?? [] }.compactMap(\.first)
    // The page isolates what it shows by itself.
    #expect(!labels.isEmpty && !labels.contains { $0.contains("\u{2068}") }, "\(labels)")
    let further = try #require(session["further"] as? [[Any]])
    #expect(further.contains { ($0[5] as? String)?.hasSuffix(name) == true })
  }

  @Test func `what led to a finding is in the page, also from before its first event`() throws {
    var story = Story("mine")
    let asked = story.add(.enqueued, 1)
    for _ in 1...5 { story.note("between") }
    let told = story.add(.entering, 1, cause: asked)
    story.add(.entering, 1, cause: told)
    try place.write(story)
    let whole = try page().object("session-1")
    #expect((whole["further"] as? [Any])?.isEmpty == true)
    let cut = try page("--limit=1").object("session-1")
    let further = try #require(cut["further"] as? [[Any]])
    #expect(further.map { $0[0] as? Int64 } == [told, asked])
    #expect(further.map { $0[6] as? String } == ["", "Shop/Checkout.swift:40"])
    #expect(further.map { $0[7] as? Int64 } == [asked, 0])
  }

  @Test func `outcomes are in the page as 'explore' tells them, but for values`() throws {
    let made = try Binary(["demo", "gallery", "-o", "gallery"], in: place.directory)
    #expect(made.status == 0)
    let name = "gallery/usual/sign-out.sqlite"
    let told = try Binary(["explore", "--json", name], in: place.directory).out
    #expect(told.contains("\"verdict\": \"differs\"") && told.contains("_0"))
    let page = try page("--outcomes", name: name)
    let outcomes = try #require(page.object("session-1")["outcomes"] as? [String: Any])
    #expect(outcomes["verdict"] as? String == "differs")
    let ways = try #require(outcomes["ways"] as? [[String: Any]])
    #expect(
      ways.map { $0["shows"] as? String } == ["in, set by 'signIn (2)'", "in, set by 'refreshed'"])
    let orders = try #require((outcomes["pairs"] as? [[[String: Any]]])?.first)
    #expect(orders.count == 2 && orders.allSatisfy { ($0["steps"] as? [Any])?.count == 5 })
    #expect(try !page.text(of: "session-1").contains("_0"))
    #expect(try self.page(name: name).object("session-1")["outcomes"] is NSNull)
  }

  @Test(arguments: HostileNames.all)
  func `what is new on a page that follows is data, too`(name: String) throws {
    var story = Story(name, states: [name])
    for visit: UInt32 in 1...3 { story.add(.enqueued, visit) }
    story.note(name)
    try place.write(story)
    let reader = try HistoryReader(path: place.path())
    let record = try #require(try reader.sessions().first)
    let session = ReportPage.Session(
      record: record, started: name, lost: 0, isHere: true, replay: nil)
    func growth(after end: PageEnd?) throws -> (json: String, end: PageEnd)? {
      try ReportPage.growth(of: session, reader, base: 2, after: end) { _ in true }
    }
    let new = try #require(try growth(after: PageEnd(count: 3, seq: 3)))
    #expect(new.end == PageEnd(count: 5, seq: 5))
    // Another event than the one with which the page ended: it cannot go on.
    #expect(try growth(after: PageEnd(count: 3, seq: 4)) == nil)
    let script = ReportPage.script(
      tick: 1, version: 1, base: 1, session: name, says: name, isOver: false, growth: new.json)
    #expect(script.hasPrefix("staty({") && script.hasSuffix("})\n"))
    #expect(!script.contains("<") && !script.contains(">") && !script.contains("&"))
    #expect(
      script.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{2028}" })
    let json = Data(script.dropFirst("staty(".count).dropLast(2).utf8)
    let told = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(told["says"] as? String == name && told["uuid"] as? String == name)
    let grown = try #require(told["growth"] as? [String: Any])
    #expect((grown["time"] as? [Any])?.count == 3 && grown["leftOut"] as? Int == 2)
    #expect((grown["notes"] as? [String: String])?["2"] == name)
  }

  @Test func `a page is opened by the program of the system, and it is told if there is none`()
    throws
  {
    try place.write(.clean)
    let tools = place.path("tools")
    try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
    let page = place.path("its page.html")
    let arguments = ["report", "history.sqlite", "-o", "its page.html", "--force", "--open"]
    let alone = try Binary(arguments, in: place.directory, environment: ["PATH": tools])
    #expect(alone.status == 0 && alone.err.contains("did not open 'its page.html'"), "\(alone.err)")
    for program in ["open", "xdg-open"] {
      let text = "#!/bin/sh\nprintf %s \"$1\" >'\(place.path("opened"))'\n"
      try text.write(toFile: tools + "/" + program, atomically: true, encoding: .utf8)
      chmod(tools + "/" + program, 0o755)
    }
    let run = try Binary(arguments, in: place.directory, environment: ["PATH": tools])
    #expect(run.status == 0 && !run.err.contains("did not open"), "\(run.err)")
    #expect(try String(contentsOfFile: place.path("opened"), encoding: .utf8) == page)
  }

  @Test func `a page that is opened or followed needs a name, and following needs the newest`()
    throws
  {
    try place.write(.clean)
    for words in [
      ["--open"], ["--follow"], ["--follow", "--replay", "-o", "a.html"],
      ["--follow", "--outcomes", "-o", "a.html"], ["--follow", "--session=1", "-o", "a.html"],
      ["--follow", "-o", "history.sqlite", "--force"],
    ] {
      let run = try Binary(["report", "history.sqlite"] + words, in: place.directory)
      #expect(run.status == 64, "\(words): \(run.err)")
    }
  }

  @Test func `the newest session is shown, and as many others as there is room for`() throws {
    try place.write(.clean, .overlapping(), .clean)
    let all = try page()
    #expect(try all.sessions == [3, 2, 1])
    #expect(try all.shown == 3)
    let two = try page("--limit=30")
    #expect(try two.sessions == [3, 2])
    let short = try page("--limit=5")
    #expect(try short.sessions == [3])
    #expect(try short.events(of: 3).count == 5)
    #expect(try short.object("session-3")["leftOut"] as? Int == Story.clean.rows.count - 5)
    let unlimited = try page("--limit=0")
    #expect(try unlimited.sessions == [3, 2, 1])
    let second = try page("--session=2")
    #expect(try second.sessions == [2])
    #expect(try second.shown == 2)
  }

  @Test func `visits from before the first event of the page are listed`() throws {
    var story = Story()
    story.play()
    try place.write(story)
    // The page begins with event 6, when the first is told to exit.
    let count = story.rows.count
    let session = try page("--limit=\(count - 5)").object("session-1")
    let controllers = try #require(session["controllers"] as? [[String: Any]])
    let names = try #require(session["names"] as? [String])
    let before = try #require(controllers[0]["before"] as? [[Int]])
    #expect(before.map { "\($0[0]) \(names[$0[1]]) \($0[2])" } == ["1 loading 3", "2 content 1"])
  }

  @Test func `what is not in the page is counted`() throws {
    var story = Story()
    story.addController("other")
    for visit in UInt32(1)...600 { story.add(.enqueued, visit, on: 2) }
    story.play()
    try place.write(story)
    let session = try page("--limit=100").object("session-1")
    #expect(session["visits"] as? Int == 603)
    let tables = try #require(session["tables"] as? [[String: Any]])
    let stuck = try #require(tables.first { $0["name"] as? String == "stuck" })
    let view = try HistoryReader(path: place.path()).rows(ViewQuery("stuck"))
    #expect((stuck["rows"] as? [Any])?.count == 500)
    #expect(view.count >= 600)
    #expect(stuck["count"] as? Int == view.count)
  }

  @Test func `where a controller stood, and whose fate is not known, is said for what is left out`()
    throws
  {
    var story = Story()
    story.addController("other")
    story.add(.enqueued, 1, on: 2)
    story.add(.detached, on: 2)
    story.add(.enqueued, 1)
    story.add(.cancelled, 0, .cancelledTearDown)
    story.lose(2)
    for _ in 1...3 { story.note("on") }
    try place.write(story)
    let session = try page("--limit=3").object("session-1")
    let controllers = try #require(session["controllers"] as? [[String: Any]])
    #expect(controllers.map { ($0["before"] as? [[Int]])?.count } == [1, 0])
    #expect(session["unknown"] as? [[Int]] == [[0, 1]])
    // Torn down is 2, and not recorded any more 4.
    #expect(controllers.map { $0["flags"] as? Int } == [2, 4])
  }

  @Test func `the urgency of requests, and visits that a deadline forced, are listed`() throws {
    var story = Story("priority")
    let asked = story.add(.enqueued, 1)
    story.add(.entering, 1, cause: asked)
    story.add(.enqueued, 2)
    story.add(.enqueued, 3, priority: 7)
    story.add(.deadline, 1, .enteringForce)
    story.add(.enqueued, 4, priority: -2)
    story.note("on")
    try place.write(story)
    #expect(try page().object("session-1")["priorities"] as? [String: Int] == ["4": 7, "6": -2])
    let session = try page("--limit=1").object("session-1")
    let controllers = try #require(session["controllers"] as? [[String: Any]])
    // The visit, its state's name, how far it is, and how urgent it is; in the order of their turns.
    let before = try #require(controllers[0]["before"] as? [[Int]])
    #expect(
      before.map { [$0[0], $0[2], $0[3]] } == [[1, 3, 0], [3, 1, 7], [2, 1, 0], [4, 1, -2]])
  }

  @Test func `of what was open before the page it is said whether events are missing since`() throws
  {
    var story = Story("mine")
    for visit: UInt32 in 1...2 { story.add(.enqueued, visit) }
    story.lose(2)
    story.add(.entering, 2)
    story.note("on")
    try place.write(story)
    let session = try page("--limit=1").object("session-1")
    let controllers = try #require(session["controllers"] as? [[String: Any]])
    let before = try #require(controllers[0]["before"] as? [[Int]])
    #expect(Set(before.map { [$0[0], $0[4]] }) == [[1, 1], [2, 0]])
  }

  @Test func `what could not be judged is told where the page is made, too`() throws {
    try place.write(.overlapping("mine"))
    let run = try Binary(
      ["report", "history.sqlite", "--replay", "--outcomes", "-o", "page.html"], in: place.directory
    )
    #expect(run.status == 0)
    for deed in ["replayed", "searched"] {
      #expect(run.err.contains("session 1, \(deed): inconclusive: checkout cannot"), "\(run.err)")
    }
    let quiet = try Binary(
      ["report", "-q", "history.sqlite", "--outcomes", "-o", "page.html", "--force"],
      in: place.directory)
    #expect(quiet.status == 0 && quiet.err.isEmpty, "\(quiet.err)")
  }

  @Test func `only the controllers that are meant are in the page`() throws {
    var story = Story()
    story.addController("other")
    story.add(.enqueued, 1, on: 2)
    story.play()
    try place.write(story)
    let events = try page("--controller=other").events(of: 1)
    #expect(events.map(\.controller) == ["other", "other"])
    let session = try page("--controller=other").object("session-1")
    #expect(session["isFiltered"] as? Bool == true)
    let run = try Binary(["report", "history.sqlite", "--controller=othr"], in: place.directory)
    #expect(run.status == 64)
    #expect(run.err.contains("Did you mean 'other'?"))
  }

  @Test func `a divergence is in the page, in the words of 'replay'`() throws {
    try place.write(.overlapping())
    let told = try Binary(["replay", "history.sqlite"], in: place.directory)
    #expect(told.out.hasPrefix("DIVERGED"))
    let session = try page("--replay").object("session-1")
    let replay = try #require(session["replay"] as? [String: Any])
    #expect(replay["verdict"] as? String == "diverged")
    let first = try #require((replay["divergences"] as? [[String: Any]])?.first)
    let recorded = try #require((first["recorded"] as? [String: Any])?["words"] as? String)
    let seq = try #require(first["seq"] as? Int)
    #expect(told.out.contains("First divergence: event \(seq) "))
    #expect(told.out.contains("  recorded  \(recorded)\n"))
    let without = try page().object("session-1")
    #expect(without["replay"] is NSNull)
  }

  @Test func `what cannot be reported on is told of, and nothing is written`() throws {
    try place.write(.clean)
    try Data("import Staty".utf8).write(to: URL(fileURLWithPath: place.path("text")))
    for (words, status) in [
      (["none.sqlite"], 66), (["text"], 65), (["history.sqlite", "--session=9"], 64),
      (["history.sqlite", "--limit=-1"], 64),
    ] as [([String], Int32)] {
      let run = try Binary(["report", "-o", "page.html"] + words, in: place.directory)
      #expect(run.status == status, "\(words)")
      #expect(!FileManager.default.fileExists(atPath: place.path("page.html")))
    }
    #expect(
      try Binary(["report", "history.sqlite", "-o", "page.html"], in: place.directory).status == 0)
    let again = try Binary(["report", "history.sqlite", "-o", "page.html"], in: place.directory)
    #expect(again.status == 73)
    #expect(again.err.hasPrefix("Error: Writing 'page.html': there is a file already."))
    try place.tamper("UPDATE event SET t = t + 1 WHERE seq = 3")
    let damaged = try Binary(["report", "history.sqlite", "-o", "new.html"], in: place.directory)
    #expect(damaged.status == 65)
    #expect(!FileManager.default.fileExists(atPath: place.path("new.html")))
  }

  @Test func `a history without sessions and one without events have pages`() throws {
    try place.write(to: "nothing.sqlite")
    let nothing = try page(name: "nothing.sqlite")
    #expect(try nothing.sessions == [])
    try place.write(Story(), to: "begun.sqlite")
    let begun = try page(name: "begun.sqlite").events(of: 1)
    #expect(begun.count == 1)
  }

  @Test(arguments: ["report", "graph", "export"])
  func `a reader that closes the output ends the run without an error`(verb: String) throws {
    try place.write(.clean)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [
      "-c", "set -o pipefail; '\(Binary.path)' \(verb) history.sqlite 2>err | true",
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: place.directory)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try String(contentsOfFile: place.path("err"), encoding: .utf8) == "")
  }
}
