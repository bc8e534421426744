import Chance
import Foundation
import Staty
import StatyHistory
import StatyReport
import Testing

/// What `export --format chrome-trace` says, held against the history event by event.
@Suite struct ChromeTraceTests {
  private let place: Place

  init() throws { place = try Place() }

  /// Anything, in any order; half of it makes sense.
  private func story(_ seed: UInt64) -> Story {
    var (story, random) = (Story(), SeededRandom(seed: seed))
    story.addController("other", "latest")
    let kinds: [EventKind] = [
      .enqueued, .enqueued, .entering, .entered, .exiting, .exited, .discarded, .stray, .cancelled,
      .deadline, .resumed, .mark,
    ]
    for _ in 0..<120 {
      let kind = kinds.randomElement(using: &random)!
      let visit = [.resumed, .mark].contains(kind) ? 0 : UInt32.random(in: 1...20, using: &random)
      let reason: EventReason? =
        switch kind {
        case .discarded: .replaced
        case .stray: .strayExited
        case .cancelled: .cancelledVisit
        case .deadline: .enteringReport
        default: nil
        }
      let controller: Int32 = Bool.random(using: &random) ? 1 : 2
      story.add(kind, visit, reason, on: controller)
      if Int.random(in: 0..<40, using: &random) == 0 { story.lose(2) }
    }
    story.end = seed.isMultiple(of: 2) ? .killed : .clean
    return story
  }

  @Test func `a story as trace events`() throws {
    var story = Story.overlapping()
    story.lose(2)
    story.add(.stray, 1, .strayExited)
    story.add(.enqueued, 3)
    story.add(.discarded, 3, .replaced)
    story.add(.enqueued, 4)
    story.end = .killed
    try place.write(story)
    try place.expect(
      ["export", "history.sqlite", "--format=chrome-trace"], "export-chrome-trace", status: 0)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `every event is told once, and every visit is one span`(seed: UInt64) throws {
    try place.write(story(seed), story(seed + 100))
    let trace = try TraceReading(place.directory)
    let reader = try HistoryReader(path: place.path())
    var told: [Int64] = []
    for session in try reader.sessions() {
      let cursor = try reader.events(session: session.id)
      while let row = try cursor.next() { told.append(row.seq) }
    }
    #expect(trace.seqs.sorted() == told, "seed \(seed)")
    let visits = try reader.rows(ViewQuery("visits"))
    #expect(trace.spans.count == visits.count, "seed \(seed)")
    let losses = try reader.sessions().flatMap { try reader.losses(session: $0.id) }.count
    #expect(trace.lost == losses)
    let check = try Binary(["check", "history.sqlite", "--format=ndjson"], in: place.directory)
    let findings = check.out.split(separator: "\n")
    #expect(trace.findings == findings.count, "seed \(seed)")
  }

  @Test func `a span begins when a visit was requested, and ends when it has exited`() throws {
    try place.write(.clean, .overlapping())
    let trace = try TraceReading(place.directory)
    let reader = try HistoryReader(path: place.path())
    let visits = try reader.rows(ViewQuery("visits"))
    #expect(visits.count == 5)
    for visit in visits {
      guard case .integer(let session) = visit[0], case .integer(let number) = visit[2],
        case .text(let state) = visit[3], case .real(let asked) = visit[4],
        case .text(let outcome) = visit[9]
      else { throw TraceReading.Trouble() }
      let span = try #require(trace.spans.first { $0.pid == session && $0.visit == number })
      #expect(span.name == state)
      #expect(span.begin == Int64(asked * 1_000))
      #expect(span.outcome == outcome)
      if case .real(let exited) = visit[8] { #expect(span.end == Int64(exited * 1_000)) }
    }
  }

  @Test func `a span ends when recording of its controller does, and as the visits' view says`()
    throws
  {
    var story = Story()
    story.addController("other")
    for controller in Int32(1)...2 { story.add(.enqueued, 1, on: controller) }
    let end = try #require(story.rows.last).time + 10_000
    story.add(.detached, on: 1)
    story.lose(2)
    story.add(.enqueued, 2, on: 2)
    story.note("later")
    try place.write(story)
    let spans = try TraceReading(place.directory).spans
    #expect(spans.map(\.outcome) == ["open", "unknown", "open"])
    #expect(spans.map(\.end) == [end, end + 20_000, end + 20_000])
    let visits = try HistoryReader(path: place.path()).rows(ViewQuery("visits"))
    #expect(
      visits.map { $0[9] }
        == spans.map { .text($0.outcome) })
  }

  @Test func `a visit from before the recording has a span from its beginning`() throws {
    var story = Story()
    story.snapshot.lastVisit = 2
    story.add(.stood, 1, .stoodEntered)
    story.add(.stood, 2, .stoodWaiting)
    story.add(.exited, 1)
    try place.write(story)
    let spans = try TraceReading(place.directory).spans
    #expect(spans.map(\.name) == ["loading", "content"])
    #expect(spans.map(\.begin) == [20_000, 30_000])
    #expect(spans.map(\.end) == [40_000, 40_000])
    #expect(spans.map(\.outcome) == ["self-exit", "open"])
  }

  @Test
  func `a visit that a deadline forces has entered, and one told to exit keeps waiting`()
    throws
  {
    var story = Story()
    story.add(.enqueued, 1)
    story.add(.exiting, 1)
    story.add(.entering, 1)
    story.add(.deadline, 1, .enteringReport)
    story.add(.deadline, 1, .enteringForce)
    story.add(.entered, 1)
    story.add(.exiting, 1)
    try place.write(story)
    let trace = try TraceReading(place.directory)
    #expect(
      trace.told == [
        "b loading", "b waiting", "n exiting", "e waiting", "b entering",
        "n deadline (entering-report)", "e entering", "b in", "n entered", "e in", "b exiting",
        "e exiting", "e loading",
      ])
  }

