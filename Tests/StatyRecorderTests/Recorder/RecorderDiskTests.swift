import Foundation
import StatyRecorder
import Testing

/// Full disks, and directories that cannot be written.
@Suite struct RecorderDiskTests {
  @Test func `a disk that is full from the start is a typed error`() throws {
    let place = try Place()
    let probe = try Probe(["limit", place.path, "100000"], of: "RecorderProbe")
    let line = probe.line()
    #expect(line.contains("no room for the"), "\(line)")
    probe.end()
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.directory) == [])
  }

  // Space for the ring, and for none of the tables, for some of them, or for some of the events.
  @Test(arguments: [1_200_000, 1_300_000, 1_600_000])
  func `when a disk is full for a while, all lost events are counted`(
    limit: Int
  ) throws {
    let place = try Place()
    let probe = try Probe(["limit", place.path, "\(limit)"], of: "RecorderProbe")
    let lines = probe.lines()
    try #require(lines.count == 3, "\(lines)")
    #expect(lines[0].contains(place.path) && lines[0].contains("failed"), "\(lines[0])")
    #expect(lines[1] == "true")
    let counts = lines[2].split(separator: " ").compactMap { Int($0) }
    try #require(counts.count == 4)
    let (observed, stored, lost) = (counts[0], counts[1], counts[2])
    #expect(observed == 20_001)
    #expect(observed == stored + lost)
    #expect(counts[3] == 0)
    #expect(
      try place.query("SELECT ended, events, lost FROM sessions") == ["clean|\(stored)|\(lost)"])
    #expect(try place.unaccounted() == ["0"])
    #expect(try place.query("PRAGMA integrity_check") == ["ok"])
    // The last event came when there was space again.
    #expect(try place.query("SELECT note FROM detail ORDER BY seq DESC LIMIT 1") == ["room again"])
  }

  @Test(.enabled(if: Mount.isPossible, "Only root may mount a small disk."))
  func
    `if other files fill the disk, a flush fails, and recording continues after they are removed`()
    throws
  {
    let mount = try Mount(kilobytes: 3_000)
    let path = mount.directory + "/history.sqlite"
    var options = RecorderOptions()
    options.eventsPerThread = 64
    let recorder = try HistoryRecorder(at: path, options: options)
    recorder.mark("before")
    try recorder.flush()
    mount.fill()
    for number in 0..<5_000 { recorder.mark("a note that finds no room \(number)") }
    let error = #expect(throws: RecorderError.self) { try recorder.flush() }
    #expect(error?.description.contains("there is no space left") == true)
    #expect(throws: RecorderError.self) {
      try HistoryRecorder(at: mount.directory + "/other.sqlite", options: options)
    }
    mount.empty()
    try recorder.flush()
    recorder.mark("after")
    recorder.close()
    let statistics = recorder.statistics
    #expect(statistics.observed == 5_002)
    #expect(statistics.stored + statistics.lost == 5_002)
    #expect(statistics.inFlight == 0)
    let copy = try Place()
    try FileManager.default.copyItem(atPath: path, toPath: copy.path)
    #expect(try copy.unaccounted() == ["0"])
    #expect(try copy.query("SELECT note FROM detail ORDER BY seq DESC LIMIT 1") == ["after"])
  }

  @Test func `a read-only directory is a typed error, and nothing in it changes`() throws {
    let place = try Place()
    chmod(place.directory, 0o555)
    defer { chmod(place.directory, 0o755) }
    // Root may write anywhere, so the thread accesses files as another user.
    let path = place.directory + "/history.sqlite"
    let error = onThread {
      setFileUser(65_534)
      do throws(RecorderError) {
        _ = try HistoryRecorder(at: path)
        return nil as RecorderError?
      } catch {
        return error
      }
    }
    guard case .directory(let named, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(named == path)
    #expect(error?.description.contains("Give a path in a directory that exists") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.directory) == [])
  }
}

/// Makes the system check this thread's access to files as another user's, if the user is root.
private func setFileUser(_ user: UInt32) {
  typealias Call = @convention(c) (UInt32) -> Int32
  // Only on Linux, and Swift does not import it.
  guard geteuid() == 0, let symbol = dlsym(dlopen(nil, RTLD_NOW), "setfsuid") else { return }
  _ = unsafeBitCast(symbol, to: Call.self)(user)
}

/// A small disk in memory.
private final class Mount {
  let directory: String

  static let isPossible: Bool = {
    guard geteuid() == 0, let mount = try? Mount(kilobytes: 64) else { return false }
    return FileManager.default.fileExists(atPath: mount.directory)
  }()

  init(kilobytes: Int) throws {
    directory = NSTemporaryDirectory() + "staty-disk-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    let options = ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "none", directory]
    guard Self.run("mount", options) == 0 else {
      try? FileManager.default.removeItem(atPath: directory)
      throw CocoaError(.featureUnsupported)
    }
  }

  deinit {
    _ = Self.run("umount", ["-l", directory])
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Fills the rest of the disk.
  func fill() {
    let descriptor = open(directory + "/filler", O_WRONLY | O_CREAT, 0o600)
    let bytes = [UInt8](repeating: 1, count: 4_096)
    while write(descriptor, bytes, bytes.count) > 0 {}
    close(descriptor)
  }

  func empty() { unlink(directory + "/filler") }

  private static func run(_ tool: String, _ arguments: [String]) -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
