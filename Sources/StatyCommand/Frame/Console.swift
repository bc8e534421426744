import LibC

/// Where the tool writes its data and its messages, and how wide it may write.
///
/// It belongs to one thread.
package struct Console {
  /// Where data goes.
  package var out: any TextSink
  /// Where everything else goes: errors, notes, progress.
  package var err: any TextSink
  /// The most columns of a line.
  var width: Int
  /// The most columns of a table; without a terminal, nothing is cut.
  var tableWidth: Int
  /// The most columns of a line of notes; without a terminal, a sentence stays on one line.
  var noteWidth = Int.max
  /// Whether data goes to a terminal that shows colors.
  var hasColor: Bool
  /// Whether errors go to a terminal, so that progress may be shown there.
  package var hasWatcher = false
  /// Whether input and output are a terminal, so that keys can be used.
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
  /// The width of a line comes from `COLUMNS`, or else from the terminal, or else is 80.
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

/// Colors, for terminals that show them.
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
