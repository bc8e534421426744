import Foundation
import StatySQLite
import Testing

@Suite("Opening a database")
struct OpeningTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(
    "opens the file of exactly that name, with any characters, in each mode",
    arguments: [
      "plain.db", "with space.db", "it's \"quoted\".db", "a?mode=memory", "100%41.db", "a#b.db",
      "a&b=c.db", "file:x.db", "file:x.db?mode=memory&immutable=1", ":memory:", "späti ☃.db", "-x",
      "a%00b", "a\\b", "new\nline.db",
      // A slash with a mark on it is a slash.
      "\u{301}a.db",
    ])
  func anyName(name: String) throws {
    let path = directory.file(name)
    let writer = try Connection(path: path, mode: .readWriteCreate)
    try writer.execute("CREATE TABLE t(a); INSERT INTO t VALUES (7)")
    try writer.close()
    #expect(try directory.names == [name])
    for mode in [OpenMode.readWrite, .readOnly, .immutable] {
      let reader = try Connection(path: path, mode: mode)
      #expect(reader.path == path)
      #expect(try reader.integer("SELECT a FROM t") == 7)
    }
  }

  @Test("a relative path starts at the working directory, even with `file:`")
  func relativePath() async throws {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      precondition(FileManager.default.changeCurrentDirectoryPath(directory.path))
      for name in ["plain.db", "file:x?mode=memory", ":memory:", "./dotted"] {
        let connection = try Connection(path: name, mode: .readWriteCreate)
        try connection.execute("CREATE TABLE t(a)")
      }
      let made = try directory.names
      #expect(made == [":memory:", "dotted", "file:x?mode=memory", "plain.db"])
    }
  }

  @Test("a directory, a pipe and nonsense paths are refused at once", arguments: ["", ".", "/"])
  func noFile(path: String) throws {
    #expect(try sqliteError { _ = try Connection(path: path, mode: .readOnly) }.code == .cannotOpen)
    let folder = try sqliteError {
      _ = try Connection(path: directory.path, mode: .readWriteCreate)
    }
    #expect(folder.message == "it is a directory")
    #expect(folder.path == directory.path)
    mkfifo(directory.file("pipe"), 0o600)
    let pipe = try sqliteError {
      _ = try Connection(path: directory.file("pipe"), mode: .readOnly)
    }
    #expect(pipe.message == "it is no regular file")
    let nul = try sqliteError {
      _ = try Connection(path: directory.file("a\0b"), mode: .readWriteCreate)
    }
    #expect(nul.message == "the path contains NUL")
  }

  @Test("a missing directory is named with the system's reason")
  func missingDirectory() throws {
    let error = try sqliteError {
      _ = try Connection(path: directory.file("no/such.db"), mode: .readWriteCreate)
    }
    #expect(error.code == .cannotOpen)
    #expect(error.message == "its directory cannot be reached (No such file or directory)")
    #expect(error.path == directory.file("no/such.db"))
  }

  @Test("a missing file is created only in the mode for it")
  func missingFile() throws {
    for mode in [OpenMode.readWrite, .readOnly, .immutable] {
      #expect(
        try sqliteError { _ = try Connection(path: directory.file("x"), mode: mode) }.code
          == .cannotOpen)
    }
    #expect(try directory.names.isEmpty)
  }

  @Test("a link as the last component is refused, links as directories are followed")
  func links() throws {
    try Connection(path: directory.file("real.db"), mode: .readWriteCreate)
      .execute("CREATE TABLE t(a)")
    symlink(directory.file("real.db"), directory.file("link.db"))
    symlink(directory.path, directory.file("folder"))
    for mode in [OpenMode.readWriteCreate, .readWrite, .readOnly, .immutable] {
      let error = try sqliteError {
        let connection = try Connection(path: directory.file("link.db"), mode: mode)
        _ = try connection.integer("SELECT count(*) FROM t")
      }
      #expect(error.code == .cannotOpen)
    }
    let through = try Connection(path: directory.file("folder/real.db"), mode: .readOnly)
    #expect(through.path == directory.file("real.db"))
    let marked = try Connection(path: directory.file("folder/\u{301}.db"), mode: .readWriteCreate)
    #expect(marked.path == directory.file("\u{301}.db"))
  }

  @Test("a directory whose name is not UTF-8 is refused, and another one is not taken for it")
  func otherEncoding() async throws {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let name = (Array(directory.file("b").utf8) + [0xff, 0]).map { CChar(bitPattern: $0) }
      // Not every file system has such names.
      guard mkdir(name, 0o755) == 0 else { return }
      defer { rmdir(name) }
      precondition(mkdir(directory.file("b\u{fffd}"), 0o755) == 0 && chdir(name) == 0)
      let error = try sqliteError { _ = try Connection(path: "a.db", mode: .readWriteCreate) }
      #expect(error.code == .cannotOpen)
      #expect(error.message == "the name of a directory on the way to it is not UTF-8")
      let other = try FileManager.default.contentsOfDirectory(atPath: directory.file("b\u{fffd}"))
      #expect(other.isEmpty)
    }
  }

  @Test("the first statement reports a file that is not a database, and it does not change")
  func notADatabase() throws {
    let junk = Data(repeating: 0x41, count: 5_000)
    try directory.write(junk, to: "junk")
    let connection = try Connection(path: directory.file("junk"), mode: .readWrite)
    let error = try sqliteError { _ = try connection.integer("SELECT count(*) FROM sqlite_schema") }
    #expect(error.code == .notADatabase)
    #expect(error.path == directory.file("junk"))
    #expect(try sqliteError { try connection.configureForWriting() }.code == .notADatabase)
    #expect(try directory.bytes("junk") == junk)
  }

  @Test("read-only and immutable connections refuse to write")
  func readOnly() throws {
    try Connection(path: directory.file("a"), mode: .readWriteCreate).execute("CREATE TABLE t(a)")
    for mode in [OpenMode.readOnly, .immutable] {
      let connection = try Connection(path: directory.file("a"), mode: mode)
      let error = try sqliteError { try connection.execute("INSERT INTO t VALUES (1)") }
      #expect(error.code == .readOnly)
      #expect(error.sql == "INSERT INTO t VALUES (1)")
    }
  }

  @Test("a directory that may not be written: creating fails, immutable reading works")
  func readOnlyDirectory() async throws {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let writer = try Connection(path: directory.file("a"), mode: .readWriteCreate)
      try writer.configureForWriting()
      try writer.execute("CREATE TABLE t(a); INSERT INTO t VALUES (3)")
      try writer.close()
      chmod(directory.file("a"), 0o644)
      chmod(directory.path, 0o555)
      // Permissions do not limit the superuser.
      if geteuid() == 0 { precondition(seteuid(65_534) == 0) }
      defer { if getuid() == 0 { seteuid(0) } }
      let error = try sqliteError {
        _ = try Connection(path: directory.file("new"), mode: .readWriteCreate)
      }
      #expect(error.code == .cannotOpen)
      let reader = try Connection(path: directory.file("a"), mode: .immutable)
      try reader.configureForReading()
      #expect(try reader.integer("SELECT a FROM t") == 3)
    }
  }

  @Test("closing fails while a statement exists, works after that, and may be repeated")
  func closing() throws {
    let connection = try Connection()
    var statement: Statement? = try connection.prepare("SELECT 1")
    _ = try statement?.step()
    #expect(try sqliteError { try connection.close() }.code == .busy)
    #expect(try statement?.step() == false)
    statement = nil
    try connection.close()
    try connection.close()
  }

  @Test("use after closing stops the process")
  func useAfterClosing() async {
    await #expect(processExitsWith: .failure) {
      let connection = try Connection()
      try connection.close()
      _ = try? connection.execute("SELECT 1")
    }
  }
}
