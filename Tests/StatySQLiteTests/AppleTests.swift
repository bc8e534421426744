import CFaults
import CSQLite
import Foundation
import StatySQLite
import Testing

/// What is needed where SQLite is Apple's, which is built with other options; each in a process of its own,
/// as the options hold for all of one.
@Suite("Apple's SQLite")
struct AppleTests {
  @Test("what keeps its log when the last connection closes is told not to")
  func log() async throws {
    await #expect(processExitsWith: .success) {
      keepLogsAfterClose()
      let directory = try TemporaryDirectory()
      // So they are kept if nothing is done about it.
      var handle: OpaquePointer?
      sqlite3_open(directory.file("kept.db"), &handle)
      sqlite3_exec(handle, "PRAGMA journal_mode = WAL; CREATE TABLE t(a)", nil, nil, nil)
      sqlite3_close(handle)
      let kept = try directory.names
      precondition(kept == ["kept.db", "kept.db-shm", "kept.db-wal"])
      let writer = try Connection(path: directory.file("kept.db"), mode: .readWrite)
      try writer.configureForWriting()
      try writer.execute("INSERT INTO t VALUES (1)")
      try writer.close()
      let left = try directory.names
      precondition(left == ["kept.db"])
    }
  }

  @Test("what does not count its memory does so once it is told, and the limit holds")
  func memory() async throws {
    await #expect(processExitsWith: .success) {
      precondition(staty_faults_count_no_memory() == SQLITE_OK)
      Connection.countMemory()
      let connection = try Connection()
      Connection.limitMemory(bytes: 10_000_000)
      let error = try sqliteError { try connection.execute("SELECT randomblob(50000000)") }
      precondition(error.code == .outOfMemory)
    }
  }
}

/// Opens databases as Apple's SQLite does, which keeps their logs unless told otherwise.
private func keepLogsAfterClose() {
  // SQLite keeps the pointer for as long as the process runs.
  let files = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
  files.initialize(to: sqlite3_vfs_find("unix").pointee)
  files.pointee.zName = UnsafePointer(strdup("keeping"))
  files.pointee.xOpen = { _, name, file, flags, held in
    let unix = sqlite3_vfs_find("unix")!
    let code = unix.pointee.xOpen(unix, name, file, flags, held)
    if code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let file {
      var keepsLog: Int32 = 1
      _ = file.pointee.pMethods.pointee.xFileControl(
        file, SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
    }
    return code
  }
  precondition(sqlite3_vfs_register(files, 1) == SQLITE_OK)
}
