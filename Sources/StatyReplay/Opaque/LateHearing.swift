import Staty
import StatyHistory

/// Knows which controllers had a part in something that observers heard of late.
///
/// What is made while another event of the same controller is on its way to observers reaches them
/// when that one has reached all of them. The controller does at once what it does about it; what
/// observers do comes later. So something is told in it though something was told further out in
/// between, and that is how it is known.
///
/// Only what controllers were told counts. What they decided is what a replay compares, and a decision
/// that stands in a wrong place must not excuse itself.
struct LateHearing {
  private struct Told {
    let seq: Int64
    let cause: Int64
  }

  /// What is known of a thread since something came from outside.
  private struct Nest {
    /// Those who had a part.
    private(set) var controllers: Set<Int32> = []
    private var latest: Int32 = 0
    /// What nothing later was told further out than, the innermost last.
    private var told: [Told] = []
    private(set) var isLate = false

    /// - Returns: whether the controller had no part until now.
    mutating func join(_ controller: Int32) -> Bool {
      if controller == latest { return false }
      latest = controller
      return controllers.insert(controller).inserted
    }

    /// - Returns: whether this shows that something was heard of late, and nothing did until now.
    mutating func take(_ row: EventRow) -> Bool {
      while let last = told.last, last.cause >= row.cause { told.removeLast() }
      let showsLate = !isLate && told.last.map { $0.seq > row.cause } ?? false
      isLate = isLate || showsLate
      if told.count == LateHearing.deepest { told.removeFirst(told.count / 2) }
      told.append(Told(seq: row.seq, cause: row.cause))
      return showsLate
    }
  }

  /// From this number on, threads are not told apart.
  private static let threads = 63
  /// So many calls in each other are remembered.
  private static let deepest = 1_024
  /// The controllers.
  private(set) var controllers: Set<Int32> = []
  private var nests = Array(repeating: Nest(), count: threads)

  /// Takes in the next event of the recording.
  mutating func take(_ row: EventRow) {
    let thread = Int(row.thread)
    guard thread < Self.threads, let kind = EventKind(rawValue: row.kind), kind.side != .note else {
      return
    }
    // A step that was put off names what put it off, and mostly comes from outside.
    if row.isOutermost || kind == .resumed { nests[thread] = Nest() }
    var isNews = nests[thread].join(row.controller)
    if kind.side == .input, kind != .resumed, row.cause != 0, nests[thread].take(row) {
      isNews = true
    }
    if isNews, nests[thread].isLate { controllers.formUnion(nests[thread].controllers) }
  }
}
