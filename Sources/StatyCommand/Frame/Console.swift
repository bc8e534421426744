import LibC

/// Whom the tool talks to: where its data and its words go, and how wide it may write.
///
/// It belongs to one thread.
package struct Console {
  /// Where data goes.
  package var out: any TextSink
  /// Where everything else goes: errors, notes, progress.
  package var err: any TextSink
  /// How many columns a line may have.
  var width: Int
  /// How many columns a table may have; where nobody looks at a terminal, nothing is cut.
  var tableWidth: Int
  /// How many columns a line of words beside the data may have; where nobody looks at a terminal, a
  /// sentence stays one line.
  var noteWidth = Int.max
  /// Whether data goes to a terminal that shows colors.
  var hasColor: Bool
  /// Whether somebody who waits watches where errors go, and may be told how far something is.
  package var hasWatcher = false
  /// Whether it is that of a process which does nothing else, and may be ended.
  var isProcess = false
  /// Whether somebody at a terminal can press keys and sees what comes of it.
  var hasKeyboard = false

  /// A console with these parts.
  package init(out: any TextSink, err: any TextSink, width: Int = 80, hasColor: Bool = false) {
    self.out = out
    self.err = err
    self.width = width
    tableWidth = width
    self.hasColor = hasColor
  }

  /// The console of this process: its standard output and error.
  ///
  /// `COLUMNS` says how wide a line may be, else the terminal, else it is 80.
  static func standard() -> Console {
    let isTerminal = isatty(1) == 1
    let dumb = variable("TERM") == "dumb"
    let silenced = variable("NO_COLOR").map { !$0.isEmpty } ?? false
    var console = Console(
      out: DescriptorSink(1), err: DescriptorSink(2), width: columns(),
      hasColor: isTerminal && !dumb && !silenced)
    let isWidthSaid = variable("COLUMNS") != nil
    if !isTerminal, !isWidthSaid { console.tableWidth = .max }
    if isatty(2) == 1 || isWidthSaid { console.noteWidth = console.width }
    console.hasWatcher = isatty(2) == 1 && !dumb
    console.isProcess = true
    console.hasKeyboard = isTerminal && isatty(0) == 1 && !dumb
    return console
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static func columns() -> Int {
    if let said = variable("COLUMNS").flatMap({ Int($0) }), said > 0 { return max(20, said) }
    var size = winsize()
    for descriptor: Int32 in [1, 2] where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 {
      if size.ws_col > 0 { return max(20, Int(size.ws_col)) }
    }
    return 80
  }
}

/// Colors for those who can see them.
struct Style {
  let isOn: Bool

  func bold(_ text: String) -> String { wrap(text, "1") }
  func error(_ text: String) -> String { wrap(text, "1;31") }
  func warning(_ text: String) -> String { wrap(text, "1;33") }
  func good(_ text: String) -> String { wrap(text, "1;32") }
  func dim(_ text: String) -> String { wrap(text, "2") }
  func attention(_ text: String) -> String { wrap(text, "36") }

  private func wrap(_ text: String, _ code: String) -> String {
    isOn ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
