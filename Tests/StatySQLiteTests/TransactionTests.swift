import Foundation
import StatySQLite
import Testing

@Suite("Transactions")
struct TransactionTests {
  struct Mishap: Error {}

  let connection: Connection

  init() throws {
    connection = try Connection()
    try connection.execute("CREATE TABLE t(a UNIQUE)")
  }

  private func insert(_ value: Int) throws {
    try connection.execute("INSERT INTO t VALUES (\(value))")
  }

  private var values: [Int64] {
    get throws {
      let rows = try connection.prepare("SELECT a FROM t ORDER BY a")
      var values: [Int64] = []
      while try rows.step() { values.append(rows.int64(at: 0)) }
      return values
    }
  }

  @Test(
    "a transaction commits when its body returns, and returns the result",
    arguments: [TransactionKind.deferred, .immediate])
  func commits(kind: TransactionKind) throws {
    let answer = try connection.transaction(kind) {
      try insert(1)
      #expect(connection.isInTransaction)
      return 42
    }
    #expect(answer == 42)
    #expect(!connection.isInTransaction)
    #expect(try values == [1])
  }

  @Test("a transaction rolls back when its body throws, and throws the error")
  func rollsBack() throws {
    #expect(throws: Mishap.self) {
      try connection.transaction {
        try insert(1)
        throw Mishap()
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try values.isEmpty)
  }

  @Test("a failure that has already rolled back is not hidden by a second rollback")
  func rolledBackAlready() throws {
    try insert(1)
    let error = try sqliteError {
      try connection.transaction { try connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)") }
    }
    #expect(error.code == .constraint)
    #expect(!connection.isInTransaction)
  }

  @Test("a commit that fails is rolled back")
  func failingCommit() throws {
    try connection.execute(
      """
      PRAGMA foreign_keys = 1;
      CREATE TABLE child(a REFERENCES t(a) DEFERRABLE INITIALLY DEFERRED)
      """)
    let error = try sqliteError {
      try connection.transaction { try connection.execute("INSERT INTO child VALUES (9)") }
    }
    #expect(error.code == .constraint)
    #expect(error.sql == "COMMIT")
    #expect(!connection.isInTransaction)
    #expect(try connection.integer("SELECT count(*) FROM child") == 0)
  }

  @Test("a transaction inside a transaction is an error and undoes the outer one")
  func nested() throws {
    let error = try sqliteError {
      try connection.transaction {
        try insert(1)
        try connection.transaction { try insert(2) }
      }
    }
    #expect(error.message == "cannot start a transaction within a transaction")
    #expect(try values.isEmpty)
  }

  @Test("a savepoint undoes only its own changes, at any depth")
  func savepoints() throws {
    try connection.transaction {
      try insert(1)
      try connection.savepoint {
        try insert(2)
        #expect(throws: Mishap.self) {
          try connection.savepoint {
            try insert(3)
            throw Mishap()
          }
        }
        try connection.savepoint { try insert(4) }
      }
    }
    #expect(try values == [1, 2, 4])
  }

  @Test("a savepoint outside of a transaction is a transaction")
  func loneSavepoint() throws {
    try connection.savepoint { try insert(1) }
    #expect(throws: Mishap.self) {
      try connection.savepoint {
        try insert(2)
        throw Mishap()
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try values == [1])
  }

  @Test(
    "a lock held by another connection is reported as busy after the timeout",
    arguments: [true, false])
  func locked(looksOften: Bool) throws {
    let directory = try TemporaryDirectory()
    let first = try Connection(path: directory.file("a"), mode: .readWriteCreate)
    try first.configureForWriting()
    try first.execute("CREATE TABLE t(a)")
    let second = try Connection(path: directory.file("a"), mode: .readWrite)
    try second.configureForWriting()
    if looksOften {
      second.setShortBusyTimeout(milliseconds: 20)
    } else {
      second.setBusyTimeout(milliseconds: 20)
    }
    let error = try first.transaction {
      try sqliteError { try second.transaction { try second.execute("INSERT INTO t VALUES (1)") } }
    }
    #expect(error.code == .busy)
    #expect(error.path == directory.file("a"))
    #expect(error.sql == "BEGIN IMMEDIATE")
    try second.transaction { try second.execute("INSERT INTO t VALUES (1)") }
    #expect(try first.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func `a connection that checks often gets the lock when it is released`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a")
    let holder = try Connection(path: path, mode: .readWriteCreate)
    try holder.configureForWriting()
    try holder.execute("CREATE TABLE t(a)")
    nonisolated(unsafe) let second = try Connection(path: path, mode: .readWrite)
    try second.configureForWriting()
    second.setShortBusyTimeout(milliseconds: 60_000)
    try holder.execute("BEGIN IMMEDIATE")
    let isDone = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var outcome: Result<Void, any Error>?
    Thread.detachNewThread {
      outcome = Result {
        try second.transaction { try second.execute("INSERT INTO t VALUES (1)") }
      }
      isDone.signal()
    }
    Thread.sleep(forTimeInterval: 0.02)
    try holder.execute("COMMIT")
    isDone.wait()
    try #require(outcome).get()
    #expect(try holder.integer("SELECT count(*) FROM t") == 1)
  }
}
