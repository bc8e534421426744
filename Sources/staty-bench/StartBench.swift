import Foundation

/// The time that each command of the tool takes before it does anything.
enum StartBench {
  static func run() -> [Figure] {
    let tool = folder.appendingPathComponent("staty").path
    guard FileManager.default.isExecutableFile(atPath: tool) else {
      tell("cli_start_ms is left out, because there is no tool at \(tool). Build it first.")
      return []
    }
    return [
      Figure("cli_start_ms", milliseconds([tool, "--version"]), "`staty --version` as a process"),
      Figure(
        "true_start_ms", milliseconds(["/usr/bin/true"]),
        "baseline: a process that does nothing", isBaseline: true),
    ]
  }

  /// The folder of the built programs.
  private static var folder: URL {
    let programs = ProcessInfo.processInfo.environment["STATY_PROGRAMS"]
    return programs.map { URL(fileURLWithPath: $0) }
      ?? Bundle.main.executableURL!.deletingLastPathComponent()
  }

  private static func milliseconds(_ command: [String]) -> Double {
    median(of: 41) { nanoseconds(per: 1) { start(command) } / 1e6 }
  }

  /// Runs a command to its end, without its output.
  // Not as a `Process`, which takes time of its own.
  private static func start(_ command: [String]) {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    let words = command.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, command[0], &actions, nil, words, [nil])
    precondition(code == 0, "\(command[0]) cannot be run: \(String(cString: strerror(code)))")
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    precondition(status == 0, "\(command[0]) has failed; the run is void.")
  }
}