  @Test func `hostile names are texts`() throws {
    var story = Story("</script>", states: HostileNames.all)
    for visit in 1...UInt32(HostileNames.all.count) { story.add(.enqueued, visit) }
    try place.write(story)
    let trace = try TraceReading(place.directory)
    #expect(trace.spans.map(\.name) == HostileNames.all)
    #expect(trace.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    #expect(!trace.text.contains("<"))
  }
}

/// A trace, read as Perfetto does: spans of one `id` are a stack.
private struct TraceReading {
  struct Trouble: Error {}

  struct Span {
    var name: String
    var pid: Int64
    var visit: Int64
    var begin: Int64
    var end: Int64 = -1
    var outcome = ""
  }

  let text: String
  private(set) var spans: [Span] = []
  private(set) var seqs: [Int64] = []
  /// What is told of visits, in order.
  private(set) var told: [String] = []
  private(set) var findings = 0
  private(set) var lost = 0
  private var open: [String: [(name: String, span: Int?)]] = [:]
  private var processes: Set<Int64> = []
  private var threads: Set<Int64> = []

  init(_ directory: String) throws {
    let run = try Binary(["export", "history.sqlite", "--format=chrome-trace"], in: directory)
    #expect(run.status == 0, "\(run.err)")
    text = run.out
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    for event in try #require(object?["traceEvents"] as? [[String: Any]]) { try take(event) }
    let left = open.values.filter { !$0.isEmpty }
    #expect(left.count == 0)
  }

  private mutating func take(_ event: [String: Any]) throws {
    let letter = try #require(event["ph"] as? String)
    let name = try #require(event["name"] as? String)
    let pid = try #require(event["pid"] as? Int64)
    let tid = try #require(event["tid"] as? Int64)
    let arguments = event["args"] as? [String: Any] ?? [:]
    if letter == "M" {
      #expect(arguments["name"] is String)
      if name == "process_name" { processes.insert(pid) } else { threads.insert(tid) }
      return
    }
    let time = try #require(event["ts"] as? Int64)
    let category = try #require(event["cat"] as? String)
    #expect(processes.contains(pid))
    #expect(tid == 0 || threads.contains(tid))
    if let seq = arguments["seq"] as? Int64, category != "finding" { seqs.append(seq) }
    if category == "finding" { findings += 1 }
    if category == "lost" { lost += 1 }
    guard letter != "i" else { return }
    let id = try #require(event["id"] as? String)
    #expect(category == "visit")
    told.append("\(letter) \(name)")
    switch letter {
    case "b":
      let visit = arguments["visit"] as? Int64
      #expect((visit == nil) == !(open[id] ?? []).isEmpty)
      open[id, default: []].append((name, visit == nil ? nil : spans.count))
      if let visit { spans.append(Span(name: name, pid: pid, visit: visit, begin: time)) }
    case "e":
      let popped = open[id]?.popLast()
      let last = try #require(popped)
      #expect(last.name == name)
      if let span = last.span {
        (spans[span].end, spans[span].outcome) = (time, arguments["outcome"] as? String ?? "")
      }
    case "n": #expect(!(open[id] ?? []).isEmpty)
    default: Issue.record("What is '\(letter)'?")
    }
  }
}
