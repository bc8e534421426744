import StatyHistory
import StatyReport

/// Tells whoever watches how far something is that takes longer than a second, on one line that is
/// written over.
final class ProgressLine {
  /// What writes past the line, after taking it away.
  private(set) var console: Console
  private let line: any TextSink
  private let isWanted: Bool
  private var next: ContinuousClock.Instant
  private var isShown = false

  /// - Parameter patience: how long something may take of which nothing is told.
  init(_ console: Console, isQuiet: Bool, patience: Duration = .seconds(1)) {
    self.console = console
    line = console.err
    isWanted = console.hasWatcher && !isQuiet
    next = .now + patience
    guard isWanted else { return }
    self.console.out = PastLine(console.out) { [unowned self] in clear() }
    self.console.err = PastLine(console.err) { [unowned self] in clear() }
  }

  /// Tells how far it is, if it is time to.
  func tell(_ text: @autoclosure () -> String) {
    guard isWanted, ContinuousClock.now >= next else { return }
    next = .now + .milliseconds(200)
    // What was printed so far comes first, where both go to one terminal.
    // What went wrong in that is told to whoever writes next: a sink fails from then on.
    guard (try? console.out.flush()) != nil else { return }
    try? line.write("\r\u{1b}[K" + DisplayWidth.cut(text(), to: console.width - 1))
    try? line.flush()
    isShown = true
  }

  /// Takes the line away, for what is said next.
  func clear() {
    guard isShown else { return }
    isShown = false
    try? line.write("\r\u{1b}[K")
    try? line.flush()
  }

  /// Tells how far those are who read through a history.
  ///
  /// - Parameter doing: what is being done to which, such as `Checking 'history.sqlite'`.
  func watch(_ reader: HistoryReader, doing: String) {
    guard isWanted else { return }
    var pace = Pace()
    reader.watch.tell = { [unowned self] place in
      tell(pace.text(doing, passed: place.passed, of: place.total, "event"))
    }
  }
}

/// Writes where a line may stand that has to be taken away before.
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

/// How fast something goes, from when it was begun.
struct Pace {
  private var began = ContinuousClock.now
  private var last: Int64 = 0

  /// How far it is, how fast it goes, and how long it will take if it goes on so.
  ///
  /// What has gone back has been begun anew: more than one goes over a history.
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
