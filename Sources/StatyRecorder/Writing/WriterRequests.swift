import Foundation
import Staty
import Synchronization

/// What others ask of the writer, and how they wait for it.
final class WriterRequests: Sendable {
  /// What the writer is asked to do, besides writing.
  struct Wanted: Sendable {
    var level: FlushLevel?
    var copies: [CopyAnswer] = []
    var lookups: [LastStateAnswer] = []
    var isSuspended = false
    var isClosing = false
  }

  private struct State: Sendable {
    var wanted = Wanted()
    var asked: UInt64 = 0
    var answered: UInt64 = 0
    var isOver = false
    /// How many wait.
    var waiting = 0
    /// Which requests were refused and why, as long as a caller waits.
    var refused: [(numbers: ClosedRange<UInt64>, reason: String)] = []
  }

  private let state = Mutex(State())
  private let answers = NSCondition()
  private static let slice: TimeInterval = 0.1

  /// Asks for something and returns the number of the request.
  ///
  /// - Parameter waiting: whether `wait` will be called, as it then must be.
  func ask(waiting: Bool, _ change: (inout Wanted) -> Void) -> UInt64 {
    state.withLock { state in
      change(&state.wanted)
      state.asked += 1
      if waiting { state.waiting += 1 }
      return state.asked
    }
  }

  /// What is wanted now; flushes, copies and lookups are handed out once.
  func take() -> (wanted: Wanted, number: UInt64) {
    state.withLock { state in
      let wanted = state.wanted
      state.wanted.level = nil
      state.wanted.copies = []
      state.wanted.lookups = []
      return (wanted, state.asked)
    }
  }

  /// Whether a caller waits for an answer.
  var isPending: Bool {
    state.withLock { $0.asked > $0.answered }
  }

  /// Says that everything asked for up to this number is done, or why not.
  ///
  /// - Parameter isLast: whether nothing will be answered any more.
  func answer(_ number: UInt64, failure: String? = nil, isLast: Bool = false) {
    answers.lock()
    state.withLock { state in
      if let failure, number > state.answered, state.waiting > 0 {
        state.refused.append(((state.answered + 1)...number, failure))
      }
      state.answered = max(state.answered, number)
      state.isOver = isLast
    }
    answers.broadcast()
    answers.unlock()
  }

  /// Waits until a request is answered.
  ///
  /// In slices that count with their nominal length, so that a stopped process, a machine that slept or a
  /// clock that was set does not end the wait early.
  ///
  /// - Returns: why it was not carried out, or `nil` if it was.
  func wait(for number: UInt64, atMost limit: TimeInterval) -> String? {
    var left = limit
    answers.lock()
    defer {
      state.withLock { state in
        state.waiting -= 1
        if state.waiting == 0 { state.refused = [] }
      }
      answers.unlock()
    }
    while state.withLock({ $0.answered < number }) {
      if state.withLock({ $0.isOver }) { return "the recorder is closed" }
      if left <= 0 { return "the writer did not come to it within \(limit) s" }
      let slice = min(left, Self.slice)
      let began = EventSource.clock
      let isAnswer = answers.wait(until: Date(timeIntervalSinceNow: slice))
      left -= isAnswer ? min(slice, TimeInterval(EventSource.clock &- began) / 1e9) : slice
    }
    return state.withLock { state in
      state.refused.first { $0.numbers.contains(number) }?.reason
    }
  }
}
