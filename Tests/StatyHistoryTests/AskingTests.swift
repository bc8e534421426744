import StatisticsOracle
import Testing

@testable import StatyHistory

@Suite("Who asked and with which object")
struct AskingTests {
  @Test(arguments: [UInt64](1...20))
  func `every mixture of details is read as it was stored`(seed: UInt64) throws {
    let many = ManyDetails(seed: seed)
    let history = try TemporaryHistory()
    try history.write(many.write)
    #expect(try history.details() == many.details, "seed \(seed)")
    #expect(try history.damage() == nil, "seed \(seed)")
    try history.write { try $0.reseal(session: 1) }
    #expect(try history.damage() == nil, "seed \(seed)")
  }

  @Test func `a changed, missing or invented row is noticed`() throws {
    let many = ManyDetails(seed: 3)
    let asked = try #require(many.details.first { $0.hasAsking }).seq
    let silent = try #require(
      many.rows.first { row in !many.details.contains { $0.seq == row.seq } }
    )
    .seq
    for edit in [
      "UPDATE asking SET origin = coalesce(origin, 0) + 1 WHERE seq = \(asked)",
      "UPDATE asking SET instance = coalesce(instance, 0) + (1 << 32) WHERE seq = \(asked)",
      "DELETE FROM asking WHERE seq = \(asked)",
      "INSERT INTO asking VALUES (\(silent), 1, NULL)",
      "INSERT INTO asking VALUES (\(many.rows.count + 1), 1, NULL)",
    ] {
      let history = try TemporaryHistory()
      try history.write(many.write)
      try history.tamper(edit)
      #expect(try history.damage() != nil, "\(edit)")
    }
  }

  @Test func `it goes with its session`() throws {
    let history = try TemporaryHistory()
    try history.write(ManyDetails(seed: 4).write)
    try history.write { try $0.remove(session: 1) }
    #expect(try history.query("SELECT count(*) FROM asking") == ["0"])
  }
}
