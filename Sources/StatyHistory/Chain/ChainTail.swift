/// One row of the checksum chain: a run of stored events.
struct ChainRun: Equatable {
  var first: Int64
  var last: Int64
  /// How many events.
  var count: Int64
  /// The sums of its events' hashes and what the run before it hands on.
  ///
  /// A sum, so that an event that comes late can be added to the run in which it belongs; each
  /// event's own place is part of its hash.
  var sum: UInt64

  /// What a run with this sum hands on to the next.
  static func link(_ sum: UInt64) -> UInt64 {
    ContentHash.fold(sum, 0x5354_5459)
  }
}

extension SessionRecord {
  /// What stands before the session's first run: the session itself.
  var chainSeed: UInt64 {
    let texts = [uuid, app, appVersion, os].map(ContentHash.text)
    var seed = texts.dropFirst().reduce(texts[0]) { ContentHash.fold($0, $1) }
    seed = ContentHash.fold(seed, UInt64(UInt32(bitPattern: pid)))
    return ContentHash.fold(seed, UInt64(bitPattern: wallTime))
  }
}

/// The growing end of a session's chain.
struct ChainTail {
  /// How many events a run may have; one that comes late is let in beyond that.
  var longest: Int64 = 4_096
  /// How many bytes of payloads and notes a run may have.
  static let mostBytes = 1 << 17

  /// The sum before the last run.
  private var previous: UInt64
  /// The last run, if there is one.
  private(set) var run: ChainRun?
  /// The runs that were filled since they were last taken.
  private var filled: [ChainRun] = []
  /// The bytes of the last run's payloads that were added here.
  private var bytes = 0

  init(previous: UInt64, run: ChainRun?) {
    self.previous = previous
    self.run = run
  }

  /// Adds an event whose number is higher than those of all runs but the last.
  @inline(__always)
  mutating func add(_ seq: Int64, _ hash: UInt64) {
    guard var open = run, open.count < longest, bytes < Self.mostBytes else {
      begin(seq, hash)
      return
    }
    open.last = max(open.last, seq)
    open.count += 1
    open.sum &+= hash
    run = open
  }

  /// Counts the bytes that the event which was added last has.
  mutating func addBytes(_ count: Int) { bytes += count }

  @inline(never)
  private mutating func begin(_ seq: Int64, _ hash: UInt64) {
    if let run {
      // An event below a full run's last number belongs into that run, full or not.
      if seq < run.last {
        self.run = ChainRun(
          first: run.first, last: run.last, count: run.count + 1, sum: run.sum &+ hash)
        return
      }
      filled.append(run)
      previous = run.sum
    }
    bytes = 0
    run = ChainRun(first: seq, last: seq, count: 1, sum: ChainRun.link(previous) &+ hash)
  }

  /// Every run that has changed since this was last called.
  mutating func takeChanged() -> [ChainRun] {
    defer { filled = [] }
    return filled + (run.map { [$0] } ?? [])
  }
}
