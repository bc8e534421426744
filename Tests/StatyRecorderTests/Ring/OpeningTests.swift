import CStatyRing
import Foundation
import StatyRecorder
import Testing

@Suite("Opening a flight ring")
struct RingOpeningTests {
  let directory: RingDirectory

  init() throws { directory = try RingDirectory() }

  @Test("Only the owner can read the file; it has its full size and is removed on request")
  func file() throws {
    let ring = try directory.ring(lanes: 3, records: 64, logBytes: 4096)
    var status = stat()
    #expect(lstat(directory.file(), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(Int(status.st_size) == 16384 + 3 * 64 * 64 + 4096)
    #expect(Int(status.st_blocks) * 512 >= Int(status.st_size))
    ring.close(removingFile: true)
    #expect(try directory.names() == [])
  }

  @Test(
    "A second opening in this process is refused for any path of the file, until the first is closed"
  )
  func sameProcess() throws {
    let ring = try directory.ring()
    #expect(try ringError { _ = try directory.ring() } == .inUse(pid: getpid(), path: ring.path))
    #expect(
      try ringError { _ = try FlightRing.recover(path: directory.file()) }
        == .inUse(pid: getpid(), path: ring.path))
    let other = directory.path + "/../" + (directory.path as NSString).lastPathComponent
    #expect(
      try ringError { _ = try FlightRing(creatingAt: other + "/history.ring") }
        == .inUse(pid: getpid(), path: other + "/history.ring"))
    ring.close(removingFile: true)
    _ = try directory.ring()
  }

  @Test("While another process records, opening is refused with its process ID")
  func otherProcess() throws {
    let probe = try Probe(["hold", directory.file()])
    #expect(probe.line() == "ready")
    let expected = RingError.inUse(pid: probe.pid, path: directory.file())
    #expect(try ringError { _ = try directory.ring() } == expected)
    #expect(try ringError { _ = try FlightRing.recover(path: directory.file()) } == expected)
    #expect("\(expected)".contains("process \(probe.pid) records to"))
    probe.end()
    #expect(try directory.names() == [])
    _ = try directory.ring()
  }

  @Test("A child forked during a look at the file does not keep it locked")
  func forkedMeanwhile() throws {
    try directory.ring().close(removingFile: false)
    var looked: RecoveredRing? = try FlightRing.recover(path: directory.file())
    #expect(looked != nil)
    // A child has a copy of the descriptor until it runs its own program.
    let copies = try descriptors(of: directory.file()).map { dup($0) }
    #expect(copies.count == 1)
    looked = nil
    _ = try FlightRing.recover(path: directory.file())
    for copy in copies { close(copy) }
  }

  private func descriptors(of path: String) throws -> [Int32] {
    var wanted = stat()
    #expect(stat(path, &wanted) == 0)
    return (0..<1_024).filter { descriptor in
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_ino == wanted.st_ino
        && status.st_dev == wanted.st_dev
    }
  }

  @Test("The ring of an ended process is not overwritten")
  func oldRing() throws {
    try directory.ring().close(removingFile: false)
    let before = try directory.bytes()
    #expect(
      try ringError { _ = try directory.ring() } == .oldRing(path: directory.file()))
    #expect(try directory.bytes() == before)
  }

  @Test("An unfinished or empty file is overwritten, another file is not")
  func takingOver() throws {
    try directory.write(Data())
    try directory.ring().close(removingFile: false)
    var bytes = try directory.bytes()
    bytes.replaceSubrange(0..<8, with: Data("tatyRNew".utf8))
    try directory.write(bytes.prefix(5000))
    _ = try directory.ring()
    try directory.write(Data("a letter to a friend".utf8), "letter")
    #expect(
      try ringError { _ = try FlightRing(creatingAt: directory.file("letter")) }
        == .notARing(path: directory.file("letter"), reason: "it is another file"))
    #expect(try directory.bytes("letter") == Data("a letter to a friend".utf8))
  }

  @Test("A link, a directory, a pipe and a missing directory are refused with their own errors")
  func wrongPlaces() throws {
    symlink(directory.file("target"), directory.file("link"))
    mkfifo(directory.file("pipe"), 0o600)
    func failure(_ name: String) throws -> RingError {
      try ringError { _ = try FlightRing(creatingAt: directory.file(name)) }
    }
    #expect(try failure("link") == .symbolicLink(path: directory.file("link")))
    #expect(try failure("none/ring") == .missing(path: directory.file("none/ring")))
    #expect(
      try failure("pipe")
        == .notARing(path: directory.file("pipe"), reason: "it is no regular file"))
    #expect(
      try failure("") == .notARing(path: directory.file(""), reason: "it is a directory"))
    #expect(try directory.names() == ["link", "pipe"])
  }

  @Test("A directory without write permission is refused", .enabled(if: geteuid() != 0))
  func permission() throws {
    chmod(directory.path, 0o500)
    #expect(try ringError { _ = try directory.ring() } == .notPermitted(path: directory.file()))
  }

  @Test("If the disk has too little space, no file remains")
  func noRoom() throws {
    let probe = try Probe(["too-large", directory.file()])
    #expect(probe.line() == "no room for \(16384 + 44 * 1024 * 64 + (1 << 20))")
    probe.end()
    #expect(try directory.names() == [])
  }

  @Test("Every error says what to do")
  func wording() {
    #expect(
      RingError.oldRing(path: "/a/b").description
        == #""/a/b" was left by a process that ended; recover it before making a new one"#)
    #expect(
      RingError.newer(version: 7, path: "/a").description
        == #""/a" has layout 7, newer than this library; read it with a newer one"#)
    #expect(
      RingError.noRoom(bytes: 5, path: "/a").description
        == #"no room for the 5 bytes of "/a"; free some, or make the ring smaller"#)
  }
}
