import Staty
import StatyHistory

// What had been left when something was made.
extension OpenCalls {
  /// Whether no run can have made this event where it is recorded; asked before it is linked.
  func isMisplaced(_ event: Known, _ kind: EventKind) -> Bool {
    guard event.cause != 0, event.maker != .silent else { return false }
    if event.maker == .ours {
      if event.isOutput { return isLeft(theWorkOf: event) }
    } else if kind == .resumed || event.maker == .unknown && event.isOutput {
      return false
    }
    guard let call = self[event.cause], call.thread == event.thread else { return false }
    if event.isOutput, call.controller == event.controller {
      // It did that in the call itself, and not when observers heard of it.
      return isLeft(call.seq, call.thread)
    }
    return isOver(call)
  }

  private func isLeft(_ seq: Int64, _ thread: UInt8) -> Bool {
    furthest(since: seq, onThread: thread).map { $0 < seq } ?? false
  }

  /// Whether the work in which a controller of ours performs this output was done.
  private func isLeft(theWorkOf output: Known) -> Bool {
    // A tear-down by the controller's own work is done in that work, which is unknown.
    guard let input = decided(output), !input.isInTearDown else { return false }
    return isWorkDone(input)
  }

  /// Whether what a controller of ours was at work in when it was told this was done.
  private func isWorkDone(_ input: Known) -> Bool {
    if input.isExact { return isLeft(input.start, input.thread) }
    return isLeft(input.seq, input.thread) && areAncestorsLeft(input)
  }

  /// Whether nothing more could be made in the handling of this event.
  ///
  /// While a controller tells observers of an event, what it makes is heard of when all have heard of
  /// that one. So it comes back when it had been left, as long as that one is on its way.
  private func isOver(_ call: Known) -> Bool {
    if call.maker == .ours {
      // Only observers make anything in an input of ours, and they have heard of it when the
      // controller goes on.
      if !call.isOutput, hasGoneOn(call) { return true }
      guard isLeft(call.seq, call.thread) else { return false }
      // Of what it does they hear at once.
      return call.isOutput || isWorkDone(call)
    }
    guard let furthest = furthest(since: call.seq, onThread: call.thread), furthest < call.seq
    else { return false }
    return furthest == 0 || areAncestorsLeft(call)
  }

  /// Whether all events of its controller had been left that this one was made in, so far as could be.
  private func areAncestorsLeft(_ event: Known) -> Bool {
    var outer = event
    for _ in 0..<Self.deepest {
      // What a step ran in that was put off is not known.
      guard outer.saysCall || outer.maker == .ours else { return false }
      if outer.cause == 0 { return true }
      guard let next = self[outer.cause], next.seq < outer.seq, next.thread == event.thread
      else { return false }
      outer = next
      guard outer.controller == event.controller else { continue }
      if outer.isInTearDown || !isLeft(outer.seq, outer.thread) { return false }
    }
    return false
  }
}
