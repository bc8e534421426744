import Staty
import StatyHistory
import StatyReading
import StatyReplay
import StatyRules
import StatyText

/// Why something happened, in words and as JSON.
struct WhyReport {
  let asked: WhyQuestion
  let why: Why
  private let history: OpenHistory
  let words: EventWords
  private let tool: String
  /// Which visit is on screen, and what it waits for, if the one that is asked about is not.
  private let holding: [String]
  /// The edit that brings the nearest order about, and whether something else stays open then.
  private let edit: (options: String, isOpen: Bool)?
  /// The options with which it was tried.
  private let scope: [String]
  /// The controller that it is about, if this tool cannot make it.
  private let unknown: ControllerRecord?
  /// Whose event it is, if there are several controllers: each may have a visit of the same number.
  private let its: String
  /// The values of the messages in the chain, by the numbers of their events.
  private let values: [Int64: String]

  init(
    _ asked: WhyQuestion, _ why: Why, _ history: OpenHistory, _ registry: ControllerRegistry,
    tool: String
  ) throws {
    (self.asked, self.why, self.history, self.tool) = (asked, why, history, tool)
    let controllers = try history.reader.controllers(session: asked.session.id)
    let known = Set(controllers.filter { registry.contains($0.kind) }.map(\.id))
    words = try EventWords(history.reader, session: asked.session.id)
    let guilty = why.chain.last { $0.seq == asked.question.seq }?.controller
    unknown = controllers.first { $0.id == guilty && !known.contains($0.id) }
    values = try history.values(of: why.chain)
    let owner = controllers.count > 1 ? controllers.first { $0.id == guilty } : nil
    its = owner.map { " of '\($0.name.visible)'" } ?? ""
    holding = try Self.holding(asked, history.reader, words)
    let sessions = try history.reader.sessions().count
    scope =
      (sessions > 1 ? ["--session", "\(asked.session.id)"] : [])
      + (known.count == controllers.count
        ? []
        : controllers.filter { known.contains($0.id) }
          .flatMap { ShellWords.option("--controller", $0.name) })
    edit = try Self.edit(asked, why.nearest, history.reader) { options in
      try WhatIf(
        history.reader, session: asked.session.id, only: known, registry: registry,
        options: options
      ).run()
    }
  }

  /// How long the user may have waited until everything had settled, in milliseconds.
  private static let patience: [Int64] = [100, 300, 600, 1_000, 2_000, 5_000]

  /// The options of a replay that brings the nearest order about; `nil` if no edit does.
  ///
  /// Other things may then come at other times: it is tried before it is advised.
  private static func edit(
    _ asked: WhyQuestion, _ nearest: NearestOrder?, _ reader: HistoryReader,
    _ play: (WhatIf.Options) throws -> WhatIfResult
  ) throws -> (options: String, isOpen: Bool)? {
    guard let nearest, case .finding(let finding) = asked.question else { return nil }
    for edits in try edits(of: nearest, reader, session: asked.session.id) {
      var options = WhatIf.Options()
      options.edits = edits
      let seqs = edits.map(\.seq)
      let played = try play(options)
      // What was dropped cannot be broken either.
      let isPlayed = !played.assumptions.contains {
        switch $0 {
        case .noEffect: true
        case .notAsked(let seq, _, _), .unasked(let seq, _, _), .leftOut(let seq, _, _, _),
          .notTaken(let seq, _):
          seqs.contains(seq)
        default: false
        }
      }
      let isGone =
        isPlayed && !played.findings.contains { $0.code == finding.code }
        && (!nearest.isClean || played.decisive.isEmpty)
      if isGone, played.doubts.allSatisfy({ $0.isOnlyAboutOther(than: finding) }) {
        let words = edits.map { "--" + "\($0)" }.joined(separator: " ")
        return (words, !played.doubts.isEmpty)
      }
    }
    return nil
  }

  /// The edits that may bring an order about, to be tried one after the other.
  private static func edits(
    of nearest: NearestOrder, _ reader: HistoryReader, session: Int64
  ) throws -> [[Edit]] {
    if let seq = nearest.finished { return [[.finish(seq)]] }
    guard let delay = nearest.delay, let late = try reader.event(delay.seqs[0], session: session)
    else { return [] }
    let other = try delay.behind.flatMap { try reader.event($0, session: session) }
    if delay.behind != nil, other == nil { return [] }
    let times = other.map { [max(0, $0.time - late.time) / 1_000 + 1] } ?? patience
    return times.map { time in delay.seqs.map { .delay($0, time * 1_000) } }
  }

