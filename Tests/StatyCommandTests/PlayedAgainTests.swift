import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyReplay
import Testing

@testable import StatyCommand

/// What is said of recordings that are played again without a change, or with one.
@Suite struct PlayedAgainTests {
  private let place: Place

  init() throws { place = try Place() }

  private func run(_ arguments: String...) throws -> Binary {
    try Binary(arguments, in: place.directory)
  }

  private func write(_ lines: [String]) throws {
    let text = ([#"{"format":"staty-history","version":1}"#] + lines).joined(separator: "\n") + "\n"
    let run = try Binary(
      ["import", "-", "-q", "-o", "history.sqlite"], in: place.directory, input: text)
    try #require(run.status == 0, "\(run.err)")
  }

  private func session(_ uuid: String, _ first: Int, _ rest: String = "") -> String {
    #"{"type":"session","uuid":"\#(uuid)","first_seq":\#(first),"wall_us":1760000000000000\#(rest)}"#
  }

  private func controller(_ policy: String, _ rest: String = "") -> String {
    #"{"type":"controller","controller":"s","policy":"\#(policy)","discipline":"in-order","fidelity":"full"\#(rest)}"#
  }

  private func event(_ seq: Int, _ time: Int, _ kind: String, _ rest: String = "") -> String {
    #"{"seq":\#(seq),"t_us":\#(time),"kind":"\#(kind)","controller":"s"\#(rest)}"#
  }

  private func visit(
    _ number: Int, _ state: String, in seq: Int = 0, _ part: String = "handled"
  ) -> String {
    #","visit":\#(number),"state":"\#(state)""#
      + (seq == 0 ? "" : #","inside":\#(seq),"part":"\#(part)""#)
  }

  @Test func `what an observer requests is requested again`() throws {
    try write([
      session("u", 1), controller("staty-2019"), event(1, 0, "attached"),
      event(2, 100_000, "enqueued", visit(1, "loading")),
      event(3, 100_000, "resumed", #","cause":2,"step":1"#),
      event(4, 100_000, "entering", visit(1, "loading", in: 3)),
      event(5, 300_000, "entered", visit(1, "loading")),
      event(6, 300_000, "enqueued", visit(2, "content", in: 5, "observed")),
      event(7, 300_000, "exiting", visit(1, "loading", in: 6)),
      event(8, 300_000, "enqueued", visit(3, "alert", in: 5, "observed")),
      event(9, 300_000, "exiting", visit(2, "content", in: 8)),
      event(10, 1_400_000, "exited", visit(1, "loading")),
      event(11, 1_400_000, "resumed", #","cause":10,"step":2"#),
      event(12, 1_400_000, "entering", visit(2, "content", in: 11)),
      event(13, 1_600_000, "entered", visit(2, "content")),
      #"{"type":"end","ended":"clean"}"#,
    ])
    #expect(try run("replay", "history.sqlite").out.hasPrefix("REPRODUCED"))
    let again = try run("replay", "--what-if", "history.sqlite")
    #expect(again.status == 1 && again.out.hasPrefix("STILL BROKEN"), "\(again.out)")
  }

  @Test func `what goes on in the next session is not missing at the end of this one`() throws {
    let standing =
      #","snapshot":{"isTornDown":false,"isWithholding":false,"lastVisit":2,"#
      + #""standing":[{"phase":3,"state":"home","visit":1}],"waiting":[{"state":"alert","visit":2}]}"#
    func first(_ end: String) -> [String] {
      [
        session("A", 1), controller("queue"), event(1, 0, "attached"),
        event(2, 1_000, "enqueued", visit(1, "home")),
        event(3, 1_000, "entering", visit(1, "home", in: 2)),
        event(4, 5_000, "entered", visit(1, "home")),
        event(5, 6_000_000, "enqueued", visit(2, "alert")),
        event(6, 6_000_000, "exiting", visit(1, "home", in: 5)),
        event(7, 19_000_000, "detached", end), #"{"type":"end","ended":"continued"}"#,
        session("B", 8, #","run":"A""#), controller("queue", standing), event(8, 0, "attached"),
        event(9, 0, "stood", visit(1, "home") + #","reason":"exiting","age_us":3000000"#),
        event(10, 0, "stood", visit(2, "alert") + #","reason":"waiting","age_us":3000000"#),
        event(11, 500_000, "exited", visit(1, "home")),
        event(12, 500_000, "entering", visit(2, "alert", in: 11)),
        event(13, 600_000, "entered", visit(2, "alert")), #"{"type":"end","ended":"clean"}"#,
      ]
    }
    try write(first(#","reason":"continues""#))
    let goesOn = try run("replay", "--what-if", "--session", "1", "history.sqlite")
    #expect(goesOn.status == 0 && goesOn.out.hasPrefix("CLEAN"), "\(goesOn.out)")
  }

  @Test func `a renamed state is found in routes, too`() throws {
    let routes =
      #","snapshot":{"isTornDown":false,"isWithholding":false,"lastVisit":0,"standing":[],"waiting":[],"#
      + #""routes":[{"to":"loading"},{"from":"loading","to":"ready"}],"states":["loading","ready"]}"#
    try write([
      session("u", 1), controller("queue", routes), event(1, 0, "attached"),
      event(2, 1_000, "enqueued", visit(1, "loading")),
      event(3, 1_000, "entering", visit(1, "loading", in: 2)),
      event(4, 5_000, "entered", visit(1, "loading")),
      event(5, 6_000, "enqueued", visit(2, "ready")),
      event(6, 6_000, "exiting", visit(1, "loading", in: 5)),
      event(7, 9_000, "exited", visit(1, "loading")),
      event(8, 9_000, "entering", visit(2, "ready", in: 7)),
      event(9, 12_000, "entered", visit(2, "ready")), #"{"type":"end","ended":"clean"}"#,
    ])
    #expect(try run("replay", "history.sqlite").out.hasPrefix("REPRODUCED"))
    var registry = ControllerRegistry()
    registry.rename("ready", to: "loaded")
    let verification = try Verification(
      HistoryReader(path: place.path()), session: 1, registry: registry)
    #expect(try verification.run().verdict == .reproduced)
  }

  @Test func `what a condition of the app says of the recording is not new`() throws {
    _ = try run("demo", "gallery", "-q", "-o", "gallery")
    let again = try run("replay", "--what-if", "gallery/double-pop.sqlite")
    #expect(again.status == 1 && again.out.hasPrefix("STILL BROKEN"), "\(again.out)")
  }

  @Test func `what a controller reports for its state is not said to be missing`() throws {
    _ = try run("demo", "-q", "-o", "demo")
    let late = try run("replay", "--delay", "2=1001ms", "demo/appeared-twice.sqlite")
    #expect(!late.out.contains("never reported that it has entered"), "\(late.out)")
  }

  @Test func `states that may be silent may still answer`() throws {
    _ = try run("demo", "-q", "-o", "demo")
    let silent = try run("explore", "--never", "--with", "queue", "demo/second-last.sqlite")
    #expect(silent.out.contains("as usual") && silent.out.contains("empty"), "\(silent.out)")
    #expect(!silent.out.hasPrefix("SAME: every order ends the same: content"), "\(silent.out)")
  }

  @Test func `a history that explore has written shows the errors that it has named`() throws {
    _ = try run("demo", "-q", "-o", "demo")
    let found = try run("explore", "-q", "-o", "found.sqlite", "demo/second-last.sqlite")
    #expect(found.status == 1 && found.out.contains("exit-before-enter"), "\(found.out)")
    let check = try run("check", "--oneline", "found.sqlite")
    #expect(check.out.contains("error[exit-before-enter]"))
    #expect(!check.out.contains("never-entered"), "\(check.out)")
  }

  @Test func `a test is written of a controller that is not the first of its file`() throws {
    _ = try run("demo", "-q", "-o", "demo")
    let files = try FileManager.default.contentsOfDirectory(atPath: place.path("demo"))
      .filter { $0.hasSuffix(".sqlite") }.sorted().map { "demo/" + $0 }
    let merged = try Binary(["merge", "-q", "-o", "all.sqlite"] + files, in: place.directory)
    try #require(merged.status == 0)
    let alone = try run("test", "demo/closed-alert.sqlite")
    let number = try #require(files.firstIndex(of: "demo/closed-alert.sqlite")) + 1
    let among = try run("test", "--session", "\(number)", "all.sqlite")
    #expect(among.status == 0, "\(among.err)")
    func body(_ text: String) -> [Substring] {
      text.split(separator: "\n").filter { !$0.hasPrefix("//") && !$0.contains("@Test") }
    }
    #expect(body(among.out) == body(alone.out))
  }
}
