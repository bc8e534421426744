import Staty
package import StatyHistory

/// Checks each event of a session with the ordering rules, while a fold follows the visits.
package struct RuleJudge: SessionJudge {
  package static let edition = 18

  private let session: Int64
  /// In microseconds, because every event is compared with them.
  private let (patience, slowEnter, slowExit, doublePush): (Int64, Int64, Int64, Int64)
  /// By the places of the controllers.
  private var watches: [HandlingWatch] = []
  /// By the places of the controllers, the number of each to which something has happened; otherwise 0.
  private var busy: [Int32] = []
  private var recent = RecentEvents()
  private var lastInput: Int64 = 0
  private var mirrors = MirrorWatch()
  private var found = Found()
  private let table = RuleTable.shared

  init(session: Int64, options: CheckOptions) {
    self.session = session
    patience = options.patience.inMicroseconds
    slowEnter = options.slowEnter.inMicroseconds
    slowExit = options.slowExit.inMicroseconds
    doublePush = options.doublePush.inMicroseconds
  }

  package mutating func pass(_ row: EventRow) {
    recent.add(row)
    mirrors.pass(row, &found)
  }

  package mutating func take(_ change: borrowing VisitChange) {
    var context = EventContext(
      lastInput: lastInput, slowEnter: slowEnter, slowExit: slowExit, doublePush: doublePush)
    let number = change.row.cause
    if number != 0 { context.cause = recent.event(number) }
    recent.add(change.row, mayHaveExited: change.mayHaveExited)
    guard let kind = EventKind(rawValue: change.row.kind) else { return }
    if kind.isInputOfApp { lastInput = change.row.seq }
    let place = change.place
    while busy.count <= place { busy.append(0) }
    if busy[place] == 0, kind.isJudged { busy[place] = change.row.controller }
    if change.fidelity == .full {
      while watches.count <= place { watches.append(HandlingWatch()) }
      if change.hasLost { watches[place] = HandlingWatch() }
      context.intruder = watches[place].take(change.row, kind, cause: context.cause)
    }
    table.judge(change, kind, in: context, &found)
    mirrors.take(change, kind, &found)
    if !change.remarks.isEmpty {
      for remark in change.remarks { found.report(MessageRules.finding(remark)) }
    }
  }

  /// The controllers to which something has happened that a rule could judge.
  var judged: Set<Int32> { Set(busy).subtracting([0]) }

  func mirrorObstacles(at time: Int64) -> [(track: Int32, obstacle: MirrorWatch.Obstacle)] {
    mirrors.obstacles(at: time)
  }

  mutating func drain() -> [Finding] {
    guard !found.findings.isEmpty else { return [] }
    defer { found.findings.removeAll(keepingCapacity: true) }
    return found.findings.map(labelled)
  }

  func findings(at ending: SessionEnding) -> [Finding] {
    var findings = MessageRules.findings(at: ending, patience: patience)
    if ending.isWhole { mirrors.end(at: ending.time, &findings) }
    for ending in ending.visits {
      let watch = ending.place < watches.count ? watches[ending.place] : HandlingWatch()
      let end = EndContext(lastTopInput: watch.lastTopInput, patience: patience)
      for rule in RuleTable.rules where rule.speaks(ending.fidelity) {
        rule.judge(ending, in: end, &findings)
      }
    }
    return findings.map(labelled).sorted()
  }

  private func labelled(_ finding: Finding) -> Finding {
    var finding = finding
    finding.session = session
    return finding
  }

  package mutating func drain(naming name: @escaping (Int32) -> String?) -> [FindingRecord] {
    drain().map { $0.record(naming: name, isFinal: true) }
  }

  package func findings(
    at ending: SessionEnding, naming name: @escaping (Int32) -> String?
  ) -> [FindingRecord] {
    findings(at: ending).map { $0.record(naming: name, isFinal: false) }
  }
}

extension EventKind {
  /// Whether the app does it: what stood tells only of earlier inputs.
  var isInputOfApp: Bool {
    side == .input && self != .attached && self != .detached && self != .stood
  }

  /// Whether it is something that happens, and not only the beginning or the end of a recording.
  fileprivate var isJudged: Bool {
    switch self {
    case .attached, .stood, .detached, .mark: false
    default: true
    }
  }
}

extension HistoryWriter {
  /// Stores the findings of each session with its events from now on.
  package func judge(_ options: CheckOptions = CheckOptions()) {
    makeJudge = { RuleJudge(session: $0, options: options) }
  }
}
