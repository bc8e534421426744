import LibC

/// Opens a page with the program that the system has for that.
enum PageOpener {
  #if canImport(Darwin)
    private static let program = "open"
  #else
    private static let program = "xdg-open"
  #endif

  /// How long the program may take to fail; a browser may run as long as it likes.
  private static let patience: Duration = .seconds(2)

  /// Opens the page at `path`, and reports if that is not possible: the page itself is written.
  static func open(_ path: String, _ run: ToolRun) {
    // A whole path is no option, whatever the name begins with.
    guard !isOpened(path.resolvedPath ?? path) else { return }
    run.note("Note: '\(program)' did not open '\(path.visible)'; open it in a browser.")
  }

  private static func isOpened(_ path: String) -> Bool {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for descriptor: Int32 in [1, 2] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    // Signals that this process blocks have to end a browser.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words = [strdup(program), strdup(path), nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, program, &actions, &attributes, &words, environ) == 0 else {
      return false
    }
    let end = ContinuousClock.now + patience
    while ContinuousClock.now < end {
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process { return status == 0 }
      poll(nil, 0, 20)
    }
    return true
  }
}