  /// Asks why, and answers.
  ///
  /// - Parameters:
  ///   - text: what is asked about; `nil` for the first finding.
  ///   - time: how long the nearest order is searched for.
  init(
    _ text: String?, _ sessions: [SessionRecord], _ choice: SessionChoice, _ history: OpenHistory,
    _ reader: HistoryReader, _ run: ToolRun, time: Duration = .seconds(2)
  ) throws {
    let asked = try WhyQuestion(text, sessions, choice, reader)
    if let visit = asked.visit, asked.candidates > 1 {
      run.note(
        "Note: \(asked.candidates) visits are called #\(visit.number); this is that of "
          + "'\(visit.controller.name.visible)' in session \(asked.session.id). '--session' and "
          + "'--controller' choose another.")
    }
    let why = try Why(
      asked.question, reader, session: asked.session.id, registry: run.registry, time: time)
    try self.init(asked, why, history, run.registry, tool: run.tool)
  }

  /// Whether it is about what two tracks show.
  private var isComparison: Bool {
    if case .finding(let finding) = asked.question { finding.code == .mirror } else { false }
  }

  /// What is asked about, in a sentence.
  var subject: String {
    switch asked.question {
    case .finding(let finding):
      return
        "\(finding.severity.rawValue)[\(finding.code.rawValue)] at event \(finding.seq)\(its): "
        + finding.sentence(words)
    case .event(let row):
      let visit = words.visit(row.visit, row.state)
      return "Event \(row.seq): \(row.happening)\(visit.isEmpty ? "" : " \(visit)")."
    }
  }

  /// What the visit waits for that is asked about, or that misses something.
  private static func holding(
    _ asked: WhyQuestion, _ reader: HistoryReader, _ words: EventWords
  ) throws -> [String] {
    let visit: (number: UInt32, controller: Int32)
    if let asked = asked.visit {
      visit = (asked.number, asked.controller.id)
    } else if case .finding(let finding) = asked.question, finding.code.isAboutMissing {
      visit = (finding.visit, finding.controller)
    } else {
      return []
    }
    var fold = VisitFold(asked.session, try reader.controllers(session: asked.session.id))
    var events = try SessionEvents(reader, session: asked.session)
    while let row = try events.next() { _ = fold.take(row, events.detail) }
    guard let overview = fold.overview(of: visit.controller) else { return [] }
    func called(_ visit: OpenVisit) -> String { words.visit(visit.visit, visit.state) }
    func waiting(_ visit: OpenVisit) -> String {
      switch visit.progress {
      case .entering:
        "\(called(visit)) was told to enter in event \(visit.since.seq) and has not reported that it has."
      case .exiting:
        "\(called(visit)) was told to exit in event \(visit.since.seq) and has not reported that it has."
      default: "\(called(visit)) is on screen since event \(visit.since.seq)."
      }
    }
    if let own = overview.onStage.first(where: { $0.visit == visit.number }) {
      return own.isMoving ? [waiting(own)] : []
    }
    guard overview.waiting.contains(where: { $0.visit == visit.number }) else { return [] }
    let before = overview.waiting.prefix { $0.visit != visit.number }
    let line =
      before.isEmpty
      ? [] : ["Pending before it: " + before.map(called).joined(separator: ", ") + "."]
    return
      (overview.onStage.isEmpty
      ? ["Nothing is on screen, and it was not told to enter."] : overview.onStage.map(waiting))
      + line
  }

