import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyReplay
import StatyRules
import StatySpecimens
import Testing

@testable import StatyCommand

/// What `why` says, word for word, and whether it is so.
@Suite struct WhyTests {
  private let place: Place

  init() throws { place = try Place() }

  private func demo() throws {
    let run = try Binary(["demo", "-q", "-o", "demo"], in: place.directory)
    try #require(run.status == 0)
  }

  @Test(arguments: ["second-exit", "dropped-presentation", "unknown-key"])
  func `a finding is explained by what led to it and the nearest order without it`(
    _ fault: String
  ) throws {
    try demo()
    let isKnown = fault != "unknown-key"
    try place.expect(
      ["why", "demo/\(fault).sqlite"], "why-\(fault)", status: isKnown ? 0 : 2)
  }

  @Test func `an event, a rule or a visit can be asked about`() throws {
    try demo()
    try place.expect(["why", "demo/second-last.sqlite", "5"], "why-event", status: 0)
    try place.expect(["why", "demo/second-last.sqlite", "#3"], "why-visit", status: 0)
    try place.expect(["why", "demo/second-exit.sqlite", "overlap"], "why-rule", status: 0)
    try place.expect(["why", "--json", "demo/second-exit.sqlite"], "why-json", status: 0)
  }

  @Test func `who holds the stage is said of a finding as it is of its visit`() throws {
    try demo()
    for (file, visit) in [("second-last", "#3"), ("unknown-key", "#2")] {
      func waits(_ asked: String...) throws -> [String]? {
        let run = try Binary(["why", "--json", "demo/\(file).sqlite"] + asked, in: place.directory)
        let json = try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any]
        #expect(json?["code"] as? String == "never-entered", "\(run.out)")
        return json?["waits_for"] as? [String]
      }
      let lines = try waits("never-entered")
      #expect(lines?.isEmpty == false)
      #expect(try waits(visit) == lines)
    }
  }

  @Test func `of several visits with one number the one with a finding is explained`() throws {
    var (fine, broken) = (Story(), Story())
    for kind in [EventKind.enqueued, .entering, .entered] {
      fine.add(kind, 1)
      broken.add(kind, 1)
    }
    broken.add(.entering, 1)
    try place.write(fine, broken, fine)
    let why = try Binary(["why", "history.sqlite", "#1"], in: place.directory)
    #expect(why.out.contains("error[double-enter]"), "\(why.out)")
    #expect(
      why.err.contains("3 visits are called #1; this is that of 'checkout' in session 2."),
      "\(why.err)")
    try place.write(fine, fine, to: "fine.sqlite")
    let last = try Binary(["why", "--json", "fine.sqlite", "#1"], in: place.directory)
    #expect(last.out.contains("\"session\": 2"), "\(last.out)")
  }

  /// Writes a recording of one controller from the lines of its export.
  private func write(_ controller: String, _ events: [String]) throws {
    let lines =
      [
        #"{"format":"staty-history","version":1}"#,
        #"{"type":"session","uuid":"u","first_seq":1,"wall_us":1760000000000000}"#,
        #"{"type":"controller","controller":"orders",\#(controller),"fidelity":"full"}"#,
        #"{"seq":1,"t_us":0,"kind":"attached","controller":"orders"}"#,
      ] + events + [#"{"type":"end","ended":"clean"}"#]
    let text = lines.joined(separator: "\n") + "\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: place.directory + "/orders.ndjson"))
    let run = try Binary(
      ["import", "orders.ndjson", "-o", "orders.sqlite"], in: place.directory)
    try #require(run.status == 0, "\(run.err)")
  }

  @Test func `of a screen that is pushed twice both pushes are shown`() throws {
    try write(
      #""policy":"stack","discipline":"moves""#,
      [
        #"{"seq":2,"t_us":1000,"kind":"received","controller":"orders","state":"select"}"#,
        #"{"seq":3,"t_us":101000,"kind":"received","controller":"orders","state":"select"}"#,
        #"{"seq":4,"t_us":151000,"kind":"moved","controller":"orders","visit":1,"state":"order","reason":"push","cause":2}"#,
        #"{"seq":5,"t_us":251000,"kind":"moved","controller":"orders","visit":2,"state":"order","reason":"push","cause":3}"#,
      ])
    try place.expect(["why", "orders.sqlite", "double-push"], "why-double-push", status: 2)
  }

  @Test func `that nothing reported leads to a decision is said`() throws {
    try write(
      #""policy":"orders","discipline":"in-order""#,
      [
        #"{"seq":2,"t_us":1000,"kind":"enqueued","controller":"orders","visit":1,"state":"hint"}"#,
        #"{"seq":3,"t_us":1000,"kind":"entering","controller":"orders","visit":1,"state":"hint","inside":2,"part":"handled"}"#,
        #"{"seq":4,"t_us":2001000,"kind":"exiting","controller":"orders","visit":1,"state":"hint"}"#,
      ])
    try place.expect(["why", "orders.sqlite", "exit-before-enter"], "why-unexplained", status: 2)
    // What an input led to needs no such words.
    let led = try Binary(["why", "orders.sqlite", "3"], in: place.directory)
    #expect(!led.out.contains("reported leads to"), "\(led.out)")
  }

  @Test func `what is not there cannot be asked about`() throws {
    try demo()
    for (name, asked, status) in [
      ("event", "999", Int32(64)), ("visit", "#99", 64), ("word", "overlp", 64),
      ("rule", "double-push", 2),
    ] {
      try place.expect(
        ["why", "demo/second-exit.sqlite", asked], "why-error-\(name)", status: status)
    }
    try place.write(.clean)
    try place.expect(["why", "history.sqlite"], "why-error-clean", status: 2)
  }

  @Test func `the nearest order does not have the finding when it is played as an edit`() throws {
    try demo()
    var played = 0
    for scenario in SpecimenScenario.all where scenario.code != nil {
      let path = place.path("demo/\(scenario.name).sqlite")
      guard FileManager.default.fileExists(atPath: path) else { continue }
      let run = try Binary(["why", "--json", path], in: place.directory)
      guard let json = try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any],
        let nearest = json["nearest"] as? [String: Any], nearest["clean"] as? Bool == true,
        let edit = nearest["edit"] as? String, let code = json["code"] as? String
      else { continue }
      played += 1
      let words = edit.split(separator: " ").map(String.init)
      let replay = try Binary(["replay", "--json"] + words + [path], in: place.directory)
      #expect(!replay.out.contains("\"verdict\": \"still-broken\""), "\(scenario.name): \(edit)")
      #expect(replay.status != 1, "\(scenario.name), \(code): \(replay.out)")
    }
    #expect(played > 2)
  }

  /// The sentence and the edit of the nearest order of a recording.
  private func nearest(_ path: String) throws -> (sentence: String, edit: String?) {
    let run = try Binary(["why", "--json", path], in: place.directory)
    let json = try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any]
    let nearest = json?["nearest"] as? [String: Any]
    return (json?["sentence"] as? String ?? "", nearest?["edit"] as? String)
  }

  @Test func `an edit leaves what the user does in the user's order`() throws {
    _ = try Binary(["demo", "gallery", "-q", "-o", "gallery"], in: place.directory)
    let (sentence, edit) = try nearest("gallery/sign-out.sqlite")
    #expect(sentence.contains("came before 'signOut' (event 6)"), "\(sentence)")
    let times = try #require(edit?.split(separator: " ").filter { $0.contains("=") })
    // Signing out and signing in again.
    #expect(times.map { $0.prefix(2) } == ["6=", "8="])
    #expect(Set(times.map { $0.dropFirst(2) }).count == 1, "\(times)")
  }

  /// An app's file has a session for each launch.
  @Test(arguments: [1, 2])
  func `the line that is advised is what was tried`(_ session: Int) throws {
    _ = try Binary(["demo", "gallery", "-q", "-o", "gallery"], in: place.directory)
    let files = ["gallery/sign-out.sqlite", "gallery/pause.sqlite"]
    _ = try Binary(["merge", "-q", "-o", "all.sqlite"] + files, in: place.directory)
    let run = try Binary(["why", "--session", "\(session)", "all.sqlite"], in: place.directory)
    let line = try #require(run.out.split(separator: "\n").first { $0.contains(" replay ") })
    let words = line.split(separator: " ").map(String.init)
    let place = try #require(words.firstIndex(of: "replay"))
    let replay = try Binary(Array(words[place...]), in: self.place.directory)
    #expect(replay.status == 0, "\(line)\n\(replay.out)\(replay.err)")
  }

  /// What comes after a recording that goes on in the next session is in that one.
  @Test func `an edit that drops what it delays is not advised`() throws {
    try demo()
    let text = try Binary(["export", "demo/second-last.sqlite"], in: place.directory).out
    let lines = text.split(separator: "\n").filter {
      !$0.contains(#""type":"finding""#) && !$0.contains(#""type":"end""#)
    }.map(String.init)
    for reason in ["", #""reason":"continues","#] {
      let end = [
        #"{"seq":16,"t_us":5100000,"kind":"detached",\#(reason)"controller":"screen","thread":1}"#,
        #"{"type":"end","ended":"clean"}"#,
      ]
      let log = (lines + end).map { $0 + "\n" }.joined()
      try Data(log.utf8).write(to: URL(fileURLWithPath: place.path("log.ndjson")))
      let name = reason.isEmpty ? "over" : "goes-on"
      let made = try Binary(
        ["import", "-q", "-o", "\(name).sqlite", "log.ndjson"], in: place.directory)
      try #require(made.status == 0, "\(made.err)")
      let (sentence, edit) = try nearest("\(name).sqlite")
      #expect(sentence.hasPrefix("It would not happen if"), "\(sentence)")
      #expect((edit != nil) == reason.isEmpty, "\(name): \(edit ?? "none")")
    }
  }

  @Test func `waiting helps only where something comes to rest meanwhile`() throws {
    try demo()
    _ = try Binary(["demo", "gallery", "-q", "-o", "gallery"], in: place.directory)
    let (patient, edit) = try nearest("demo/second-last.sqlite")
    #expect(patient.contains("had settled"), "\(patient)")
    #expect(edit?.contains("8=") == true, "\(edit ?? "")")
    // Nothing comes before the first request, and what never reports does not because the user waits.
    for name in ["gallery/banners", "demo/closed-alert"] {
      let (sentence, _) = try nearest("\(name).sqlite")
      #expect(!sentence.contains("had settled"), "\(name): \(sentence)")
    }
  }

  @Test func `an order in which only what is asked about is gone is not called a right one`() throws
  {
    // The last request came as early as the one before it.
    let log = """
      {"format":"staty-history","version":1,"sessions":1}
      {"type":"session","session":1,"uuid":"u","first_seq":1}
      {"type":"controller","controller":"screen","policy":"staty-2019","discipline":"in-order","fidelity":"full"}
      {"seq":1,"t_us":0,"kind":"attached","controller":"screen"}
      {"seq":2,"t_us":100000,"kind":"enqueued","controller":"screen","visit":1,"state":"loading"}
      {"seq":3,"t_us":100000,"kind":"resumed","controller":"screen","cause":2,"step":1}
      {"seq":4,"t_us":100000,"kind":"entering","controller":"screen","visit":1,"state":"loading","inside":3,"part":"handled"}
      {"seq":5,"t_us":300000,"kind":"entered","controller":"screen","visit":1,"state":"loading"}
      {"seq":6,"t_us":1100000,"kind":"enqueued","controller":"screen","visit":2,"state":"content"}
      {"seq":7,"t_us":1100000,"kind":"exiting","controller":"screen","visit":1,"state":"loading","inside":6,"part":"handled"}
      {"seq":8,"t_us":1100000,"kind":"enqueued","controller":"screen","visit":3,"state":"alert"}
      {"seq":9,"t_us":1100000,"kind":"exiting","controller":"screen","visit":2,"state":"content","inside":8,"part":"handled"}
      {"seq":10,"t_us":1100000,"kind":"enqueued","controller":"screen","visit":4,"state":"empty"}
      {"seq":11,"t_us":1100000,"kind":"exiting","controller":"screen","visit":3,"state":"alert","inside":10,"part":"handled"}
      {"seq":12,"t_us":1400000,"kind":"exited","controller":"screen","visit":1,"state":"loading"}
      {"seq":13,"t_us":1400000,"kind":"resumed","controller":"screen","cause":12,"step":2}
      {"seq":14,"t_us":1400000,"kind":"entering","controller":"screen","visit":2,"state":"content","inside":13,"part":"handled"}
      {"seq":15,"t_us":1600000,"kind":"entered","controller":"screen","visit":2,"state":"content"}
      {"type":"end","ended":"clean"}

      """
    try Data(log.utf8).write(to: URL(fileURLWithPath: place.path("log.ndjson")))
    let made = try Binary(
      ["import", "-q", "-o", "twice.sqlite", "log.ndjson"], in: place.directory)
    try #require(made.status == 0, "\(made.err)")
    let (sentence, _) = try nearest("twice.sqlite")
    #expect(
      sentence
        == "It would not happen if the request for 'alert' came when everything before it had settled, "
        + "though that breaks exit-before-enter and never-entered.")
  }

  @Test func `what was not done to the end is, if that is what it takes`() throws {
    _ = try Binary(["demo", "gallery", "-q", "-o", "gallery"], in: place.directory)
    let (sentence, edit) = try nearest("gallery/banners.sqlite")
    #expect(sentence.contains("'banner' has exited came with 'finished: true'."), "\(sentence)")
    #expect(edit == "--finish 7")
    let replay = try Binary(
      ["replay", "--json", "--finish", "7", "gallery/banners.sqlite"], in: place.directory)
    #expect(replay.out.contains("\"verdict\": \"fixed\"") && replay.status == 0, "\(replay.out)")
  }

  @Test func `what a finding is only compared with is called so`() throws {
    _ = try Binary(["demo", "gallery", "-q", "-o", "gallery"], in: place.directory)
    let late = try Binary(["why", "gallery/deep-link.sqlite"], in: place.directory)
    #expect(
      late.out.contains("late-answer")
        && late.out.contains("What led to it, and what it is compared with"), "\(late.out)")
    let plain = try Binary(["why", "gallery/deep-link.sqlite", "5"], in: place.directory)
    #expect(plain.out.contains("What led to it\n"), "\(plain.out)")
  }

  @Test func `a request may come before a state exits by itself`() throws {
    try demo()
    let (sentence, edit) = try nearest("demo/closed-alert.sqlite")
    #expect(
      sentence
        == "It would not happen if the request for 'content' came before the exit of 'alert' by itself."
    )
    let words = try #require(edit).split(separator: " ").map(String.init)
    let replay = try Binary(
      ["replay", "--json"] + words + ["demo/closed-alert.sqlite"], in: place.directory)
    #expect(replay.out.contains("\"verdict\": \"fixed\"") && replay.status == 0, "\(replay.out)")
  }

  @Test func `an edit may leave open whether another finding is gone`() throws {
    _ = try Binary(["demo", "gallery", "-q", "-o", "gallery"], in: place.directory)
    // That C never reports is another finding, and C may have no reason to.
    let edit = try #require(try nearest("gallery/presentation.sqlite").edit)
    #expect(edit.hasPrefix("--delay 7="), "\(edit)")
    let replay = try Binary(
      ["replay", "--json"] + edit.split(separator: " ").map(String.init) + [
        "gallery/presentation.sqlite"
      ], in: place.directory)
    #expect(replay.out.contains("\"findings\": []"), "\(replay.out)")
    #expect(replay.status == 2)
  }
}
