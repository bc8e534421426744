import CSQLite
import StatySQLite
import Testing

/// A guard that limits what a connection compiles and how long it runs.
@Suite struct StatementGuardTests {
  private let connection: Connection

  init() throws {
    connection = try Connection()
    try connection.execute(
      "CREATE TABLE t(a); INSERT INTO t VALUES (1); CREATE VIEW v AS SELECT a FROM t")
  }

  private func asked(_ sql: String) throws -> [StatementAction] {
    final class Heard { var actions: [StatementAction] = [] }
    let heard = Heard()
    let watch = StatementGuard(
      connection,
      isAllowed: { action in
        heard.actions.append(action)
        return true
      }, mayGoOn: { true })
    defer { watch.lift() }
    _ = try connection.prepare(sql)
    return heard.actions
  }

  @Test func `a guard is asked for each action of a statement`() throws {
    #expect(
      try asked("SELECT max(a) FROM t") == [
        .select, .function("max"), .read(table: "t", column: "a", view: nil),
      ])
    #expect(try asked("SELECT a FROM v").contains(.read(table: "t", column: "a", view: "v")))
    for sql in [
      "DELETE FROM t", "CREATE TABLE u(a)", "ATTACH ':memory:' AS x", "PRAGMA user_version",
      "BEGIN",
    ] {
      #expect(try asked(sql).contains(.other), "\(sql)")
    }
  }

  @Test func `an action that is not allowed is not compiled, until the guard is lifted`() throws {
    let watch = StatementGuard(connection, isAllowed: { $0 == .select }, mayGoOn: { true })
    let error = #expect(throws: SQLiteError.self) { try connection.prepare("SELECT a FROM t") }
    #expect(error?.code == ResultCode(rawValue: SQLITE_AUTH))
    watch.lift()
    #expect(try connection.prepare("SELECT a FROM t").step())
  }

  @Test func `a statement that never ends is stopped`() throws {
    final class Count { var asked = 0 }
    let count = Count()
    let watch = StatementGuard(
      connection, isAllowed: { _ in true },
      mayGoOn: {
        count.asked += 1
        return count.asked < 3
      })
    defer { watch.lift() }
    let endless = try connection.prepare(
      "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT sum(n) FROM c")
    let error = #expect(throws: SQLiteError.self) { try endless.step() }
    #expect(error?.code == .interrupted)
    #expect(count.asked == 3)
  }

  @Test func `a released guard has no effect`() throws {
    do { _ = StatementGuard(connection, isAllowed: { _ in false }, mayGoOn: { false }) }
    #expect(try connection.prepare("SELECT a FROM t").step())
    let watch = StatementGuard(connection, isAllowed: { _ in true }, mayGoOn: { true })
    try connection.close()
    watch.lift()
  }

  @Test func `the place of an error is in bytes, if SQLite reports it`() throws {
    #expect(throws: SQLiteError.self) { try connection.prepare("SELECT 'é', nothing FROM t") }
    if let offset = connection.errorOffset { #expect(offset == 13) }
    #expect(try connection.prepare("SELECT a FROM t").parameterName(at: 1) == nil)
    #expect(try connection.prepare("SELECT :a, ?").parameterName(at: 1) == ":a")
  }
}
