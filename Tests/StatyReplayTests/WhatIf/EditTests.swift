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
      insert after 7: alert: sold out
      """)
    #expect(
      edits == [
        .skip(12), .delay(14, 50_000), .delay(15, 1_500_000),
        .insert(after: 7, state: "alert: sold out"),
      ])
  }

  @Test func `an edit reads back as it is written`() throws {
    let edits: [Edit] = [
      .skip(1), .delay(2, 50_000), .delay(3, 1), .insert(after: 4, state: "alert"),
    ]
    #expect(try Edit.script(edits.map(\.description).joined(separator: "\n")) == edits)
  }

  @Test(arguments: [
    ("move 3", "'move' is no edit. There are 'skip', 'delay' and 'insert'."),
    ("skip", "'' is not the number of an event. Write 'skip 12'."),
    ("skip -1", "'-1' is not the number of an event. Write 'skip 12'."),
    ("skip 1 2", "'1 2' is not the number of an event. Write 'skip 12'."),
    ("delay 3", "'3' is not an event and a time. Write 'delay 12=50ms'."),
    ("delay 3=50", "'3=50' is not an event and a time. Write 'delay 12=50ms'."),
    ("delay 3=1e9h", "'3=1e9h' is not an event and a time. Write 'delay 12=50ms'."),
    ("insert 3: alert", "'3: alert' is not a place and a state. Write 'insert after 12: alert'."),
    ("insert after 3:", "'after 3:' is not a place and a state. Write 'insert after 12: alert'."),
  ])
  func `a line that is no edit is told with its number`(_ line: String, _ message: String) {
    #expect(throws: EditError(line: 2, message: message)) {
      try Edit.script("# first\n\(line)\nskip 4")
    }
    #expect(EditError(line: 2, message: message).description == "Line 2: \(message)")
  }
}
