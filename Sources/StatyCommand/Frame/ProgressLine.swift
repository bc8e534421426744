import StatyHistory
import StatyReport

/// Shows the progress of work that takes longer than a second, on one line that is overwritten.
final class ProgressLine {
  /// The console for all other output, which removes the line before it writes.
  private(set) var console: Console
  private let line: any TextSink
  private let isWanted: Bool
  private var next: ContinuousClock.Instant
  private var isShown = false

  /// - Parameter patience: how long work may take before its progress is shown.
  init(_ console: Console, isQuiet: Bool, patience: Duration = .seconds(1)) {
    self.console = console
    line = console.err
    isWanted = console.hasWatcher && !isQuiet
    next = .now + patience
    guard isWanted else { return }
    self.console.out = PastLine(console.out) { [unowned self] in clear() }
    self.console.err = PastLine(console.err) { [unowned self] in clear() }
  }

  /// Shows the progress, if it is time to.
  func tell(_ text: @autoclosure () -> String) {
    guard isWanted, ContinuousClock.now >= next else { return }
    next = .now + .milliseconds(200)
    // On a common terminal, earlier output comes first. Its failure is reported by the next write,
    // because a sink fails from then on.
    guard (try? console.out.flush()) != nil else { return }
    try? line.write("\r\u{1b}[K" + DisplayWidth.cut(text(), to: console.width - 1))
    try? line.flush()
    isShown = true
  }

  /// Removes the line before other output.
  func clear() {
    guard isShown else { return }
    isShown = false
    try? line.write("\r\u{1b}[K")
    try? line.flush()
  }

  /// Shows the progress of everything that reads through a history.
  ///
  /// - Parameter doing: the work and its file, such as `Checking 'history.sqlite'`.
  func watch(_ reader: HistoryReader, doing: String) {
    guard isWanted else { return }
    var pace = Pace()
    reader.watch.tell = { [unowned self] place in
      tell(pace.text(doing, passed: place.passed, of: place.total, "event"))
    }
  }
}

/// Removes the progress line before it writes.
private final class PastLine: TextSink {
  private let sink: any TextSink
  private let clear: () -> Void

  init(_ sink: any TextSink, clear: @escaping () -> Void) {
    (self.sink, self.clear) = (sink, clear)
  }

  var hasReader: Bool { sink.hasReader }
  var waited: Duration { sink.waited }

  func write(_ text: String) throws(SinkError) {
    clear()
    try sink.write(text)
  }

  func flush() throws(SinkError) { try sink.flush() }
}

/// The speed of work since its beginning.
struct Pace {
  private var began = ContinuousClock.now
  private var last: Int64 = 0

  /// The progress, the speed, and the time that is left.
  ///
  /// If the position goes back, another pass over the history has begun.
  mutating func text(
    _ doing: String, passed: Int64, of total: Int64, _ unit: String
  ) -> String {
    if passed < last { began = .now }
    last = passed
    let done = Double(passed) / Double(max(total, 1))
    let seconds = max((ContinuousClock.now - began) / .seconds(1), 1e-3)
    let rate = Int64(Double(passed) / seconds)
    let left = Int64((seconds / max(done, 1e-6) - seconds).rounded(.up))
    return "\(doing): \(Int(done * 100)) %, \(Decimal.count(rate, unit)) a second, "
      + "\(Decimal.count(left, "second")) left"
  }
}
