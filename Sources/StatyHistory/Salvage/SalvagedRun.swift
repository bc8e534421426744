/// What is left of a run of events, and what their checksum says of it.
struct SalvagedRun {
  enum Verdict: Equatable {
    /// Each is as it was stored.
    case verified
    /// Nobody can say so.
    case unverified(SalvageReport.Doubt)
  }

  /// If they are not verified, those on sound pages.
  private(set) var rows: [EventRow] = []
  private(set) var details: [Int64: EventDetail] = [:]
  private(set) var verdict: Verdict
  /// The event of which a bit was put back, as its checksum has it.
  private(set) var mended: Int64?
  /// Whether its checksum is over the session itself, too.
  private(set) var vouchesForSession = false
  /// The sum that is handed on to the next run; none if it is not known.
  private(set) var sum: UInt64?

  /// What may be on broken pages, by its number.
  struct Pieces {
    var sound: [EventRow] = []
    /// Of numbers of which there is no sound one.
    var doubtful: [EventRow] = []
    var details: [Int64: EventDetail] = [:]
    /// With what broken pages say, too.
    var allDetails: [Int64: EventDetail] = [:]
    /// Whether something that stood beside events may be missing.
    var isShort = false
  }

  /// What a run takes up.
  struct Link {
    /// The sum that the run before hands on.
    var sum: UInt64?
    /// Whether it is that of the run just before, as far as is known.
    var isNext = true
    /// Whether it is what stands for the session itself.
    var isSession = false
  }

  /// Events to which there is no checksum.
  init(unsummed pieces: Pieces) {
    (rows, details, verdict) = (pieces.sound, pieces.details, .unverified(.unchained))
  }

  /// Holds the pieces against a run of the chain.
  ///
  /// - Parameter budget: for a bit that was flipped; none is looked for if there is none.
  init(
    _ pieces: Pieces, _ run: ChainRun, after link: Link, _ hashes: ContentHashes, first: Int64,
    budget: MendBudget?
  ) {
    (rows, details) = (pieces.sound, pieces.details)
    sum = run.sum
    let isShort = pieces.isShort || Int64(pieces.sound.count) < run.count
    verdict = .unverified(
      link.sum == nil || !link.isNext ? .unchained : isShort ? .incomplete : .changed)
    guard let before = link.sum else { return }
    let tries = Self.tries(pieces)
    for (rows, details) in tries {
      guard let own = Self.sum(rows, details, hashes, first),
        let sum = Self.agreed(run.sum, before, own)
      else { continue }
      (self.rows, self.details, self.sum, verdict) = (rows, details, sum, .verified)
      vouchesForSession = link.isSession
      return
    }
    guard let budget, link.isNext, !pieces.isShort else { return }
    let mend = budget.mend(run.first) {
      let wanted = run.sum &- ChainRun.link(before)
      for (rows, details) in tries where Int64(rows.count) == run.count {
        if let mend = RunMend(rows, details, hashes, first, wanted, budget) { return mend }
      }
      return nil
    }
    guard let mend else { return }
    (rows, details, verdict) = (mend.rows, mend.details, .verified)
    mended = mend.seq
    vouchesForSession = link.isSession
  }

  /// The sum of a run whose events add up to `own`; none unless the stored one says the same, but for
  /// a bit that was flipped in it or in the one before.
  private static func agreed(_ stored: UInt64, _ before: UInt64, _ own: UInt64) -> UInt64? {
    let sum = ChainRun.link(before) &+ own
    if (sum ^ stored).nonzeroBitCount < 2 { return sum }
    let isNear = (0..<64).contains { ChainRun.link(before ^ 1 << $0) &+ own == stored }
    return isNear ? stored : nil
  }

  /// The sound rows and details, and with them those of which something else has to say that they are
  /// right.
  private static func tries(_ pieces: Pieces) -> [([EventRow], [Int64: EventDetail])] {
    var tries = [(pieces.sound, pieces.details)]
    if !pieces.doubtful.isEmpty {
      let all = (pieces.sound + pieces.doubtful).sorted { $0.seq < $1.seq }
      tries.append((all, pieces.details))
    }
    if pieces.allDetails.count != pieces.details.count {
      tries += tries.map { ($0.0, pieces.allDetails) }
    }
    return tries.filter { !$0.0.isEmpty }
  }

  private static func sum(
    _ rows: [EventRow], _ details: [Int64: EventDetail], _ hashes: ContentHashes, _ first: Int64
  ) -> UInt64? {
    var sum: UInt64 = 0
    for row in rows {
      guard let hash = hashes.hash(row, first: first) else { return nil }
      sum &+= hash
      guard let detail = details[row.seq] else { continue }
      guard let extra = hashes.hash(detail, first: first) else { return nil }
      sum &+= extra
    }
    return sum
  }
}
