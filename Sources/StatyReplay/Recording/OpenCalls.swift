import Staty
import StatyHistory

/// Knows of the latest events in which call each was made, and what had been left by then.
///
/// The calls of one thread lie in each other. While what was done about an event had not returned,
/// whatever else was made on its thread was made in it, or in something that was made later still: no
/// event was made in a call with a number less than the event's own. So if one was, the event had
/// been left by then.
///
/// An input says in which call it was made: that is its cause. So does an output of an opaque
/// controller. An output of ours names what it was decided in. It is performed in the work of
/// whatever set the controller to work, which is the input itself if the controller was at rest, and
/// else something further out. The work counts as a call here, with that input's number.
///
/// Some do not say it. A step that was put off names what put it off. And a controller of ours whose
/// target has gone is torn down by its own work, in which that is not recorded.
///
/// What is called misplaced is so in every run that could have been recorded. It is taken for granted
/// that only observers and states make anything while a controller of ours is at work: neither what
/// finds its target nor the end of a state object does.
struct OpenCalls {
  /// Who recorded the events of a controller, and how.
  enum Maker: UInt8 {
    /// Nobody said in what they happened.
    case silent
    /// A controller of ours.
    case ours
    /// An app's own controller, of a known kind.
    case opaque
    /// A controller of a kind that nobody has told of: it may be either.
    case unknown
  }

  struct Known {
    var seq: Int64 = 0
    var cause: Int64 = 0
    /// What was at work when it was made; further in than that, if it is not known exactly.
    var start: Int64 = 0
    /// In which call it was made, or further in.
    var call: Int64 = 0
    /// The latest event of the thread before this one that was made further out.
    var further: Int64 = 0
    var controller: Int32 = 0
    var thread: UInt8 = 0
    var maker = Maker.silent
    var isOutput = false
    /// Whether ``start`` is known exactly.
    var isExact = false
    /// Whether ``call`` is where it was made, or further in; if not, that is unknown.
    var saysCall = false
    /// Whether it may have been made by the controller's own work, or was told in something that may:
    /// then that work goes on further out than ``start``.
    var isInTearDown = false
  }

  private struct Desk {
    var maker = Maker.silent
    /// The number of the latest output.
    var lastOutput: Int64 = 0
  }

  /// So far back events are remembered; a power of two.
  private static let most = 8_192
  /// From this number on, threads are not told apart.
  private static let threads = 63
  /// Of controllers with higher numbers nothing is said.
  private static let mostControllers: Int32 = 1 << 16
  /// So many calls in each other are looked through; deeper nothing is said.
  static let deepest = 256
  private var known = Array(repeating: Known(), count: most)
  private var desks: [Desk]
  /// The number of the latest event of each thread that says in which call it was made.
  private var latest = Array(repeating: Int64(0), count: threads)

  init(_ makers: [Int32: Maker]) {
    let makers = makers.filter { $0.key >= 0 && $0.key < Self.mostControllers }
    desks = Array(repeating: Desk(), count: Int(makers.keys.max() ?? -1) + 1)
    for (controller, maker) in makers { desks[Int(controller)].maker = maker }
  }

  /// Takes in the next event of the recording.
  ///
  /// - Returns: whether no run can have made it where it is recorded. It is never said of what was
  ///   made in something too far back to know.
  mutating func take(_ row: EventRow) -> Bool {
    guard Int(row.thread) < Self.threads, row.controller >= 0, row.controller < desks.count,
      let kind = EventKind(rawValue: row.kind), kind.side != .note
    else { return false }
    var event = Known(
      seq: row.seq, cause: row.cause, start: row.seq, call: row.cause,
      controller: row.controller, thread: row.thread, maker: desks[Int(row.controller)].maker,
      isOutput: kind.side == .output)
    event.isInTearDown =
      kind == .cancelled && row.reason == EventReason.cancelledTearDown.code
    locate(&event, kind)
    let isMisplaced = isMisplaced(event, kind)
    if event.saysCall { link(&event) }
    if event.isOutput { desks[Int(row.controller)].lastOutput = row.seq }
    known[Int(truncatingIfNeeded: row.seq) & (Self.most - 1)] = event
    return isMisplaced
  }

  /// Notes that what was made before it and is not further out has been left.
  private mutating func link(_ event: inout Known) {
    let thread = Int(event.thread)
    event.further = event.call == 0 ? 0 : latest[thread]
    while let earlier = self[event.further], earlier.call >= event.call {
      event.further = earlier.further
    }
    latest[thread] = event.seq
  }

  /// What is remembered of the event with this number.
  subscript(seq: Int64) -> Known? {
    let event = known[Int(truncatingIfNeeded: seq) & (Self.most - 1)]
    return seq != 0 && event.seq == seq ? event : nil
  }

  /// The least number of a call in which anything was made after this event on a thread; `nil` if
  /// nothing was.
  func furthest(since seq: Int64, onThread thread: UInt8) -> Int64? {
    var next = latest[Int(thread)]
    var call: Int64?
    while next > seq, let event = self[next] {
      call = event.call
      next = event.further
    }
    return call
  }

  /// Whether a controller made an output after this event.
  func hasGoneOn(_ event: Known) -> Bool {
    desks[Int(event.controller)].lastOutput > event.seq
  }
}

// MARK: In which call something was made

extension OpenCalls {
  private func locate(_ event: inout Known, _ kind: EventKind) {
    switch event.maker {
    case .silent: break
    case .opaque: event.saysCall = kind != .resumed
    case .unknown:
      // If it is one of ours, an output's cause lies further in than it does.
      event.saysCall =
        kind != .resumed && !event.isInTearDown && (!event.isOutput || event.cause != 0)
    case .ours where event.isOutput:
      // What was decided before anybody observed names nothing, wherever it is done.
      guard let input = decided(event) else { return }
      (event.start, event.isExact, event.call) = (input.start, input.isExact, input.start)
      (event.saysCall, event.isInTearDown) = (true, input.isInTearDown)
    case .ours:
      event.saysCall = !event.isInTearDown
      findStart(&event)
    }
  }

  /// The input that an output of ours says it was decided in.
  func decided(_ output: Known) -> Known? {
    guard let input = self[output.cause], !input.isOutput,
      input.controller == output.controller, input.thread == output.thread
    else { return nil }
    return input
  }

  /// Finds out what had set a controller of ours to work when it was told this: the event itself, if
  /// it was at rest.
  private func findStart(_ event: inout Known) {
    var next = event.cause
    for _ in 0..<Self.deepest {
      if next == 0 {
        event.isExact = true
        return
      }
      guard let outer = self[next], outer.thread == event.thread else { return }
      if outer.controller == event.controller {
        (event.start, event.isExact) = (outer.start, outer.isExact)
        event.isInTearDown = event.isInTearDown || outer.isInTearDown
        return
      }
      guard let further = further(outer) else { return }
      next = further
    }
  }

  /// What a call lies in while something is made in it, but for what is the controller's own; `nil`
  /// if that is not known.
  private func further(_ call: Known) -> Int64? {
    // An opaque controller's event may be heard late, in another call than the one it was made in.
    guard call.maker == .ours else { return call.saysCall && call.cause == 0 ? 0 : nil }
    guard call.isExact, let start = self[call.start] else { return nil }
    let isNext =
      call.isOutput || call.start == call.seq
      || self[call.cause]?.controller == call.controller
    // Else it is heard in the call that it was made in, or in the one of what set the controller to
    // work, and something lies between.
    return isNext ? start.cause : nil
  }
}
