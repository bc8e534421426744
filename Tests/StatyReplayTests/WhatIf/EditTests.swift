import StatyReplay
import Testing

/// Edits as people write them.
@Suite struct EditTests {
  @Test func `a script has an edit a line`() throws {
    let edits = try Edit.script(
      """
      # The alert comes later.
      skip 12
        delay 14 = 50ms

      delay 15=1.5s
      delay 17=1m30s
      finish 16
      insert after 7: alert: sold out
      """)
    #expect(
      edits == [
        .skip(12), .delay(14, 50_000), .delay(15, 1_500_000), .delay(17, 90_000_000), .finish(16),
        .insert(after: 7, state: "alert: sold out"),
      ])
  }

  @Test func `an edit reads back as it is written`() throws {
    let edits: [Edit] = [
      .skip(1), .delay(2, 50_000), .delay(3, 1), .finish(4), .insert(after: 4, state: "alert"),
      // A combining character forms one character with the blank before it.
      .insert(after: 5, state: "\u{353}alert"),
    ]
    #expect(try Edit.script(edits.map(\.description).joined(separator: "\n")) == edits)
  }

  @Test(
    arguments: [
      (
        "move 3", .unknownEdit("move"),
        "'move' is no edit. There are 'skip', 'delay', 'finish' and 'insert'."
      ),
      ("skip", .noNumber("skip", ""), "'' is not the number of an event. Write 'skip 12'."),
      ("skip -1", .noNumber("skip", "-1"), "'-1' is not the number of an event. Write 'skip 12'."),
      (
        "skip 1 2", .noNumber("skip", "1 2"),
        "'1 2' is not the number of an event. Write 'skip 12'."
      ),
      (
        "finish x", .noNumber("finish", "x"),
        "'x' is not the number of an event. Write 'finish 12'."
      ),
      ("delay 3", .noDelay("3"), "'3' is not an event and a time. Write 'delay 12=50ms'."),
      ("delay 3=50", .noDelay("3=50"), "'3=50' is not an event and a time. Write 'delay 12=50ms'."),
      (
        "delay 3=8761h", .tooLong("3=8761h"),
        "'3=8761h' is a time that is not between 0 and 365 days."
      ),
      (
        "delay 3=1e9h", .noDelay("3=1e9h"),
        "'3=1e9h' is not an event and a time. Write 'delay 12=50ms'."
      ),
      (
        "insert 3: alert", .noInsertion("3: alert"),
        "'3: alert' is not a place and a state. Write 'insert after 12: alert'."
      ),
      (
        "insert after 3:", .noInsertion("after 3:"),
        "'after 3:' is not a place and a state. Write 'insert after 12: alert'."
      ),
    ] as [(String, EditError, String)])
  func `a line that is no edit is told with its number`(
    _ line: String, _ error: EditError, _ message: String
  ) {
    #expect(throws: EditError.inLine(2, error)) {
      try Edit.script("# first\n\(line)\nskip 4")
    }
    #expect(EditError.inLine(2, error).description == "Line 2: \(message)")
    #expect(error.isMalformed)
  }

  @Test func `a year is the longest that an edit may be about`() throws {
    #expect(try Edit.delay("3=365d") == .delay(3, Edit.longest))
    #expect(throws: EditError.tooLong("3=365.1d")) { try Edit.delay("3=365.1d") }
    let history = try RecordedHistory(ClockedStory.three)
    for time in [-1, Edit.longest + 1, .max] {
      #expect(throws: EditError.tooLong("\(Edit.delay(3, time))")) {
        try history.whatIf(edits: [.delay(3, time)])
      }
      #expect(throws: EditError.assumptionTooLong(microseconds: time)) {
        try history.whatIf(assuming: time)
      }
    }
  }
}
