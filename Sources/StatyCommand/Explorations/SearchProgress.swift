import StatyReport

/// Tells whoever watches how far a search is, on one line that is written over.
final class SearchProgress {
  private let run: ToolRun
  private var last = ContinuousClock.now
  private var isShown = false

  /// Whether anybody watches.
  private let isWanted: Bool

  init(_ run: ToolRun) {
    self.run = run
    isWanted = run.console.hasWatcher && !run.isQuiet
  }

  func tell(_ text: @autoclosure () -> String) {
    guard isWanted else { return }
    let now = ContinuousClock.now
    guard now - last > .milliseconds(200) else { return }
    last = now
    isShown = true
    let line = DisplayWidth.cut(text(), to: run.console.width - 1)
    try? run.console.err.write("\r\u{1b}[K" + line)
    try? run.console.err.flush()
  }

  /// Takes the line away.
  func finish() {
    guard isShown else { return }
    try? run.console.err.write("\r\u{1b}[K")
    try? run.console.err.flush()
  }
}
