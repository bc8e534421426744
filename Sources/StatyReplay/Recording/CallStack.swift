/// What is under way on a thread: each in the one before.
///
/// Observers are told of an event before it is handled. Those that hear of it later are told when that
/// has been done.
struct CallStack {
  private struct Frame {
    let seq: Int64
    /// If it is an output and it is not known in which work of its controller: what set it to that, as
    /// far as that is said, or else 0.
    var unknownWork: Int64?
    /// Whether its handling has begun.
    var isHandled = false
    /// Whether observers are told of it later than usual.
    var isLateHearing = false
  }

  /// From this number on, threads are not told apart.
  static let threads = 63
  /// So many calls in each other are remembered: more would be too many for a thread's stack.
  private static let deepest = 1_024
  private var frames: [Frame] = []

  /// An event is made in what is under way.
  mutating func begin(_ seq: Int64) { push(Frame(seq: seq)) }

  /// An output is made, it is not known in which work; what came before of the same is over.
  mutating func begin(_ seq: Int64, inWorkSince start: Int64) {
    if start != 0, let place = frames.lastIndex(where: { $0.unknownWork == start }) {
      frames.removeSubrange(place...)
    }
    push(Frame(seq: seq, unknownWork: start))
  }

  /// Observers are told of an event now that was made earlier.
  mutating func beginHearing(_ seq: Int64) { push(Frame(seq: seq, isLateHearing: true)) }

  private mutating func push(_ frame: Frame) {
    if frames.count == Self.deepest { frames.removeFirst(frames.count / 2) }
    frames.append(frame)
  }

  /// Whether any of what is under way is such.
  func contains(where isSuch: (Int64) -> Bool) -> Bool { frames.contains { isSuch($0.seq) } }

  /// Leaves everything further in than where something happens now.
  ///
  /// - Parameter isLate: whether observers are told of that later than usual.
  /// - Returns: those left of which it is not known in which work they were; `nil` if that is not under
  ///   way, and then nothing is left.
  mutating func goOn(in link: CallNesting.Link, isLate: Bool) -> [Int64]? {
    if link.seq == 0 {
      frames.removeAll(keepingCapacity: true)
      return []
    }
    guard let place = place(of: link, isLate) else { return nil }
    let left = frames[(place + 1)...].lazy.filter { $0.unknownWork != nil }.map(\.seq)
    defer {
      frames.removeSubrange((place + 1)...)
      if !link.isHeard { frames[place].isHandled = true }
    }
    return Array(left)
  }

  /// Whether something can happen there.
  func isOpen(_ link: CallNesting.Link, isLate: Bool) -> Bool { place(of: link, isLate) != nil }

  private func place(of link: CallNesting.Link, _ isLate: Bool) -> Int? {
    let place = frames.lastIndex { $0.seq == link.seq && $0.isLateHearing == isLate }
    return place.flatMap { link.isHeard && frames[$0].isHandled ? nil : $0 }
  }
}
