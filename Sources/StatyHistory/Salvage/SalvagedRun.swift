/// What is left of a run of events, and what their checksum says of it.
struct SalvagedRun {
  enum Verdict {
    /// Each is as it was stored.
    case verified
    /// Nobody can say so: with events that are missing the checksum says nothing of the others.
    case unverified
    /// At least one is not as it was stored, and which is not known.
    case altered
  }

  var rows: [EventRow] = []
  private(set) var details: [Int64: EventDetail] = [:]
  /// The numbers of events of which what stands beside the row cannot be read.
  private(set) var halves: Set<Int64> = []
  private(set) var verdict = Verdict.unverified
  /// The event of which a bit was put back, as its checksum has it.
  private(set) var mended: Int64?
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
    /// The numbers of events of which what stands beside the row is no text.
    var halves: Set<Int64> = []
    /// Whether something that the checksum is over may be lost or damaged elsewhere.
    var isOpen = false
  }

  /// Holds the pieces against a run of the chain.
  ///
  /// - Parameters:
  ///   - before: the sum that the run before hands on; none if that is not known.
  ///   - mends: whether a bit that was flipped is to be looked for, which takes a moment.
  init(
    _ pieces: Pieces, _ run: ChainRun?, before: UInt64?, _ hashes: ContentHashes, first: Int64,
    mends: Bool
  ) {
    rows = pieces.sound
    details = pieces.details
    halves = pieces.halves
    sum = run?.sum
    guard let run, let before else { return }
    let wanted = run.sum &- ChainRun.link(before)
    let all = Self.merged(pieces.sound, pieces.doubtful)
    var tries = [(pieces.sound, pieces.details)]
    if !pieces.doubtful.isEmpty { tries.append((all, pieces.details)) }
    if pieces.allDetails.count != pieces.details.count {
      tries += tries.map { ($0.0, pieces.allDetails) }
    }
    tries.removeAll { Int64($0.0.count) != run.count }
    for (rows, details) in tries {
      guard let found = Self.sum(rows, details, hashes, first) else { continue }
      // Else it is the chain's own row in which a bit was flipped.
      let isSame = found == wanted
      guard isSame || ((ChainRun.link(before) &+ found) ^ run.sum).nonzeroBitCount == 1 else {
        continue
      }
      (self.rows, self.details, verdict) = (rows, details, .verified)
      sum = ChainRun.link(before) &+ found
      return
    }
    if mends {
      for (rows, details) in tries {
        guard let mend = Mend(rows, details, hashes, first, wanted) else { continue }
        (self.rows, self.details, verdict) = (mend.rows, mend.details, .verified)
        mended = mend.seq
        return
      }
    }
    if Int64(pieces.sound.count) == run.count, !pieces.isOpen { verdict = .altered }
  }

  private static func merged(_ one: [EventRow], _ other: [EventRow]) -> [EventRow] {
    other.isEmpty ? one : (one + other).sorted { $0.seq < $1.seq }
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
