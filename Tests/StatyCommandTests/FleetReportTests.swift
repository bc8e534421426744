import Foundation
import Staty
import StatyHistory
import Testing

/// What is wrong in a folder of histories, on one page.
@Suite struct FleetReportTests {
  private let place: Place

  init() throws { place = try Place() }

  private func write(_ folder: String, _ files: [String: Data]) throws {
    try FileManager.default.createDirectory(
      atPath: place.path(folder), withIntermediateDirectories: true)
    for (name, data) in files {
      try data.write(to: URL(fileURLWithPath: place.path("\(folder)/\(name)")))
    }
  }

  private func report(_ words: String...) throws -> Binary {
    try Binary(["report"] + words, in: place.directory)
  }

  @Test func `it says what is broken where, and leads to the worst files`() throws {
    #expect(
      try Binary(["demo", "-q", "--fleet=40", "-o", "fleet"], in: place.directory).status == 0)
    try write("fleet/more", ["damaged.sqlite": Data("no history at all".utf8)])
    let run = try report("--fleet", "fleet")
    #expect(run.status == 0)
    #expect(run.err.hasSuffix("; 1 could not be read.\n"), "\(run.err)")
    // The style is that of the other pages.
    let style = try #require(
      run.out.range(of: "<style>(.|\n)*</style>", options: .regularExpression))
    let hash = try #require(
      run.out.range(of: "sha256-[A-Za-z0-9+/=]*", options: .regularExpression))
    let page = run.out.replacingOccurrences(of: String(run.out[style]), with: "<style></style>")
      .replacingOccurrences(of: String(run.out[hash]), with: "sha256-…")
    try expectGolden(page, "fleet-page")
  }

  @Test func `links lead from where the page is to where the files are`() throws {
    try write("a/b", [:])
    try place.write(.overlapping(), to: "a/b/a history#1?.sqlite")
    try write("pages", [:])
    #expect(try report("--fleet", "a", "-o", "pages/page.html").status == 0)
    let page = try String(contentsOfFile: place.path("pages/page.html"), encoding: .utf8)
    #expect(page.contains(#"<a href="./../a/b/a%20history%231%3F.sqlite">"#), "\(page)")
    #expect(try report("--fleet", "a/b", "-o", "a/page.html").status == 0)
    let beside = try String(contentsOfFile: place.path("a/page.html"), encoding: .utf8)
    #expect(beside.contains(#"<a href="./b/a%20history%231%3F.sqlite">"#))
  }

  @Test func `names of strangers are texts`() throws {
    let hostile = "</style><script>alert(1)</script><a href=\"javascript:x\">&amp;\u{202e}'"
    var story = Story.overlapping()
    story.addController(hostile)
    let request = story.add(.enqueued, 1, on: 2)
    story.add(.entering, 1, cause: request, on: 2)
    story.add(.exiting, 1, cause: request, on: 2)
    try write("fleet", [:])
    try place.write(story, to: "fleet/javascript:alert(1).sqlite")
    let writer = try HistoryWriter(path: place.path("fleet/javascript:alert(1).sqlite"))
    try place.tamper(
      "UPDATE session SET app = '\(hostile.replacingOccurrences(of: "'", with: "''"))', "
        + "app_version = app, os = app", "fleet/javascript:alert(1).sqlite")
    try writer.reseal(session: 1)
    try writer.close()
    let page = try report("--fleet", "fleet").out
    #expect(page.contains("exit-before-enter"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(page.contains(#"href="./fleet/javascript%3Aalert%281%29.sqlite""#))
    #expect(!page.contains("<script"))
    #expect(!page.contains("\u{202e}"))
    #expect(page.components(separatedBy: "</style>").count == 2)
    #expect(page.components(separatedBy: "href=\"").count == 2)
  }

  @Test func `a session that was changed is listed, and the others are judged`() throws {
    try write("fleet", [:])
    try place.write(.overlapping(), .clean, to: "fleet/one.sqlite")
    try place.tamper("UPDATE event SET t = t + 1 WHERE seq = 3", "fleet/one.sqlite")
    let run = try report("--fleet", "fleet")
    #expect(run.status == 0)
    #expect(run.err == "1 session in 1 file, 0 with errors; 1 could not be read.\n")
    #expect(run.out.contains("the history is damaged"))
  }

  @Test func `a folder without histories, and flags that say nothing of one, are refused`() throws {
    try write("empty", ["a.txt": Data()])
    #expect(try report("--fleet", "empty").status == 66)
    #expect(try report("--fleet", "none").status == 66)
    #expect(try report("--fleet", "").status == 66)
    try place.write(.clean)
    #expect(try report("--fleet", ".", "history.sqlite").status == 64)
    #expect(try report("--fleet", ".", "--replay").status == 64)
    #expect(try report("--fleet", ".", "--session", "1").status == 64)
    #expect(try report().status == 64)
  }
}
