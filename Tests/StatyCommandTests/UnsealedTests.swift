import Staty
import StatyCommand
import Testing

/// A recording that was changed, and whose checksums were not made anew, is refused.
@Suite struct UnsealedTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expectRefusal(_ statements: String, _ what: String) throws {
    try place.write(.clean, to: "\(what).sqlite")
    try place.tamper(statements, "\(what).sqlite")
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
        "INSERT INTO event SELECT \(count + 1), t, what, visit, state, back, site "
          + "FROM event WHERE seq = \(seq)", "twice \(seq)")
      if seq == count { break }
      try expectRefusal(
        "UPDATE event SET seq = -1 WHERE seq = \(seq); "
          + "UPDATE event SET seq = \(seq) WHERE seq = \(seq + 1); "
          + "UPDATE event SET seq = \(seq + 1) WHERE seq = -1", "swapped \(seq)")
    }
  }
}
