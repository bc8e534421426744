import Staty
import StatyHistory

/// Knows in which calls from outside observers heard of something late, and who had a part in them.
///
/// What is made while another event of the same controller is on its way to observers reaches them
/// when that one has reached all of them. The controller does at once what it does about it; what
/// observers do comes later. So something is told in it though something was told further out in
/// between, and that is how it is known. Which of what was made in such a call came when the recording
/// does not say.
///
/// Only what controllers were told counts. What they decided is what a replay compares, and a decision
/// that stands in a wrong place must not excuse itself.
struct LateHearing {
  /// All that happened in one call from outside.
  struct Nest {
    fileprivate(set) var first: Int64 = 0
    fileprivate(set) var last: Int64 = 0
    /// Those who had a part.
    fileprivate(set) var controllers: Set<Int32> = []
    /// The number of the first input that was told late; 0 if none was.
    fileprivate(set) var late: Int64 = 0
    private var latest: Int32 = 0
    /// What nothing later was told further out than, the innermost last.
    private var told: [(seq: Int64, cause: Int64)] = []

    fileprivate mutating func join(_ row: EventRow) {
      last = row.seq
      guard row.controller != latest else { return }
      latest = row.controller
      controllers.insert(row.controller)
    }

    /// - Returns: whether this is the first that was told late.
    fileprivate mutating func take(_ row: EventRow) -> Bool {
      while let last = told.last, last.cause >= row.cause { told.removeLast() }
      let isNews = late == 0 && told.last.map { $0.seq > row.cause } ?? false
      if isNews { late = row.seq }
      if told.count == LateHearing.deepest { told.removeFirst(told.count / 2) }
      told.append((row.seq, row.cause))
      return isNews
    }

    /// What it has shown so far is over.
    fileprivate mutating func forget() {
      (late, told) = (0, [])
    }
  }

  /// From this number on, threads are not told apart.
  private static let threads = 63
  /// So many calls in each other are remembered: more would be too many for a thread's stack.
  private static let deepest = 1_024
  private var nests = Array(repeating: Nest(), count: threads)
  /// Those over by now that something was heard late in.
  private var late: [Nest] = []
  /// The threads that are in such a one.
  private var lateThreads: Set<Int> = []

  /// Takes in the next event of the recording.
  mutating func take(_ row: EventRow) {
    let thread = Int(row.thread)
    guard thread < Self.threads, let kind = EventKind(rawValue: row.kind), kind.side != .note else {
      return
    }
    // A step that was put off names what put it off, and mostly comes from outside.
    if row.isOutermost || kind == .resumed {
      if lateThreads.remove(thread) != nil { late.append(nests[thread]) }
      nests[thread] = Nest()
      nests[thread].first = row.seq
    }
    nests[thread].join(row)
    if kind.side == .input, kind != .resumed, row.cause != 0, nests[thread].take(row) {
      lateThreads.insert(thread)
    }
  }

  /// Those that something was heard late in and that began before this number.
  func begun(by seq: Int64) -> [Nest] {
    if late.isEmpty, lateThreads.isEmpty { return [] }
    return (late + lateThreads.sorted().map { nests[$0] }).filter { $0.first <= seq }
  }

  /// Forgets those that were over before this number.
  mutating func forget(before seq: Int64) {
    late.removeAll { $0.last < seq }
    for thread in lateThreads where nests[thread].last < seq {
      nests[thread].forget()
      lateThreads.remove(thread)
    }
  }
}
