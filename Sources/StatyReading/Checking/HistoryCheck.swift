import Staty
package import StatyHistory
package import StatyRules

/// Checks a history against the ordering rules.
///
/// It reads the file once, with some thousand events in memory at a time.
package struct HistoryCheck {
  private let reader: HistoryReader
  private let options: CheckOptions

  /// The result of the check of a session.
  package struct Result: Sendable {
    /// The session.
    package let session: Int64
    /// The errors and warnings, sorted by the number of their event, then by code.
    package let findings: [Finding]
    /// The notes, in the same order.
    package let notes: [Finding]
    /// The rules that could not judge, with reasons.
    package let silent: [SilentRule]
    /// The controllers to which something has happened that a rule could judge.
    package let judged: Set<Int32>
    /// The missing parts of the session, which were not judged.
    package let losses: [LossRecord]
    /// The messages with values that were too long and are not whole, by their tracks.
    package let cut: [CutMessages]
  }

  /// The messages of a track with values that were too long: a replay cannot tell them.
  package struct CutMessages: Hashable, Sendable {
    package let controller: Int32
    package let count: Int
    package let first: Int64
  }

  /// A rule that cannot judge a controller, because the recording does not contain enough.
  package struct SilentRule: Hashable, Sendable {
    /// The rule.
    package let code: RuleCode
    /// The number of the controller in the file.
    package let controller: Int32
    /// The reason, in one sentence.
    package let reason: String
  }

  /// Creates a check of a reader's file.
  package init(_ reader: HistoryReader, options: CheckOptions = CheckOptions()) {
    self.reader = reader
    self.options = options
  }

  /// Checks every session, in the order of their events' numbers.
  package func file() throws -> [Result] {
    try reader.consistently {
      let names = try reader.names()
      return try reader.sessions().map { try check($0, names: names) }
    }
  }

  /// Checks one session.
  ///
  /// - Parameters:
  ///   - id: the session.
  ///   - last: the number of the last event to check, as if the recording had ended there; by
  ///     default the session's last event.
  package func session(_ id: Int64, through last: Int64? = nil) throws -> Result {
    try reader.consistently {
      try check(reader.session(id), through: last, names: reader.names())
    }
  }

  private func check(
    _ session: SessionRecord, through last: Int64? = nil, names: [Int32: String]
  ) throws -> Result {
    let controllers = try reader.controllers(session: session.id)
    var checker = SessionChecker(
      session: session.id, controllers: controllers, firstSeq: session.firstSeq, options: options)
    checker.learn(names: names)
    let events = try EventBatches(reader, session: session, through: last, isAhead: true)
    defer { events.letGo() }
    var losses = events.losses[...]
    var endTime = Int64(0)
    var messages = TrackMessages(controllers)
    while let batch = try events.next() {
      batch.give(to: &checker, &losses)
      messages.take(batch)
      endTime = batch.rows.last?.time ?? endTime
    }
    for loss in losses { checker.lose(loss) }
    if last == nil { endTime = session.endTime }
    let isCut = last != nil || session.isCut
    let all = (checker.drain() + checker.findingsAtEnd(endTime: endTime, isCut: isCut)).sorted()
    return Result(
      session: session.id, findings: all.filter { $0.severity != .note },
      notes: all.filter { $0.severity == .note },
      silent: controllers.flatMap(SilentRule.all) + messages.silent
        + SilentRule.mirrors(controllers, checker.mirrorObstacles(endTime: endTime)),
      judged: checker.judged.union(all.map(\.controller)),
      losses: events.losses, cut: try reader.cutMessages(of: session))
  }
}

extension HistoryCheck.SilentRule {
  /// The rules that cannot judge a controller.
  static func all(_ controller: ControllerRecord) -> [Self] {
    let fidelity = Fidelity(rawValue: controller.fidelity) ?? .threeKind
    return RuleCode.silent(fidelity).map { code, needs in
      Self(code: code, controller: controller.id, reason: reason(needs, fidelity))
    }
  }

  private static func reason(_ needs: Fidelity, _ fidelity: Fidelity) -> String {
    if needs == .full, fidelity == .ordered {
      return "The rule needs causes, and the recording is ordered: it has the order alone."
    }
    return needs == .full
      ? "The rule needs causes, and the recording is three-kind: it has none."
      : "The rule needs what the controller told its states, and the recording is three-kind."
  }
}

/// What the messages of each variable say about its answers, to tell where none could be called late.
private struct TrackMessages {
  private struct Track {
    var messages = 0
    var answers = 0
    /// Whether a message came between a question and its answer.
    var hasCrossed = false
    /// The last change of such an answer that may show something else; 0 if there was none.
    var hidden: Int64 = 0
    /// The last message and what it answers, and the last one before it that answers something else.
    private var last: (seq: Int64, question: Int64) = (0, 0)
    private var before: Int64 = 0
    /// The answer that came behind a newer message, if it is the last message.
    private var crossing: Int64 = 0
    /// The shown visit, and the last message that set it anew without saying what it shows.
    private var visit: UInt32 = 0
    private var setAnew: Int64 = 0

