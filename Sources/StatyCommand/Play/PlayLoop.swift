import LibC
import StatyHistory
import StatyReport

/// Lets the user go through a session with keys.
struct PlayLoop {
  /// How many seconds of the history pass in one second.
  private var speed = 1.0
  /// The longest pause in playing, in microseconds.
  private static let idle: Int64 = 1_000_000
  private var played: PlayedHistory
  private let choice: SessionChoice
  private let style: Style
  private var isPlaying = false
  /// The digits of a number that is being typed.
  private var number: String?
  /// A message that is shown once.
  private var message: String?
  /// In a smaller terminal there is no room for the visits on screen.
  private static let least = (columns: 20, lines: 6)

  init(_ played: PlayedHistory, _ choice: SessionChoice, style: Style) {
    self.played = played
    self.choice = choice
    self.style = style
  }

  /// Runs until the user quits, or a signal ends it.
  mutating func run(_ terminal: PlayTerminal) throws {
    terminal.enter()
    defer { terminal.leave() }
    var isChanged = true
    while true {
      if isChanged { try draw(terminal) }
      let event = terminal.wait(milliseconds: isPlaying ? try pause() : 60_000)
      isChanged = event != .nothing || isPlaying
      switch event {
      case .keys(let keys):
        message = nil
        for key in keys {
          if key == .quit { return }
          try take(key)
        }
      case .changed: break
      // Ctrl-C is a way to quit; any other signal ends the process visibly.
      case .ended(SIGINT), .gone: return
      case .ended(let signal): return terminal.die(of: signal)
      case .nothing:
        if isPlaying { isPlaying = try played.forward() && !played.isAtEnd() }
      }
    }
  }

  private func draw(_ terminal: PlayTerminal) throws {
    let (columns, lines) = terminal.size
    guard columns >= Self.least.columns, lines >= Self.least.lines else {
      return terminal.show(
        ["Event \(played.now.seq)", "too small", "q quits"].prefix(lines)
          .map { DisplayWidth.cut($0, to: columns) })
    }
    let screen = PlayScreen(played, choice, width: columns, style: style)
    let help = helpLines(columns)
    var text = try screen.lines(height: lines - help.count)
    text += Array(repeating: "", count: max(0, lines - help.count - text.count))
    terminal.show(text + help)
  }

  private func helpLines(_ columns: Int) -> [String] {
    if let number { return [DisplayWidth.cut("Go to event: \(number)_", to: columns)] }
    let state = isPlaying ? "Playing at \(Decimal.text(speed, digits: 2))x. " : ""
    let said = TextWrap.lines(state + (message ?? ""), width: columns).filter { !$0.isEmpty }
    let lines = said + LaneLegend.lines(PlayKey.help, width: columns)
    return lines.prefix(2).map(style.dim)
  }

  /// The time until the next event, in milliseconds.
  private mutating func pause() throws -> Int {
    guard let next = try played.nextTime(), let time = played.now.event?.row?.time else {
      return 20
    }
    let idle = min(max(0, next &- time), Self.idle)
    return max(20, Int(Double(idle) / speed / 1_000))
  }
}

// What keys do.
extension PlayLoop {
  private mutating func take(_ key: PlayKey) throws {
    if number != nil, try type(key) { return }
    switch key {
    case .forward: try step(1)
    case .back: try step(-1)
    case .farForward: try step(10)
    case .farBack: try step(-10)
    case .first: try go(to: 0)
    case .last: try go(to: .max)
    case .nextFinding: try find(isBackward: false)
    case .findingBefore: try find(isBackward: true)
    case .play: isPlaying = try !isPlaying && !played.isAtEnd()
    case .faster: speed = min(1_024, speed * 2)
    case .slower: speed = max(1.0 / 64, speed / 2)
    case .number: number = ""
    case .digit, .erase, .enter, .cancel, .quit: break
    }
    if key == .faster || key == .slower {
      message = "Speed \(Decimal.text(speed, digits: 2))x."
    }
  }

  /// Whether the key belongs to a number that is being typed.
  private mutating func type(_ key: PlayKey) throws -> Bool {
    switch key {
    case .digit(let digit):
      if number?.count ?? 0 < 18 { number?.append(digit) }
    case .erase: number = number.map { String($0.dropLast()) }
    case .enter:
      if let seq = number.flatMap({ Int64($0) }) { try go(to: seq) }
      number = nil
    case .cancel: number = nil
    default:
      number = nil
      return false
    }
    return true
  }

  private mutating func step(_ count: Int) throws {
    isPlaying = false
    for _ in 0..<abs(count) {
      guard try count > 0 ? played.forward() : played.back() else {
        message = count > 0 ? "This is the last event." : "This is the first event."
        return
      }
    }
  }

  private mutating func go(to seq: Int64) throws {
    isPlaying = false
    try played.go(to: seq)
  }

  private mutating func find(isBackward: Bool) throws {
    guard let seq = played.finding(isBackward: isBackward) else {
      message = "No finding \(isBackward ? "before" : "after") this event."
      return
    }
    try go(to: seq)
  }
}
