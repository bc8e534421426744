import Staty
import StatyCommand
import Testing

/// A changed recording without new checksums is refused.
@Suite struct UnsealedTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expectRefusal(_ statements: String, _ what: String) throws {
    try place.write(.clean, to: "\(what).sqlite")
    try place.tamper("PRAGMA foreign_keys = 0; " + statements, "\(what).sqlite")
    for verb in ["check", "replay"] {
      let run = Capture([verb, place.path("\(what).sqlite")])
      #expect(run.status == .badData, "\(verb), \(what): \(run.out)")
      #expect(run.err.contains("is damaged"), "\(verb), \(what): \(run.err)")
    }
  }

  @Test func `any event taken out, doubled, or in the place of another`() throws {
    let count = Story.clean.rows.count
    for seq in 1...count {
      try expectRefusal("DELETE FROM event WHERE seq = \(seq)", "without \(seq)")
      try expectRefusal(
        "INSERT INTO event SELECT t, what, visit, state, inside, ref, \(count + 1) "
          + "FROM event WHERE seq = \(seq)", "twice \(seq)")
      if seq == count { break }
      try expectRefusal(
        "UPDATE event SET seq = -1 WHERE seq = \(seq); "
          + "UPDATE event SET seq = \(seq) WHERE seq = \(seq + 1); "
          + "UPDATE event SET seq = \(seq + 1) WHERE seq = -1", "swapped \(seq)")
    }
  }

  @Test func `what is said of a session, changed or taken out`() throws {
    for (what, change) in [
      "end": "ended = 'open'", "killed": "ended = 'killed'", "start": "wall_us = wall_us + 1",
      "app": "app = 'Bank'", "version": "app_version = '9'", "system": "os = 'macOS'",
      "process": "pid = pid + 1", "length": "last_us = last_us * 2", "name": "uuid = 'x'",
      "first": "first_seq = 0", "last": "last_seq = last_seq - 1", "count": "stored = 3",
    ] {
      try expectRefusal("UPDATE session SET \(change)", what)
    }
    for (what, change) in [
      "no seal": "seal = NULL", "no seal and end": "seal = NULL, ended = 'killed'",
      "more drawn": "observed = observed + 5", "less text": "payloads_left_out = 3",
    ] {
      try expectRefusal("UPDATE session SET \(change)", what)
    }
    try expectRefusal("DELETE FROM session", "no session")
    try expectRefusal("DELETE FROM session; DELETE FROM event; DELETE FROM chain", "only names")
    try expectRefusal("UPDATE anchor SET wall_us = 0", "clock")
  }

  @Test func `a loss laid over what is there, or taken out`() throws {
    for seq in 1...Story.clean.rows.count {
      try expectRefusal("INSERT INTO loss VALUES (\(seq), \(seq), 1, 'lane full')", "lost \(seq)")
    }
    var story = Story.clean
    story.lose(3)
    story.add(.exiting, 3)
    try place.write(story, to: "gap.sqlite")
    #expect(Capture(["check", place.path("gap.sqlite")]).status != .badData)
    try place.tamper("DELETE FROM loss", "gap.sqlite")
    #expect(Capture(["check", place.path("gap.sqlite")]).status == .badData)
  }

  @Test func `the first, a middle or the last of several sessions taken out`() throws {
    for session in 1...3 {
      let name = "without session \(session).sqlite"
      try place.write(.clean, .overlapping(), .clean, to: name)
      try place.tamper("PRAGMA foreign_keys = 0; DELETE FROM session WHERE id = \(session)", name)
      for verb in ["check", "replay", "sessions"] {
        let run = Capture([verb, place.path(name)])
        #expect(run.status == .badData && run.err.contains("is damaged"), "\(verb): \(run.err)")
      }
    }
  }
}