    mutating func take(_ row: EventRow, _ equality: UInt32) {
      let isMessage = row.kind == EventKind.received.rawValue
      let isCrossing =
        row.ownCause != 0 && (last.question == row.ownCause ? before : last.seq) > row.ownCause
      if isMessage { crossing = isCrossing ? row.seq : 0 }
      // A change that a call causes later is its answer.
      if row.ownCause != 0 {
        answers += 1
        if isCrossing { hasCrossed = true }
      } else if isMessage {
        messages += 1
      }
      if isMessage {
        if row.ownCause != last.question { before = last.seq }
        last = (row.seq, row.ownCause)
      } else {
        set(row, equality, isOfCrossing: isCrossing || row.inside != 0 && row.inside == crossing)
      }
    }

    private mutating func set(_ row: EventRow, _ equality: UInt32, isOfCrossing: Bool) {
      let isAnew = row.visit == visit && equality == Fingerprint.none
      visit = row.visit
      let question = row.ownCause != 0 ? row.ownCause : last.question
      if isOfCrossing, equality == Fingerprint.unknown || isAnew && setAnew > question {
        hidden = row.seq
      } else if isAnew, row.inside != 0, last.question == 0 {
        // An equal phase is set only if something besides it has changed.
        setAnew = row.inside
      }
    }
  }

  private var tracks: [Int32: Track] = [:]

  init(_ controllers: [ControllerRecord]) {
    for track in controllers where track.isStateTrack { tracks[track.id] = Track() }
  }

  mutating func take(_ batch: EventBatch) {
    if tracks.isEmpty { return }
    var details = batch.details[...]
    for row in batch.rows {
      while let first = details.first, first.seq < row.seq { details.removeFirst() }
      guard row.kind == EventKind.received.rawValue || row.kind == EventKind.moved.rawValue else {
        continue
      }
      let detail = details.first.flatMap { $0.seq == row.seq ? $0 : nil }
      tracks[row.controller]?.take(row, detail?.equality ?? Fingerprint.none)
    }
  }

  /// The rule that cannot judge them.
  var silent: [HistoryCheck.SilentRule] {
    tracks.sorted { $0.key < $1.key }.compactMap { number, track in
      Self.reason(track).map {
        HistoryCheck.SilentRule(code: .lateAnswer, controller: number, reason: $0)
      }
    }
  }

  private static func reason(_ track: Track) -> String? {
    if track.hidden != 0 {
      return
        "An answer behind a newer message set the same state (event \(track.hidden)), and whether it "
        + "shows something else was not recorded: see 'showing' of the track's 'moved'."
    }
    if track.hasCrossed { return nil }
    if track.answers > 0 {
      return "No recorded answer came behind a newer message."
    }
    return switch track.messages {
    case 0: "No message was recorded of it, so no answer is known: see 'received' of the track."
    // A single message has nothing to answer.
    case 1: nil
    default: "No message says which one it answers: see 'answering' of the track's 'received'."
    }
  }
}

extension HistoryCheck.SilentRule {
  /// The mirrors that could not be compared.
  static func mirrors(
    _ controllers: [ControllerRecord], _ obstacles: [(track: Int32, obstacle: MirrorWatch.Obstacle)]
  ) -> [Self] {
    let declared = controllers.filter(\.isTrack).flatMap { controller in
      controller.mirrors.map { (controller: controller.id, pair: $0.pair) }
    }
    let sides = Dictionary(grouping: declared, by: \.pair)
    let alone = Set(sides.values.filter { $0.count == 1 }.map { $0[0].controller })
    func rule(_ controller: Int32, _ reason: String) -> Self {
      Self(code: .mirror, controller: controller, reason: reason)
    }
    return alone.sorted().map { rule($0, "The track that it mirrors was not recorded.") }
      + obstacles.map { rule($0.track, reason($0.obstacle)) }
  }

  private static func reason(_ obstacle: MirrorWatch.Obstacle) -> String {
    switch obstacle {
    case .unlike: "No element has the same name in both tracks: name their elements alike."
    case .unheard:
      "The path had moves before its recording began, and none since, so it is not known what it holds."
    case .lost: "Events were lost, and behind them it is not known what the path holds."
    case .silence:
      "Both differed for longer than the declared time while nothing was recorded. The app may have been "
        + "suspended, so that does not count: in a test, end the recording while they differ."
    case .early:
      "The tracks differed at the end, for less than the declared time: record longer, or declare less, "
        + "with 'within:'."
    }
  }
}
