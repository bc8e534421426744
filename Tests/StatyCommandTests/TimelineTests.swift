import Foundation
import Staty
import StatyHistory
import StatyReport
import Testing

@testable import StatyCommand

/// The picture that `timeline` draws, word for word, and what it does with what is hard to draw.
@Suite struct TimelineTests {
  private let place: Place

  init() throws { place = try Place() }

  /// Two controllers, a discard, a visit that is stuck, findings, idle time, a mark and a gap.
  static var eventful: Story {
    var story = Story.overlapping("staty-2019")
    story.addController("cart", "latest")
    let first = story.add(.enqueued, 1, on: 2)
    story.add(.entering, 1, cause: first, on: 2)
    story.add(.entered, 1, on: 2)
    story.note("paid")
    story.wait(seconds: 75)
    story.add(.enqueued, 2, on: 2)
    let third = story.add(.enqueued, 3, on: 2)
    story.add(.discarded, 2, .replaced, cause: third, on: 2)
    story.add(.exiting, 1, cause: third, on: 2)
    story.wait(seconds: 40)
    story.add(.enqueued, 3)
    story.lose(2)
    story.add(.enqueued, 4)
    story.wait(seconds: 3)
    story.note("gave up")
    return story
  }

  @Test(arguments: [40, 80, 160])
  func `visits are lanes, under each of their controllers`(columns: Int) throws {
    try place.write(Self.eventful)
    try place.expect(
      ["timeline", "history.sqlite"], "timeline-\(columns)", status: 0, columns: columns)
  }

  @Test func `a time can be looked at closer, and a session, a controller and a state chosen`()
    throws
  {
    try place.write(.clean, Self.eventful)
    try place.expect(
      ["timeline", "--session=2", "--until=+1s", "history.sqlite"], "timeline-until", status: 0)
    try place.expect(
      ["timeline", "--since=+70s", "--controller=cart", "history.sqlite"], "timeline-since",
      status: 0)
    try place.expect(
      ["timeline", "--state=alert", "history.sqlite"], "timeline-state", status: 0)
  }

  @Test func `lanes are a picture for documents`() throws {
    try place.write(Self.eventful)
    try place.expect(["timeline", "--svg", "history.sqlite"], "timeline-svg", status: 0)
  }

  @Test func `in it names from right to left are as they are, and long ones have room`() throws {
    var story = Story("תור")
    story.addController(String(repeating: "Checkout", count: 30))
    for controller: Int32 in 1...2 { story.add(.enqueued, 1, on: controller) }
    let path = try place.write(story)
    let svg = Capture(["timeline", "--svg", path]).out
    let names = svg.matches(of: /class="bold">([^<]*)</).map { String($0.1) }
    #expect(names.first == "checkout (תור)")
    #expect(names.count == 2 && names.allSatisfy { DisplayWidth.of($0) <= 80 }, "\(names)")
    // A terminal would reorder what follows.
    #expect(Capture(["timeline", path]).out.contains("checkout (\u{2068}תור\u{2069})"))
  }

  @Test(arguments: ["second-last", "dropped-presentation", "closed-alert"])
  func `what the demo records is drawn`(name: String) throws {
    _ = try Binary(["demo", "-q", "-o", "demo"], in: place.directory)
    for columns in [40, 80, 160] {
      let run = try Binary(
        ["timeline", "demo/\(name).sqlite"], in: place.directory,
        environment: ["COLUMNS": "\(columns)"])
      #expect(run.status == 0, "\(run.err)")
      let undated = run.transcript.replacing(
        #/20\d\d-[\dT:.Z-]+/#, with: "2025-10-09T08:53:20.000Z")
      try expectGolden(
        columns == 40 ? undated.replacing(#/Session 1, .*/#, with: "Session 1") : undated,
        "timeline-\(name)-\(columns)")
    }
  }

  @Test func `colors say nothing that characters do not say`() throws {
    let path = try place.write(Self.eventful)
    let plain = Capture(["timeline", path])
    let colored = Capture(["timeline", "--color=always", path])
    #expect(colored.out.contains("\u{1b}[1;31m"))
    #expect(colored.out.replacing(#/\u{1b}\[[0-9;]*m/#, with: "") == plain.out)
    #expect(Capture(["timeline", "--color=never", path], hasColor: true).out == plain.out)
  }

  @Test(arguments: [20, 33, 80, 300])
  func `no line is broader than the terminal, whatever states are called`(columns: Int) throws {
    var story = Story(
      "queue",
      states: ["日本語の状態", "\u{1b}[31mred\u{7}\u{202e}", "שלום", "a\u{301}🙂 long name of a state"])
    for visit in UInt32(1)...4 {
      let asked = story.add(.enqueued, visit)
      story.add(.entering, visit, cause: asked)
    }
    story.note("\u{1b}]0;title\u{7} and so on")
    let path = try place.write(story)
    for verb in [["timeline"], ["play"]] {
      let run = Capture(verb + [path], width: columns)
      #expect(run.status == .done)
      for line in run.out.split(separator: "\n") {
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202e })
        let shown = line.replacing("\u{2068}", with: "").replacing("\u{2069}", with: "")
        #expect(DisplayWidth.of(String(shown)) <= columns, "\(line)")
      }
    }
  }

