import Staty
import StatyHistory
import Testing

@Suite("The vocabulary")
struct VocabularyTests {
  @Test("kinds keep the numbers and names that files hold")
  func kinds() {
    let names = [
      "attached", "detached", "enqueued", "entering", "entered", "exiting", "exited", "discarded",
      "stray", "cancelled", "deadline", "resumed", "mark", "lost", "calling", "stood",
      "moved", "received", "sent",
    ]
    #expect(EventKind.allCases.map(\.text) == names)
    #expect(EventKind.allCases.map(\.rawValue) == Array(1...19))
    for kind in EventKind.allCases { #expect(EventKind(text: kind.text) == kind) }
    #expect(EventKind(text: "gone") == nil)
  }

  @Test("reasons are numbered from 1 for each kind and found again by their numbers")
  func reasons() {
    for (kind, reasons) in Dictionary(grouping: EventReason.all, by: \.kind) {
      #expect(reasons.map(\.code) == (1...UInt8(reasons.count)).map { $0 })
      for reason in reasons { #expect(EventReason(kind: kind, code: reason.code) == reason) }
      #expect(Set(reasons.map(\.text)).count == reasons.count)
    }
    #expect(EventReason(kind: .entering, code: 1) == nil)
    #expect(EventReason(kind: .stray, code: 5) == nil)
  }

  @Test("a deadline's code follows from what was being done and the recovery")
  func deadlines() {
    #expect(EventReason.enteringReport.code == DeadlineRecovery.report.rawValue)
    #expect(EventReason.exitingSkip.code == 3 + DeadlineRecovery.skip.rawValue)
  }

  @Test("the view `history` spells kinds and reasons as they are spelt here")
  func view() throws {
    let history = try TemporaryHistory()
    var rows: [EventRow] = []
    for kind in EventKind.allCases {
      for code in UInt8(0)...7 {
        rows.append(EventRow(seq: Int64(rows.count + 1), time: 0, kind: kind, reason: code))
      }
    }
    try history.write { writer in
      _ = try writer.beginSession(.test())
      try writer.append(rows)
    }
    let expected = rows.map { row in
      let kind = EventKind(rawValue: row.kind)!
      return "\(kind.text)|\(EventReason(kind: kind, code: row.reason)?.text ?? "")"
    }
    #expect(try history.query("SELECT kind, reason FROM history ORDER BY seq") == expected)
  }
}
