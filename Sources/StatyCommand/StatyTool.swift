import LibC
public import StatyReplay
import StatySQLite
public import StatySpecimens

/// The command line tool, which an app can ship under a name of its own.
///
/// ```swift
/// var registry = ControllerRegistry.withSpecimens
/// registry.register("checkout") { context in … }
/// StatyTool(registry: registry).main()
/// ```
public struct StatyTool {
  /// The version that `--version` shows.
  package static let version = "0.3.0"

  private let name: String
  /// Watches the calls of controllers' own code.
  private let vigil = ReplayVigil()
  private let registry: ControllerRegistry
  private let executable: String?

  /// A tool with these controllers.
  ///
  /// - Parameters:
  ///   - registry: how replayed controllers are made; by default the built-in policies and the
  ///     specimens.
  ///   - name: the tool's name in usage lines.
  ///   - executable: the file of the program, which is started again for a second process; by
  ///     default the running one.
  public init(
    registry: ControllerRegistry = .withSpecimens, name: String = "staty",
    executable: String? = nil
  ) {
    var registry = registry
    registry.vigil = vigil
    self.registry = registry
    self.name = name
    self.executable = executable
  }

  /// Runs the tool with the arguments of this process, and ends the process.
  public func main() -> Never {
    // A closed pipe is reported by the write, and must not end the process.
    signal(SIGPIPE, SIG_IGN)
    // The same for a file that has reached its size limit.
    signal(SIGXFSZ, SIG_IGN)
    TemporaryFile.removeOnSignals()
    Connection.countMemory()
    Self.holdStandardDescriptors()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let refusal = Self.refusalOfStart {
      exit(fail(refusal, arguments, .standard()).rawValue)
    }
    // A second process is ended by the first.
    let isAnotherRun = arguments.contains { $0.hasPrefix("--outcomes=") }
    if !isAnotherRun {
      Watchdog(vigil: vigil, limit: Watchdog.patience).watch(Watchdog.end)
    }
    var console = Console.standard()
    // Only a program reads it: what an app's controllers print must not get in between.
    if isAnotherRun || arguments.first == "mcp", let own = Self.keepOutput() {
      console.out = DescriptorSink(own)
    }
    exit(run(arguments, console: console).rawValue)
  }

  /// Why the process cannot run as it was started; none if it can.
  private static var refusalOfStart: (any Error)? {
    // Swift replaces invalid bytes in arguments, so another file would be read or written.
    let words = (0..<Int(CommandLine.argc)).map { CommandLine.unsafeArgv[$0] }
    for case let word? in words.dropFirst() where String(validatingCString: word) == nil {
      return UsageError("The argument '\(String(cString: word))' is not UTF-8.")
    }
    // If no more files can be opened, the system's own library ends the process.
    let opened = (0..<filesAtOnce).map { _ in fcntl(0, F_DUPFD_CLOEXEC, 0) }
    defer { for descriptor in opened where descriptor >= 0 { close(descriptor) } }
    guard opened.contains(where: { $0 < 0 }) else { return nil }
    return Failure(
      status: .noInput,
      message: "Starting: the system lets this process open fewer than \(filesAtOnce) more files.",
      advice: "Let it open more, as by 'ulimit -n 64'.")
  }

  /// The number of files that the tool has open at once: a history with its log, an output, a
  /// timer.
  private static let filesAtOnce = 8

  /// Keeps standard output for the tool, and gives what is printed otherwise to standard error; none if the system
  /// refuses.
  private static func keepOutput() -> Int32? {
    let own = fcntl(1, F_DUPFD_CLOEXEC, 3)
    return own >= 0 && dup2(2, 1) >= 0 ? own : nil
  }

  /// Opens replacements for closed standard files.
  ///
  /// Otherwise the next opened file would get their number, and messages for the terminal would be
  /// written into it.
  private static func holdStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      // For reading only, so that writing to it fails with a report.
      guard open("/dev/null", O_RDONLY) >= 0 else { exit(ExitCode.cannotWrite.rawValue) }
    }
  }

  /// Runs the tool with these arguments.
  package func run(_ arguments: [String], console: Console) -> ExitCode {
    do {
      return try answer(arguments, console)
    } catch {
      return fail(error, arguments, console)
    }
  }

  private func answer(_ arguments: [String], _ console: Console) throws -> ExitCode {
    switch try Invocation(arguments) {
    case .help(let subject): try console.out.write(help(subject, console))
    case .version: try console.out.write(Self.version + "\n")
    case .verb(let verb, let color, let isQuiet):
      var console = console
      if type(of: verb).isJudge { console.out = HeedlessSink(console.out) }
      let run = toolRun(console, color, isQuiet: isQuiet)
      defer { run.progress.clear() }
      let status = try verb.run(run)
      try run.console.out.flush()
      return status
    }
    try console.out.flush()
    return .done
  }

  private func toolRun(_ console: Console, _ color: ColorChoice, isQuiet: Bool) -> ToolRun {
    let isOn = color == .always || color == .auto && console.hasColor
    let progress = ProgressLine(console, isQuiet: isQuiet)
    return ToolRun(
      console: progress.console, isQuiet: isQuiet, style: Style(isOn: isOn),
      tool: name, registry: registry, executable: executable ?? Executable.path, progress: progress)
  }

  private func help(_ subject: Invocation.Help, _ console: Console) -> String {
    let text = HelpText(tool: name, width: min(console.width, 100))
    switch subject {
    case .verb(let verb, isWhole: false): return text.screen(verb)
    case .verb(let verb, isWhole: true): return text.page(verb)
    case .options: return text.commonOptions()
    case .tool: break
    }
    var groups = VerbTable.groups.map { ($0.title, $0.verbs.map { $0.spec }) }
    groups[groups.count - 1].1.append(VerbTable.help)
    return text.page(groups, overview: VerbTable.overview)
  }

  /// Why a command line is invalid; none if it is valid.
  ///
  /// It is only parsed, not run.
  package static func refusal(of words: [String]) -> String? {
    do throws(UsageError) {
      _ = try Invocation(words)
      return nil
    } catch {
      return error.message
    }
  }

  /// Reports a failure, always in the same form.
  private func fail(
    _ error: any Error, _ arguments: [String], _ console: Console
  ) -> ExitCode {
    let run = ToolRun(
      console: console, isQuiet: false, style: Style(isOn: false), tool: name,
      registry: registry, executable: nil, progress: ProgressLine(console, isQuiet: true))
    switch error {
    case SinkError.closed: return .done
    case SinkError.failed(let reason):
      run.report(
        Failure(
          status: .cannotWrite, message: "The output cannot be written: \(reason).",
          advice: "Make space, or write elsewhere with '-o'."))
      return .cannotWrite
    case let usage as UsageError:
      run.report(Failure(status: .usage, message: usage.message))
      let help = usage.verb.map { "\(name) \($0) --help" } ?? "\(name) --help"
      run.note("Usage: \(name) \(usage.usage)\n  See '\(help)' for more information.")
      return .usage
    default:
      let failure = Failure(error, doing: "Running '\(name) \(arguments.first ?? "")'")
      run.report(failure)
      return failure.status
    }
  }
}
