import Foundation
import StatySQLite
import Testing

@Suite("Checkpoints")
struct CheckpointTests {
  let directory: TemporaryDirectory
  let writer: Connection

  init() throws {
    directory = try TemporaryDirectory()
    writer = try Connection(path: directory.file("a.db"), mode: .readWriteCreate)
    try writer.configureForWriting()
    try writer.execute("CREATE TABLE t(a)")
  }

  @Test("the log grows with each commit and never shrinks by itself")
  func logGrows() throws {
    var last = writer.framesInLog
    #expect(last > 0)
    for _ in 0..<1_200 {
      try writer.transaction { try writer.execute("INSERT INTO t VALUES (zeroblob(3000))") }
      #expect(writer.framesInLog > last)
      last = writer.framesInLog
    }
    #expect(last > 1_000)
    #expect(try directory.bytes("a.db-wal").count == 32 + last * (24 + 4_096))
  }

  @Test("a checkpoint reports how much was copied, and truncate empties the log")
  func counts() throws {
    let frames = writer.framesInLog
    #expect(try writer.checkpoint(.passive) == (frames, frames))
    #expect(try writer.checkpoint(.truncate) == (0, 0))
    #expect(try directory.bytes("a.db-wal").isEmpty)
    #expect(try Connection().checkpoint(.passive) == (-1, -1))
  }

  @Test("a reader limits a checkpoint: passive copies less, truncate is busy")
  func reader() throws {
    let reader = try Connection(path: directory.file("a.db"), mode: .readOnly)
    try reader.transaction(.deferred) {
      #expect(try reader.integer("SELECT count(*) FROM t") == 0)
      try writer.execute("INSERT INTO t VALUES (1)")
      let (frames, copied) = try writer.checkpoint(.passive)
      #expect(copied < frames)
      writer.setBusyTimeout(milliseconds: 10)
      #expect(try sqliteError { try writer.checkpoint(.truncate) }.code == .busy)
      #expect(try reader.integer("SELECT count(*) FROM t") == 0)
    }
    try writer.checkpoint(.truncate)
    #expect(try reader.integer("SELECT count(*) FROM t") == 1)
  }

  @Test("inside a transaction, a checkpoint is refused")
  func inTransaction() throws {
    let error = try writer.transaction { () throws -> SQLiteError in
      try writer.execute("INSERT INTO t VALUES (1)")
      return try sqliteError { try writer.checkpoint(.passive) }
    }
    #expect(error.code == .locked)
  }
}
