import LibC

/// Waits for the changes of a history's file, until the user ends it.
struct FileWatch {
  let interrupts = Interrupts()
  private let path: String
  /// How many times in a row a look may fail: a recorder that begins or ends moves files.
  private let mostFailures: Int
  private var mark: FileMark
  /// Two changes may have the same time: after one, the file is read once more.
  private var isSettled = true
  private var failures = 0

  init(_ path: String, mostFailures: Int) {
    (self.path, self.mostFailures) = (path, mostFailures)
    mark = FileMark(path)
  }

  /// Rests, and returns whether the file may have changed; `nil` if the user has ended it.
  mutating func rest(milliseconds: Int32) -> Bool? {
    if interrupts.isWanted { return nil }
    interrupts.rest(milliseconds: milliseconds)
    let now = FileMark(path)
    let mayHaveChanged = now != mark || !isSettled
    (isSettled, mark) = (now == mark, now)
    return mayHaveChanged
  }

  /// Notes whether a look at the file has failed; returns whether the next one may go better.
  @discardableResult
  mutating func note(hasFailed: Bool) -> Bool {
    failures = hasFailed ? failures + 1 : 0
    if hasFailed { isSettled = false }
    return failures <= mostFailures
  }
}

/// The sizes and times that show, without opening it, that a history or its log has changed.
struct FileMark: Equatable {
  private let numbers: [Int64]

  init(_ path: String) {
    numbers = ["", "-wal"].flatMap { suffix -> [Int64] in
      var status = stat()
      guard stat(path + suffix, &status) == 0 else { return [] }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      return [
        Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_size), Int64(time.tv_sec),
        Int64(time.tv_nsec),
      ]
    }
  }
}

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
