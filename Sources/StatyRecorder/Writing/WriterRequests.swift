import Foundation
import Synchronization

/// What others ask of the writer, and how they wait for it.
final class WriterRequests: Sendable {
  /// What the writer is asked to do, besides writing.
  struct Wanted: Sendable {
    var level: FlushLevel?
    var share: String?
    var lookups: [LastStateAnswer] = []
    var isSuspended = false
    var isClosing = false
  }

  private struct State: Sendable {
    var wanted = Wanted()
    var asked: UInt64 = 0
    var answered: UInt64 = 0
    var isOver = false
    /// Why the last answer was no, with the requests it was for.
    var refused: (ClosedRange<UInt64>, reason: String)?
  }

  private let state = Mutex(State())
  private let answers = NSCondition()

  /// Asks for something and returns the number of the request.
  func ask(_ change: (inout Wanted) -> Void) -> UInt64 {
    state.withLock { state in
      change(&state.wanted)
      state.asked += 1
      return state.asked
    }
  }

  /// What is wanted now; flushes, copies and lookups are handed out once.
  func take() -> (wanted: Wanted, number: UInt64) {
    state.withLock { state in
      let wanted = state.wanted
      state.wanted.level = nil
      state.wanted.share = nil
      state.wanted.lookups = []
      return (wanted, state.asked)
    }
  }

  /// Puts back what could not be tried yet.
  func putBack(_ wanted: Wanted) {
    state.withLock { state in
      state.wanted.level = state.wanted.level ?? wanted.level
      state.wanted.share = state.wanted.share ?? wanted.share
    }
  }

  /// Whether anybody waits for an answer.
  var isPending: Bool {
    state.withLock { $0.asked > $0.answered }
  }

  /// Says that everything asked for up to this number is done, or why not.
  ///
  /// - Parameter isLast: whether nothing will be answered any more.
  func answer(_ number: UInt64, failure: String? = nil, isLast: Bool = false) {
    answers.lock()
    state.withLock { state in
      if let failure, number > state.answered {
        state.refused = ((state.answered + 1)...number, failure)
      }
      state.answered = max(state.answered, number)
      state.isOver = isLast
    }
    answers.broadcast()
    answers.unlock()
  }

  /// Waits until a request is answered.
  ///
  /// - Returns: why it was not carried out, or `nil` if it was.
  func wait(for number: UInt64, atMost limit: TimeInterval) -> String? {
    let end = Date(timeIntervalSinceNow: limit)
    answers.lock()
    defer { answers.unlock() }
    while state.withLock({ $0.answered < number }) {
      if state.withLock({ $0.isOver }) { return "the recorder is closed" }
      if !answers.wait(until: end) { return "the writer did not come to it within \(limit) s" }
    }
    return state.withLock { state in
      state.refused.flatMap { $0.0.contains(number) ? $0.reason : nil }
    }
  }
}

/// How safe a flush is to make things.
public enum FlushLevel: Int, Sendable, Comparable {
  /// Committed: survives the end of the app, however it comes.
  case stored = 1
  /// Synced: survives a loss of power too.
  case durable

  public static func < (one: FlushLevel, other: FlushLevel) -> Bool {
    one.rawValue < other.rawValue
  }
}
