import LibC

/// The same replay in another process.
///
/// A hidden input of a controller (the order of a set, the clock, the time zone) is found only if
/// it differs; in one process it would be the same. The other process may wait for something that
/// never happens, so its time is limited.
struct AnotherRun {
  /// Why there was no other run.
  enum Trouble: Error, Equatable {
    case notStarted(String)
    case failed(Int32)
    /// It had not ended after this time, and was stopped.
    case endless(Duration)
  }

  private let executable: String
  private let arguments: [String]
  private let limit: Duration

  /// - Parameter limit: how long it may take.
  init(_ executable: String, arguments: [String], limit: Duration) {
    self.executable = executable
    self.arguments = arguments
    self.limit = limit
  }

  /// The time limit of another run if the first took so long.
  ///
  /// It is long enough for a busy machine, and for one that has to read the file from disk.
  static func limit(ifFirstTook first: Duration) -> Duration { .seconds(60) + first * 20 }

  /// Runs it to its end, and returns the lines of its standard output.
  func lines() throws(Trouble) -> [String] {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw .notStarted(String(cString: strerror(errno))) }
    defer { close(ends[0]) }
    let process: pid_t
    do throws(Trouble) {
      process = try start(writingTo: ends[1], readingEnd: ends[0])
    } catch {
      close(ends[1])
      throw error
    }
    close(ends[1])
    let end = ContinuousClock.now + limit
    guard let text = Self.readAll(ends[0], until: end), let status = Self.wait(process, until: end)
    else {
      kill(process, SIGKILL)
      while waitpid(process, nil, 0) < 0, errno == EINTR {}
      throw .endless(limit)
    }
    // The exit codes of verdicts are no failures.
    let code = status & 0x7f == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f)
    guard [0, 1, 2].contains(code) else { throw .failed(code) }
    return text.split(separator: "\n").map(String.init)
  }

  private func start(
    writingTo output: Int32, readingEnd: Int32
  ) throws(Trouble) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addclose(&actions, readingEnd)
    if output != 1 { posix_spawn_file_actions_addclose(&actions, output) }
    let words = Self.copies([executable] + arguments)
    let environment = Self.copies(Self.environment)
    defer { (words + environment).forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, executable, &actions, nil, words, environment)
    guard code == 0 else { throw .notStarted(String(cString: strerror(code))) }
    return process
  }

  /// Texts as C strings with a final null; the caller frees them.
  private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  /// The environment of this process, but with a time zone of its own and another hash seed.
  private static var environment: [String] {
    var entries: [String] = []
    var next = environ
    while let entry = next.pointee {
      entries.append(String(cString: entry))
      next += 1
    }
    // Without it, each process draws a new hash seed.
    let replaced = ["TZ=", "SWIFT_DETERMINISTIC_HASHING="]
    entries.removeAll { entry in replaced.contains { entry.hasPrefix($0) } }
    return entries + ["TZ=XYZ-13:45"]
  }

  /// All of its output; `nil` if that takes too long.
  private static func readAll(
    _ descriptor: Int32, until end: ContinuousClock.Instant
  ) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let left = (end - .now) / .milliseconds(1)
      if left <= 0 { return nil }
      var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&waited, 1, Int32(min(left + 1, 60_000))) <= 0 { continue }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  /// Its exit status; `nil` if that takes too long.
  private static func wait(
    _ process: pid_t, until end: ContinuousClock.Instant
  ) -> Int32? {
    var status: Int32 = 0
    // Its output is complete, so it is about to end.
    while true {
      let ended = waitpid(process, &status, WNOHANG)
      if ended == process { return status }
      if ended < 0, errno != EINTR { return status }
      if ContinuousClock.now > end { return nil }
      usleep(1_000)
    }
  }
}

/// The program that is running.
enum Executable {
  /// The path of its file; none if the system does not say.
  static var path: String? {
    #if canImport(Darwin)
      var size: UInt32 = 0
      _ = _NSGetExecutablePath(nil, &size)
      var buffer = [CChar](repeating: 0, count: Int(size))
      guard _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
      return buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    #else
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = buffer.withUnsafeMutableBytes { bytes in
        readlink("/proc/self/exe", bytes.baseAddress!, bytes.count)
      }
      guard count > 0, count < buffer.count else { return nil }
      return String(decoding: buffer[..<count], as: UTF8.self)
    #endif
  }
}
