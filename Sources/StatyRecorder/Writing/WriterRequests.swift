import Foundation
import Staty
import StatyHistory
import Synchronization

/// A question that the writer answers from the file, after the old rings are recovered.
final class WriterQuestion<Answer: Sendable>: Sendable {
  private let find: @Sendable (HistoryReader) throws -> Answer?
  private let state = Mutex<Answer?>(nil)

  init(_ find: @escaping @Sendable (HistoryReader) throws -> Answer?) {
    self.find = find
  }

  /// What was found; none before it was asked, and after a failure.
  var answer: Answer? { state.withLock { $0 } }

  /// Finds the answer.
  func look(through writer: HistoryWriter) {
    let found = try? find(writer.reader())
    state.withLock { $0 = found }
  }
}

/// Requests to the writer's thread from other threads, which wait for the answers.
final class WriterRequests: Sendable {
  /// The writer's tasks besides storing events.
  struct Tasks: Sendable {
    var level: FlushLevel?
    var copies: [CopyAnswer] = []
    var questions: [@Sendable (HistoryWriter) -> Void] = []
    var isSuspended = false
    var isClosing = false

    /// Whether nothing is asked for besides the end.
    var isOnlyClosing: Bool { isClosing && level == nil && copies.isEmpty && questions.isEmpty }
  }

  private struct State: Sendable {
    var tasks = Tasks()
    var asked: UInt64 = 0
    var answered: UInt64 = 0
    var isOver = false
    /// The number of callers that wait for an answer.
    var waiting = 0
    /// The failed requests and the reasons, kept while a caller waits.
    var refused: [(numbers: ClosedRange<UInt64>, reason: String)] = []
    /// The callers that wait without blocking a thread.
    var suspended: [(number: UInt64, continuation: CheckedContinuation<String?, Never>)] = []

    /// The reason why an answered request failed; `nil` if it succeeded.
    func refusal(of number: UInt64) -> String? {
      if answered < number { return WriterRequests.closed }
      return refused.first { $0.numbers.contains(number) }?.reason
    }

    /// Call it when a caller does not wait any more.
    mutating func endWait() {
      waiting -= 1
      if waiting == 0 { refused = [] }
    }

    /// Removes the suspended callers that have an answer, and returns calls that resume them.
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

  /// Adds tasks, and returns the number of the request.
  ///
  /// - Parameter waiting: whether the caller waits. Then it must call `wait` or `answer(to:)`.
  func ask(waiting: Bool, _ change: (inout Tasks) -> Void) -> UInt64 {
    state.withLock { state in
      change(&state.tasks)
      state.asked += 1
      if waiting { state.waiting += 1 }
      return state.asked
    }
  }

  /// The current tasks, and the number of the last request.
  ///
  /// Flushes, copies and questions are returned once.
  func take() -> (tasks: Tasks, number: UInt64) {
    state.withLock { state in
      let tasks = state.tasks
      state.tasks.level = nil
      state.tasks.copies = []
      state.tasks.questions = []
      return (tasks, state.asked)
    }
  }

  /// Whether a caller waits for an answer.
  var isPending: Bool {
    state.withLock { $0.asked > $0.answered }
  }

  /// Answers all requests up to this number.
  ///
  /// - Parameters:
  ///   - failure: the reason why they failed; `nil` if they succeeded.
  ///   - isLast: whether the writer ends, so that later requests fail.
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
  /// - Returns: the reason why it failed; `nil` if it succeeded.
  func answer(to number: UInt64) async -> String? {
    await withCheckedContinuation { continuation in
      let resumptions = state.withLock { state in
        state.suspended.append((number, continuation))
        return state.takeAnswered()
      }
      for resume in resumptions { resume() }
    }
  }

  /// Waits until a request is answered, and blocks the thread.
  ///
  /// It waits in short slices and counts each one with its nominal length. So the wait does not end early if
  /// the process was stopped, the machine slept or the clock was set.
  ///
  /// - Returns: the reason why it failed; `nil` if it succeeded.
  func wait(for number: UInt64, atMost limit: TimeInterval) -> String? {
    var left = limit
    answers.lock()
    defer {
      state.withLock { $0.endWait() }
      answers.unlock()
    }
    while state.withLock({ $0.answered < number }) {
      if state.withLock({ $0.isOver }) { return Self.closed }
      if left <= 0 { return "the writer did not answer within \(limit) s" }
      let slice = min(left, Self.slice)
      let began = EventSource.clock
      let isAnswer = answers.wait(until: Date(timeIntervalSinceNow: slice))
      left -= isAnswer ? min(slice, TimeInterval(EventSource.clock &- began) / 1e9) : slice
    }
    return state.withLock { $0.refusal(of: number) }
  }
}
