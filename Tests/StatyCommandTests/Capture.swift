import StatyCommand
import StatyReplay
import StatySpecimens

/// Runs the tool inside of the test and keeps what it says.
struct Capture {
  let status: ExitCode
  let out: String
  let err: String

  private final class MemorySink: TextSink {
    var text = ""
    func write(_ text: String) throws(SinkError) { self.text += text }
    func flush() throws(SinkError) {}
  }

  init(
    _ arguments: [String], width: Int = 80, hasColor: Bool = false, executable: String? = nil,
    registry: ControllerRegistry = .withSpecimens
  ) {
    let (out, err) = (MemorySink(), MemorySink())
    let console = Console(out: out, err: err, width: width, hasColor: hasColor)
    status = StatyTool(registry: registry, executable: executable)
      .run(arguments, console: console)
    self.out = out.text
    self.err = err.text
  }

  /// As it is kept in a golden file: the exit status, then both outputs.
  var transcript: String {
    "exit \(status.rawValue)\n--- out\n\(out)--- err\n\(err)"
  }
}