  @Test func `of very many visits the last are drawn, and those with findings before them`() throws
  {
    var story = Story("mine")
    for visit in UInt32(1)...1_000 {
      let asked = story.add(.enqueued, visit)
      if visit == 500 { story.add(.exiting, visit, cause: asked) }
      story.add(.entering, visit, cause: asked)
      story.add(.entered, visit)
      story.add(.exiting, visit)
      story.add(.exited, visit)
    }
    let path = try place.write(story)
    let run = Capture(["timeline", "--limit=5", path])
    #expect(run.status == .done)
    let labels = run.out.split(separator: "\n").filter { $0.hasPrefix("  #") }
      .map { $0.split(separator: " ")[0] }
    #expect(labels == ["#500", "#997", "#998", "#999", "#1000"])
    #expect(run.err.hasPrefix("Note: 5 of 1,000 visits of session 1 are drawn"))
    #expect(
      Capture(["timeline", "--limit=0", "-q", path]).out.split(separator: "\n").count > 1_000)
  }

  @Test func `what is not recorded any more, and what is not known after a gap, is drawn as such`()
    throws
  {
    var story = Story()
    story.addController("cart")
    for controller in Int32(1)...2 {
      let asked = story.add(.enqueued, 1, on: controller)
      story.add(.entering, 1, cause: asked, on: controller)
      story.add(.entered, 1, on: controller)
    }
    story.add(.detached, on: 1)
    story.lose(3)
    for _ in 1...4 { story.note("on") }
    let path = try place.write(story)
    let lines = Capture(["timeline", path], width: 120).out.split(separator: "\n")
    let lanes = lines.filter { $0.hasPrefix("  #1") }
    #expect(lanes.count == 2)
    #expect(lanes.first?.last == "|", "\(lines)")
    #expect(lanes.last?.hasSuffix(":::") == true, "\(lines)")
    #expect(
      lines.suffix(2).joined(separator: " ").contains("| not recorded any more, : not known"),
      "\(lines)")
  }

  @Test(arguments: [0, 70, 10_500]) func `no two times above the lanes say the same`(
    seconds: Int64
  ) throws {
    var story = Story()
    story.wait(seconds: seconds)
    for visit in UInt32(1)...4 { story.add(.enqueued, visit) }
    let path = try place.write(story)
    let run = Capture(["timeline", "--since=+\(seconds)s", path], width: 160)
    let ruler = run.out.split(separator: "\n").first { $0.contains("+") } ?? ""
    let times = ruler.split(separator: " ")
    #expect(times.count > 2 && Set(times).count == times.count, "\(run.out)")
  }

  @Test func `a visit is marked as stuck even if its last event is the last of all`() throws {
    var story = Story()
    let asked = story.add(.enqueued, 1)
    story.add(.entering, 1, cause: asked)
    let path = try place.write(story)
    for width in [20, 80] {
      let run = Capture(["timeline", path], width: width)
      #expect(run.out.contains("#\n"), "\(run.out)")
      #expect(run.out.contains("# stuck at the end"), "\(run.out)")
    }
  }

  @Test func `idle time that has no room for its length is marked, and its length is said below`()
    throws
  {
    var story = Story("mine")
    for visit in UInt32(1)...12 {
      story.add(.enqueued, visit)
      story.add(.entering, visit)
      story.wait(seconds: 20 + Int64(visit))
    }
    let run = Capture(["timeline", try place.write(story)], width: 60)
    #expect(run.out.contains("// idle time of 21.0s to 31.0s."), "\(run.out)")
    let ruler = run.out.split(separator: "\n").prefix(4).joined()
    #expect(ruler.split(separator: "/").count > 5, "\(run.out)")
  }

  /// The signs that stand in a picture, but not the letters of findings.
  private func signs(_ picture: String) -> Set<Character> {
    var signs: Set<Character> = []
    for line in picture.split(separator: "\n") {
      if let lane = line.firstMatch(of: #/^  #\d+ [a-d](?: +(.*))?$/#) {
        signs.formUnion(lane.1 ?? "")
      } else if let notes = line.firstMatch(of: #/^  marks +(.*)$/#) {
        signs.formUnion(notes.1.filter { "*%".contains($0) })
      } else if line.contains("/"), line.hasPrefix("    ") {
        signs.insert("/")
      }
    }
    return signs.filter { $0 != " " && !$0.isUppercase }
  }

  @Test(arguments: UInt64(0)..<30)
  func `the legend explains what stands in the picture and no more`(
    seed: UInt64
  ) throws {
    var random = Generator(state: seed)
    var story = Story("mine", states: ["a", "b", "c", "d"])
    let kinds: [EventKind] = [
      .enqueued, .entering, .entered, .exiting, .exited, .discarded, .stray, .cancelled, .deadline,
      .resumed,
    ]
    for _ in 0..<4 + random.below(40) {
      switch random.below(12) {
      case 0: story.note("")
      case 1: story.wait(seconds: Int64(random.below(90)))
      case 2 where random.below(4) == 0: story.lose(2)
      default:
        story.add(kinds[Int(random.below(UInt64(kinds.count)))], UInt32(1 + random.below(6)))
      }
    }
    let path = try place.write(story)
    for (width, more) in [(20, []), (33, []), (80, []), (80, ["--since=+0.1s", "--until=+30s"])] {
      let out = Capture(["timeline", path] + more, width: width).out
      let parts = out.split(separator: "\n\n")
      let told = Set(
        (parts.dropFirst().last ?? "").replacing("\n", with: " ")
          .split(separator: ", ").compactMap(\.first))
      #expect(told == signs(String(parts.first ?? "")), "seed \(seed): \(out)")
      // Each letter can be found, and each that is found is explained.
      let letters = Set(
        (parts.first ?? "").matches(of: #/(?m)^  #\d+ [a-d](.*)$/#)
          .flatMap(\.1).filter(\.isUppercase))
      let explained = Set(out.matches(of: #/(?m)^  ([A-Z]) /#).compactMap(\.1.first))
      #expect(letters == explained, "seed \(seed): \(out)")
    }
  }

  @Test func `a sign that a letter hides is not explained`() throws {
    var story = Story("mine")
    let asked = story.add(.enqueued, 1)
    story.add(.entering, 1, cause: asked)
    story.add(.exiting, 1)
    story.add(.exited, 1)
    let out = Capture(["timeline", try place.write(story)]).out
    #expect(out.contains(#/#1 loading +\?\.+>-+A~+\]\n/#), "\(out)")
    #expect(
      out.hasSuffix(
        "\n\n? requested, . waits, > told to enter, - entering, ~ exiting, ] exited.\n"), "\(out)")
  }

  @Test func `what cannot be drawn is said`() throws {
    let path = try place.write(.clean)
    let late = Capture(["timeline", "--since=+9s", path])
    #expect(late.status == .done)
    #expect(late.out == "" && late.err == "There is no such visit in that time.\n")
    for times in [["--since=+2s", "--until=+1s"], ["--since=1m", "--until=2m"]] {
      let run = Capture(["timeline", path] + times)
      #expect(run.status == .usage)
      #expect(run.err.hasPrefix("Error: '--since' is after '--until': nothing is in between.\n"))
    }
    // Which of the two is later is known only from the history.
    let mixed = Capture(["timeline", "--since=0s", "--until=2025-10-09", path])
    #expect(mixed.status == .done && mixed.out == "")
    let writer = try HistoryWriter(path: place.path("none.sqlite"))
    try writer.close()
    for verb in ["timeline", "play"] {
      #expect(Capture([verb, place.path("none.sqlite")]).err == "There is no session.\n")
      #expect(Capture([verb, place.path("nowhere")]).status == .noInput)
      #expect(Capture([verb, "--session=9", path]).status == .usage)
      #expect(
        Capture([verb, "--controller=checkuot", path]).err.contains("Did you mean 'checkout'?"))
    }
  }
}
