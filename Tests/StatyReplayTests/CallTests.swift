import Staty
import StatyHistory
import StatyReplay
import Testing

/// The calls around events: short texts of recordings, and whether a run can make them.
///
/// A line is an event: its controller, its kind and its visit. After `<` comes the event around it,
/// with an `h` if observers were told of that event then, and after `^` the event that it was
/// decided about, if that is another. Lines are counted from 1.
@Suite struct CallTests {
  /// A recording as a run makes it.
  struct Recording: CustomTestStringConvertible {
    let testDescription: String
    /// The line of an output that cannot change places with the one behind it.
    let fixed: Int?
    let events: String

    init(_ name: String, fixed: Int? = nil, _ events: String) {
      (testDescription, self.fixed, self.events) = (name, fixed, events)
    }
  }

  static let recordings: [Recording] = [
    Recording(
      "what is heard late is heard in what was on its way",
      """
      a attached
      b attached
      a enqueued 1
      a entering 1 <3
      b enqueued 1 <4
      a enqueued 2 <5h
      a enqueued 3 <6h
      b enqueued 2 <7h
      b enqueued 3 <5h
      b enqueued 4 <8h
      b entering 1 <5
      """),
    Recording(
      "a tear-down that another one led to", fixed: 7,
      """
      a attached
      b attached
      a enqueued 1
      a cancelled <0 tear-down
      b enqueued 1 <4h
      b cancelled <4h tear-down
      b discarded 1 <6 torn-down
      a discarded 1 <4 torn-down
      """),
    Recording(
      "what comes of a tear-down at rest", fixed: 10,
      """
      a attached
      b attached
      a enqueued 1
      a entering 1 <3
      a enqueued 2
      a cancelled <0 tear-down
      a discarded 1 <6 torn-down
      b enqueued 1 <7h
      b cancelled <7h tear-down
      b discarded 1 <9 torn-down
      a discarded 2 <6 torn-down
      """),
    Recording(
      "what was asked for when a tear-down was heard of", fixed: 8,
      """
      a attached
      b attached
      b enqueued 1
      a enqueued 1 <3h
      a cancelled <3h tear-down
      a discarded 1 <5 torn-down
      a enqueued 2 <6h
      a discarded 2 <7 torn-down
      b entering 1 <3
      """),
    Recording(
      "what was heard late of one that then went on", fixed: 7,
      """
      a attached
      b attached
      a enqueued 1
      a enqueued 2 <3h
      a cancelled <4h tear-down
      b enqueued 1 <4h
      b entering 1 <6
      a discarded 1 <3 ^5 torn-down
      a discarded 2 <3 ^5 torn-down
      """),
    Recording(
      "work goes on in what observers do about a tear-down",
      """
      a attached
      b attached
      c attached
      b enqueued 1
      b entering 1 <4
      b entered 1 <5
      c enqueued 1
      b enqueued 2 <7h
      c exited 1 <8h
      b cancelled <7h tear-down
      c enqueued 2 <10h
      b discarded 1 <10 torn-down
      b discarded 2 <10 torn-down
      c entering 2 <7 ^11
      b stray 2 <14 entered
      a enqueued 1 <15h
      a entering 1 <16
      a enqueued 2 <17
      c stray 1 <17 entered
      a entered 1 <17
      a exiting 1 <16 ^20
      b enqueued 3 <21
      a exited 1 <21
      c enqueued 3 <23h
      a entering 2 <16 ^23
      c stray 1 <25h entered
      a enqueued 3 <25
      c enqueued 4 <22h
      a entered 2 <28h
      a exiting 2 <29
      a exited 2 <30
      a entering 3 <29 ^31
      b stray 1 <32h exited
      b discarded 3 <15 ^22 torn-down
      """),
  ]

  @Test(arguments: recordings)
  func `a recording that a run makes is reproduced`(_ recording: Recording) throws {
    let result = try replay(recording.events)
    #expect(result.verdict == .reproduced, "\(result)")
  }

  @Test(arguments: recordings.filter { $0.fixed != nil })
  func `one that no run makes is not`(_ recording: Recording) throws {
    var lines = recording.events.split(separator: "\n")
    let fixed = try #require(recording.fixed)
    lines.swapAt(fixed - 1, fixed)
    let result = try replay(lines.joined(separator: "\n"))
    #expect(result.divergences.isEmpty, "each controller for itself did what it does: \(result)")
    #expect(result.doubts.contains { if case .misplaced = $0 { true } else { false } })
  }

  private func replay(_ events: String) throws -> ReplayResult {
    let lines = events.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    let snapshot = """
      {"isTornDown": false, "isWithholding": false, "lastVisit": 0, "standing": [], "waiting": []}
      """
    var log = [
      #"{"format": "staty-history", "version": 1, "sessions": 1}"#,
      #"{"type": "session", "session": 1, "uuid": "u", "app": "x", "wall_us": 1, "first_seq": 1}"#,
    ]
    for name in Set(lines.map { $0[0] }).sorted() {
      log.append(
        """
        {"type": "controller", "controller": "\(name)", "policy": "queue", "fidelity": "full", \
        "snapshot": \(snapshot)}
        """)
    }
    for (place, words) in lines.enumerated() { log.append(line(place + 1, words)) }
    log.append(#"{"type": "end", "ended": "clean", "events": \#(lines.count)}"#)
    return try RecordedHistory(log.joined(separator: "\n") + "\n").verify()
  }

  private func line(_ seq: Int, _ words: [String]) -> String {
    var fields = [
      #""seq": \#(seq), "t_us": 0, "thread": 1, "controller": "\#(words[0])", "kind": "\#(words[1])""#
    ]
    for word in words.dropFirst(2) {
      if word.hasPrefix("<") {
        let cause = word.dropFirst().prefix { $0 != "h" }
        if cause != "0" {
          let part = word.hasSuffix("h") ? "observed" : "handled"
          fields.append(#""inside": \#(cause), "part": "\#(part)""#)
        }
      } else if word.hasPrefix("^") {
        fields.append(#""cause": \#(word.dropFirst())"#)
      } else if Int(word) != nil {
        fields.append(#""visit": \#(word), "state": "s""#)
      } else {
        fields.append(#""reason": "\#(word)""#)
      }
    }
    return "{\(fields.joined(separator: ", "))}"
  }
}
