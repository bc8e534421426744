import Foundation
import Staty
import StatyHistory
import Synchronization

/// A question that the writer answers from the file, once what earlier processes left is imported.
protocol WriterQuestion: AnyObject, Sendable {
  /// Finds the answer; a failure finds none.
  func look(through writer: HistoryWriter)
}

/// What others ask of the writer, and how they wait for it.
final class WriterRequests: Sendable {
  /// What the writer is asked to do, besides writing.
  struct Wanted: Sendable {
    var level: FlushLevel?
    var copies: [CopyAnswer] = []
    var questions: [any WriterQuestion] = []
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
    /// Those that wait without a thread.
    var suspended: [(number: UInt64, continuation: CheckedContinuation<String?, Never>)] = []

    /// Why a request that is not open any more was refused; `nil` if it was carried out.
    func refusal(of number: UInt64) -> String? {
      if answered < number { return WriterRequests.closed }
      return refused.first { $0.numbers.contains(number) }?.reason
    }

    /// One that waited does so no longer.
    mutating func endWait() {
      waiting -= 1
      if waiting == 0 { refused = [] }
    }

    /// Those of the suspended that have an answer.
    mutating func takeAnswered() -> [() -> Void] {
      let answered = suspended.filter { $0.number <= self.answered || isOver }
      suspended.removeAll { $0.number <= self.answered || isOver }
      return answered.map { wait in
        let refusal = refusal(of: wait.number)
        endWait()
        return { wait.continuation.resume(returning: refusal) }
      }
    }
  }

  private let state = Mutex(State())
  private let answers = NSCondition()
  private static let slice: TimeInterval = 0.1
  private static let closed = "the recorder is closed"

  /// Asks for something and returns the number of the request.
  ///
  /// - Parameter waiting: whether `wait` or `answer(to:)` will be called, as one of them then must be.
  func ask(waiting: Bool, _ change: (inout Wanted) -> Void) -> UInt64 {
    state.withLock { state in
      change(&state.wanted)
      state.asked += 1
      if waiting { state.waiting += 1 }
      return state.asked
    }
  }

  /// What is wanted now; flushes, copies and questions are handed out once.
  func take() -> (wanted: Wanted, number: UInt64) {
    state.withLock { state in
      let wanted = state.wanted
      state.wanted.level = nil
      state.wanted.copies = []
      state.wanted.questions = []
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
    let resumptions = state.withLock { state in
      if let failure, number > state.answered, state.waiting > 0 {
        state.refused.append(((state.answered + 1)...number, failure))
      }
      state.answered = max(state.answered, number)
      state.isOver = isLast
      return state.takeAnswered()
    }
    answers.broadcast()
    answers.unlock()
    for resume in resumptions { resume() }
  }

  /// Waits until a request is answered, without blocking a thread.
  ///
  /// - Returns: why it was not carried out, or `nil` if it was.
  func answer(to number: UInt64) async -> String? {
    await withCheckedContinuation { continuation in
      let resumptions = state.withLock { state in
        state.suspended.append((number, continuation))
        return state.takeAnswered()
      }
      for resume in resumptions { resume() }
    }
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
      state.withLock { $0.endWait() }
      answers.unlock()
    }
    while state.withLock({ $0.answered < number }) {
      if state.withLock({ $0.isOver }) { return Self.closed }
      if left <= 0 { return "the writer did not come to it within \(limit) s" }
      let slice = min(left, Self.slice)
      let began = EventSource.clock
      let isAnswer = answers.wait(until: Date(timeIntervalSinceNow: slice))
      left -= isAnswer ? min(slice, TimeInterval(EventSource.clock &- began) / 1e9) : slice
    }
    return state.withLock { $0.refusal(of: number) }
  }
}