  /// The nearest order without it, or why none is known.
  var nearest: String {
    guard let nearest = why.nearest else {
      return switch why.missing {
      case .notPlayed, nil:
        unknown.map {
          $0.isOfPlatform
            ? "It is not known: what is on screen is not played again."
            : "It is not known: this tool cannot run '\($0.name.visible)'."
        } ?? "It is not known: its recording cannot be played."
      case .notReproduced where isComparison:
        "It is not known: this finding compares two tracks, and what is played has one of them."
      case .notReproduced: "It is not known: played in the recorded order, it does not happen."
      case .everyOrder:
        "It happens in every order that was tried: each has one thing at another place, near this one."
      case .time: "None was found in the time; '--time' gives more."
      }
    }
    let steps = StepWords(nearest.scenario)
    let rest = nearest.isClean ? "." : ", though that breaks \(nearest.broken.listed)."
    let change =
      switch nearest.change {
      case .earlier(let moved, let before):
        "\(steps.noun(moved)) came before \(steps.noun(before))"
      case .later(let moved, let behind):
        "\(steps.noun(moved)) came only after \(steps.noun(behind))"
      case .patient(let step): "\(steps.noun(step)) came when everything before it had settled"
      case .finished(let step): "\(steps.noun(step)) came with 'finished: true'"
      }
    return "It would not happen if \(change)" + rest
  }

  /// What the events of the chain are.
  private var heading: String {
    if why.beside.isEmpty { return "What led to it" }
    if case .event = asked.question { return "What led to it, and what came meanwhile" }
    return "What led to it, and what it is compared with"
  }

  /// That nothing led to it, and what to change in the class; `nil` if something did.
  private var unexplained: String? {
    guard why.isUnexplained, let id = why.chain.last?.controller else { return nil }
    let name = words.controllers[id].map { "'\($0.name.visible)'" } ?? "its controller"
    let gap = ReplayDoubt.Unbracketed.unreported
    return "\(gap.sentence(asked.question.seq, name)) \(gap.advice)"
  }

  func text(_ page: TextSections) -> String {
    let chain = words.lines(
      why.chain, marked: asked.question.seq, values: values, width: page.width - 2)
    let step = edit.map { edit in
      let words = [tool, "replay", edit.options] + scope + [ShellWords.quoted(history.path)]
      return NextSteps.Step(
        text: edit.isOpen
          ? "Play that order, in which it is open how something else ends:" : "Play that order:",
        command: words.joined(separator: " "))
    }
    let parts = [
      page.block(subject)
        + page.block("\(history.called), session \(asked.session.id).", indent: 2),
      page.heading(heading) + chain.map { "  \($0)\n" }.joined()
        + (unexplained.map { page.block($0, indent: 2) } ?? ""),
      page.section("What it waits for", holding),
      page.section("The nearest order without it", [nearest]),
      page.steps(
        step.map { [$0] }
          ?? unknown.map { [NextSteps.toMake($0, history.path)] } ?? []),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  var json: JSONValue {
    let finding: JSONValue =
      if case .finding(let found) = asked.question { .text(found.code.rawValue) } else { .null }
    let nearest: JSONValue =
      why.nearest.map { nearest in
        .object([
          "delayed": nearest.delay.map { .whole($0.seqs[0]) } ?? .null,
          "behind": nearest.delay.flatMap(\.behind).map { .whole($0) } ?? .null,
          "change": .text(nearest.change.word), "clean": .bool(nearest.isClean),
          "edit": .text(edit?.options),
        ])
      } ?? .null
    return .object([
      "file": .text(history.path), "session": .whole(asked.session.id),
      "seq": .whole(asked.question.seq), "code": finding, "subject": .text(subject),
      "chain": .list(
        why.chain.map { row in
          .object([
            "seq": .whole(row.seq), "controller": .text(words.controllers[row.controller]?.name),
            "what": .text(row.happening), "visit": .whole(row.visit),
            "name": .text(words.name(row.state)), "site": .text(words.site(row)),
          ])
        }),
      "unexplained": .bool(why.isUnexplained), "waits_for": .list(holding.map { .text($0) }),
      "nearest": nearest,
      "missing": .text(why.missing?.rawValue), "sentence": .text(self.nearest),
    ])
  }
}

extension RuleCode {
  /// Whether it is about something that a visit waits for.
  fileprivate var isAboutMissing: Bool {
    switch self {
    case .neverEntered, .neverArrived, .neverExited: true
    default: false
    }
  }
}

extension ReplayDoubt {
  /// Whether it leaves open only whether another finding is gone: that of a state that never answers.
  fileprivate func isOnlyAboutOther(than finding: Finding) -> Bool {
    if case .unanswered(let seq, _, _) = self { seq != finding.seq } else { false }
  }
}
