import Foundation
import Staty
import StatyHistory
import StatyReading
import Testing

@testable import StatyCommand

/// How far something is, on a line that is never mixed with what is printed.
@Suite struct ProgressTests {
  /// A terminal: what is written to either end up in one place.
  private final class Terminal: TextSink {
    var text = ""
    func write(_ text: String) throws(SinkError) { self.text += text }
    func flush() throws(SinkError) {}
  }

  private func console(_ terminal: Terminal, isWatched: Bool = true) -> Console {
    var console = Console(out: terminal, err: terminal, width: 40)
    console.hasWatcher = isWatched
    return console
  }

  @Test func `the line is taken away before anything is printed`() throws {
    let terminal = Terminal()
    let line = ProgressLine(console(terminal), isQuiet: false, patience: .zero)
    line.tell("half")
    try line.console.out.write("data\n")
    try line.console.err.write("note\n")
    line.clear()
    #expect(terminal.text == "\r\u{1b}[Khalf\r\u{1b}[Kdata\nnote\n")
  }

  @Test func `a line that is too long is cut, and none comes at once after another`() {
    let terminal = Terminal()
    let line = ProgressLine(console(terminal), isQuiet: false, patience: .zero)
    line.tell(String(repeating: "long ", count: 20))
    line.tell("soon after")
    #expect(terminal.text.count == "\r\u{1b}[K".count + 39)
    #expect(!terminal.text.contains("soon"))
  }

  @Test func `no progress is shown of quick work, with --quiet, or without a terminal`() {
    for (isWatched, isQuiet, patience) in [
      (true, false, Duration.seconds(60)), (true, true, .zero), (false, false, .zero),
    ] {
      let terminal = Terminal()
      let line = ProgressLine(
        console(terminal, isWatched: isWatched), isQuiet: isQuiet, patience: patience)
      line.tell("half")
      #expect(terminal.text == "")
    }
  }

  #if os(Linux)
    @Test func `what is lost while it is told how far something is stays lost`() throws {
      let full = open("/dev/full", O_WRONLY)
      let terminal = Terminal()
      let sink = DescriptorSink(full)
      var console = Console(out: sink, err: terminal, width: 40)
      console.hasWatcher = true
      let line = ProgressLine(console, isQuiet: false, patience: .zero)
      try line.console.out.write("data\n")
      line.tell("half")
      #expect(terminal.text == "")
      #expect(throws: SinkError.self) { try line.console.out.flush() }
      #expect(throws: SinkError.self) { try sink.flush() }
      close(full)
    }
  #endif

  @Test func `every pass over a long session shows its progress, however it is read`() throws {
    let place = try Place()
    let path = place.path("long.sqlite")
    let writer = try HistoryWriter(path: path)
    let session = try writer.beginSession(
      SessionOpening(uuid: "long", app: "", appVersion: "", os: "", pid: 1, wallTime: 0))
    let rows = (1...120_000).map { EventRow(seq: $0, time: $0, kind: .mark, controller: 0) }
    _ = try rows.withUnsafeBufferPointer { try writer.append($0, to: session, observed: 120_000) }
    try writer.close()
    let terminal = Terminal()
    let line = ProgressLine(console(terminal), isQuiet: false, patience: .zero)
    let reader = try HistoryReader(path: path)
    line.watch(reader, doing: "Verifying")
    #expect(try ChainVerifier(reader).firstDamage(session: session) == nil)
    #expect(terminal.text.contains("Verifying: 6 %, "))
    terminal.text = ""
    var places: [Int64] = []
    reader.watch.tell = { places.append($0.passed) }
    let events = try reader.events(session: session)
    while try events.next() != nil {}
    #expect(places == (1...14).map { $0 * 8_192 })
  }

  @Test func `how fast it goes is said in words, and a second reading begins anew`() {
    var pace = Pace()
    let first = pace.text("Checking", passed: 500, of: 1_000, "event")
    #expect(first.hasPrefix("Checking: 50 %, "))
    #expect(first.hasSuffix(" left"))
    #expect(first.contains(" a second, "))
    #expect(pace.text("Checking", passed: 10, of: 1_000, "event").hasPrefix("Checking: 1 %, "))
    #expect(pace.text("Checking", passed: 0, of: 0, "event").hasPrefix("Checking: 0 %, "))
  }
}
