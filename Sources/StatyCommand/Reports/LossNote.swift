import StatyHistory

/// A note that events of a session are missing, for the report of its findings.
struct LossNote {
  private let losses: [LossRecord]

  /// `nil` if nothing is missing.
  init?(_ losses: [LossRecord]) {
    if losses.isEmpty { return nil }
    self.losses = losses
  }

  /// How many events are missing.
  var count: Int64 { losses.reduce(0) { $0 &+ $1.count } }

  var sentence: String {
    let reasons = Set(losses.map(\.reason)).sorted().joined(separator: ", ")
    let first = losses[0]
    let place =
      losses.count > 1
      ? "in \(Decimal.count(losses.count, "gap")), the first from \(first.firstSeq) on"
      : first.firstSeq == first.lastSeq
        ? "number \(first.firstSeq)" : "from \(first.firstSeq) through \(first.lastSeq)"
    return
      "\(Self.missing(count)), \(place) (\(reasons.visible)). What they would show could not be "
      + "judged; of visits that were open there only what came after is known."
  }

  static func missing(_ count: Int64) -> String {
    Decimal.count(count, "event") + (count == 1 ? " is missing" : " are missing")
  }

  static func json(_ loss: LossRecord) -> JSONValue {
    .object([
      "first_seq": .whole(loss.firstSeq), "last_seq": .whole(loss.lastSeq),
      "count": .whole(loss.count), "reason": .text(loss.reason),
    ])
  }
}
