import LibC
import StatySQLite

/// The terminal during play: keys arrive one by one, and its earlier content is restored
/// afterwards.
///
/// Signals that would end or stop the process are blocked and checked between two keys, so that
/// none leaves the terminal changed. Call ``leave()`` on every way out.
final class PlayTerminal {
  /// What happened during a wait.
  enum Event: Equatable {
    case keys([PlayKey])
    /// The screen has to be drawn again: its size has changed, or another process wrote on it.
    case changed
    /// The process is to end by this signal.
    case ended(Int32)
    /// The terminal has gone.
    case gone
    case nothing
  }

  private let console: Console
  private var saved = termios()
  private var isEntered = false

  private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let others = [SIGTSTP, SIGCONT, SIGWINCH]

  init(_ console: Console) throws(Failure) {
    self.console = console
    guard tcgetattr(0, &saved) == 0 else {
      throw Failure(
        status: .bug, message: "Asking the terminal: \(String(cString: strerror(errno))).")
    }
    // The handlers are empty: without one, some systems drop even a blocked signal.
    for signal in [SIGCONT, SIGWINCH] { _ = systemSignal(signal) { _ in } }
    var blocked = sigset_t()
    sigemptyset(&blocked)
    for signal in Self.ending + Self.others { sigaddset(&blocked, signal) }
    pthread_sigmask(SIG_BLOCK, &blocked, nil)
  }

  /// Switches the terminal to the playing mode.
  func enter() {
    var raw = saved
    // Ctrl-C and Ctrl-Z stay signals.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &raw.c_cc) { codes in
      codes[Int(VMIN)] = 1
      codes[Int(VTIME)] = 0
    }
    tcsetattr(0, TCSADRAIN, &raw)
    isEntered = true
    write("\u{1b}[?1049h\u{1b}[?25l")
  }

  /// Restores the terminal.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    write("\u{1b}[?25h\u{1b}[?1049l")
    tcsetattr(0, TCSADRAIN, &saved)
  }

  /// Ends the process by the signal's default action.
  func die(of signal: Int32) {
    leave()
    TemporaryFile.removeAll()
    _ = systemSignal(signal, SIG_DFL)
    var one = sigset_t()
    sigemptyset(&one)
    sigaddset(&one, signal)
    // The parent process may have blocked it.
    pthread_sigmask(SIG_UNBLOCK, &one, nil)
    kill(getpid(), signal)
  }

  /// The number of columns and lines; the usual ones if the terminal does not know.
  var size: (columns: Int, lines: Int) {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0 else { return (console.width, 24) }
    return (
      size.ws_col > 0 ? Int(size.ws_col) : console.width, size.ws_row > 0 ? Int(size.ws_row) : 24
    )
  }

  /// Shows these lines and nothing else.
  ///
  /// The earlier content is erased first: after a line as wide as the terminal, the cursor is still
  /// on its last character, which would be erased, too.
  func show(_ lines: [String]) {
    let last = lines.indices.last
    let text = lines.enumerated().map { ($0 == last ? "\u{1b}[J" : "\u{1b}[K") + $1 }
    write("\u{1b}[H" + text.joined(separator: "\r\n"))
  }

  private func write(_ text: String) {
    // A failure is ignored here: a closed terminal is noticed when keys are read.
    try? console.out.write(text)
    try? console.out.flush()
  }

  /// Waits for an event, at most so many milliseconds.
  func wait(milliseconds: Int) -> Event {
    var left = milliseconds
    repeat {
      if let event = takeSignal() { return event }
      var entry = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      let slice = min(left, 40)
      left -= slice
      guard poll(&entry, 1, Int32(slice)) > 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = bytes.withUnsafeMutableBytes { read(0, $0.baseAddress!, $0.count) }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      // A hang-up also arrives as a signal, which is more specific.
      guard count > 0 else { return takeSignal() ?? .gone }
      return .keys(PlayKey.keys(Array(bytes[..<count])))
    } while left > 0
    return .nothing
  }

  private func takeSignal() -> Event? {
    var pending = sigset_t()
    sigpending(&pending)
    for signal in Self.ending + Self.others where sigismember(&pending, signal) == 1 {
      var one = sigset_t()
      var taken: Int32 = 0
      sigemptyset(&one)
      sigaddset(&one, signal)
      guard sigwait(&one, &taken) == 0 else { continue }
      if Self.ending.contains(signal) { return .ended(signal) }
      if signal == SIGTSTP { stop() }
      if signal == SIGCONT, isEntered { enter() }
      return .changed
    }
    return nil
  }

  /// Stops as by Ctrl-Z, with the terminal restored, until the process is continued.
  private func stop() {
    leave()
    kill(getpid(), SIGSTOP)
    enter()
  }
}

// Inside of a type the methods of the same name would be found first.
private let systemSignal = signal
