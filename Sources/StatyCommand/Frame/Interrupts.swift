import LibC

/// Ctrl-C and the termination signal, as a flag that is checked between two steps of work.
///
/// It is for work without an end of its own, where ending is no failure. While it exists, neither
/// signal ends the process.
struct Interrupts {
  init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Whether the user or the system asked to end.
  var isWanted: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1
  }

  /// Waits at most so many milliseconds.
  func rest(milliseconds: Int32) { poll(nil, 0, milliseconds) }
}
