import CFaults
import CSQLite
import Foundation
import StatySQLite
import Testing

/// What Apple's SQLite needs, which is built with other options.
///
/// Each test has its own process, because the options are valid for a whole process.
@Suite("Apple's SQLite")
struct AppleTests {
  @Test("a file system that keeps logs is told to remove them at the last close")
  func log() async throws {
    await #expect(processExitsWith: .success) {
      keepLogsAfterClose()
      let directory = try TemporaryDirectory()
      // Without the setting, the logs are kept.
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

  @Test("a library that does not count its memory can be told to, and the limit holds")
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

/// Makes SQLite keep logs after the last close, as Apple's does.
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
