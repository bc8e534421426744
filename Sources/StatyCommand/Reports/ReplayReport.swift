/// What replays of many sessions come to, told as they are done: one session is explained, of many
/// each gets a line.
struct ReplayReport<Replay: RepeatedReplay> {
  private let isJSON: Bool
  private let isOne: Bool
  private let run: ToolRun
  private let delivery: Delivery
  private var json: [JSONValue] = []
  private var counts: [String: Int] = [:]
  private var isExplained = false

  /// - Parameter isOne: whether there is but one file.
  init(isJSON: Bool, isOne: Bool, run: ToolRun, delivery: Delivery) {
    self.isJSON = isJSON
    self.isOne = isOne
    self.run = run
    self.delivery = delivery
  }

  /// Takes in the replays of a file's sessions.
  mutating func add(_ replays: [Replay]) throws {
    for replay in replays { counts[replay.verdictName, default: 0] += 1 }
    if isJSON {
      json += try replays.map { try $0.json }
    } else if isOne, replays.count == 1, !run.isQuiet {
      isExplained = true
      try delivery.write(
        try replays[0].explanation(width: run.console.width, style: run.style))
    } else {
      for replay in replays where !(run.isQuiet && replay.status == .done) {
        try delivery.write(try replay.line(run.style) + "\n")
      }
    }
  }

  /// Tells what was kept for the end, and the sum, unless nothing could be looked at.
  func finish() throws {
    if isJSON {
      try delivery.write(object.pretty)
    } else if !isExplained, !run.isQuiet, !counts.isEmpty {
      try delivery.write(TextSections(width: run.console.width, style: run.style).sum(sumLine))
    }
    try delivery.finish()
  }

  private var sumLine: String {
    let parts = Replay.verdicts.map { "\(counts[$0] ?? 0) \($0)" }
    return Decimal.count(counts.values.reduce(0, +), "session") + ": "
      + parts.joined(separator: ", ") + "."
  }

  private var object: JSONValue {
    .object([
      "replays": .list(json),
      "sum": .object(
        Replay.verdicts.map { (key: $0, value: .whole(counts[$0] ?? 0)) }),
    ])
  }
}
