import LibC

/// Ctrl-C, and being asked to end, as something that is looked at between two steps of work.
///
/// For work that has no end of its own, so that ending it is no failure. From here on neither ends
/// the process by itself.
struct Interrupts {
  init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Whether somebody wants an end.
  var isWanted: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1
  }

  /// Waits, no longer than so many milliseconds.
  func rest(milliseconds: Int32) { poll(nil, 0, milliseconds) }
}
