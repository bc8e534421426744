import Foundation
import LibC

/// Runs the tool in a terminal of its own, types, and reads what is on it.
final class Terminal {
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  private let process = Process()
  private let master: Int32
  private let slave: Int32
  private var before = termios()
  /// Everything that was written to it.
  private(set) var all = ""
  /// What was written since something was typed.
  private(set) var said = ""

  init(_ arguments: [String], in directory: String) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    guard openpty(&master, &slave, nil, nil, nil) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    (self.master, self.slave) = (master, slave)
    tcgetattr(slave, &before)
    let handle = FileHandle(fileDescriptor: slave)
    process.executableURL = URL(fileURLWithPath: Binary.path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    var variables = ProcessInfo.processInfo.environment
    for name in ["NO_COLOR", "COLUMNS"] { variables[name] = nil }
    variables["TERM"] = "xterm"
    process.environment = variables
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    resize(columns: 80, lines: 24)
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    close(master)
    close(slave)
  }

  func resize(columns: UInt16, lines: UInt16) {
    var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  func forget() { said = "" }

  func type(_ keys: String) {
    forget()
    _ = Array(keys.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
  }

  func type(_ keys: String, andWaitFor words: String) -> Bool {
    type(keys)
    return wait(for: words)
  }

  /// Reads until the words were written; gives up after a long while.
  func wait(for words: String) -> Bool {
    for _ in 0..<600 where !said.contains(words) { read(milliseconds: 100) }
    // The rest of what is being drawn is not to be taken for an answer to what is typed next.
    while read(milliseconds: 60) {}
    return said.contains(words)
  }

  /// Whether its settings are those that it had at the beginning.
  var isAsBefore: Bool {
    var now = termios()
    tcgetattr(slave, &now)
    let codes = withUnsafeBytes(of: &now.c_cc) { Array($0) }
    return now.c_iflag == before.c_iflag && now.c_oflag == before.c_oflag
      && now.c_cflag == before.c_cflag && now.c_lflag == before.c_lflag
      && codes == withUnsafeBytes(of: &before.c_cc) { Array($0) }
  }

  /// How it ended; what it wrote last is read before.
  func end() -> End {
    while process.isRunning { read(milliseconds: 20) }
    process.waitUntilExit()
    while read(milliseconds: 20) {}
    return process.terminationReason == .exit
      ? .exit(process.terminationStatus) : .signal(process.terminationStatus)
  }

  /// Waits until it has stopped, where a file of the system says so.
  func waitUntilStopped() -> Bool {
    guard FileManager.default.fileExists(atPath: "/proc/self/stat") else { return true }
    for _ in 0..<600 {
      let path = "/proc/\(process.processIdentifier)/stat"
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      if text.contains(") T ") { return true }
      usleep(100_000)
    }
    return false
  }

  @discardableResult
  private func read(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = systemRead(master, &bytes, bytes.count)
    guard count > 0 else { return false }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    all += text
    said += text
    return true
  }
}

// Inside of the type the method of the same name would be found first.
private let systemRead = read
