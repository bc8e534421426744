internal import CJobs

extension World {
  /// Answers at any time: call it in the fake of a server, a store or a device.
  ///
  /// A fake that sleeps instead ends after this time only, and hides orders.
  ///
  /// - Parameters:
  ///   - name: what was asked for.
  ///   - value: the answer.
  ///   - source: what keeps the order of its answers, such as a serial queue; `nil` if they come in
  ///     any order.
  nonisolated(nonsending) public func answer<Value>(
    _ name: String, _ value: Value, inOrderOf source: String? = nil
  ) async -> Value {
    await answered(name, Answer(), source)
    return value
  }

  /// Answers at any time with one of several values.
  ///
  /// The first is the usual one.
  nonisolated(nonsending) public func answer<Value>(
    _ name: String, oneOf values: [Value], inOrderOf source: String? = nil
  ) async -> Value {
    precondition(!values.isEmpty, "'\(name)' needs a value to answer with.")
    let answer = Answer(values.map { String(describing: $0) })
    await answered(name, answer, source)
    return values[answer.variant]
  }

  /// Answers at any time with a value or an error.
  nonisolated(nonsending) public func answer<Value, Failure>(
    _ name: String, _ result: Result<Value, Failure>, inOrderOf source: String? = nil
  ) async throws(Failure) -> Value {
    await answered(name, Answer(), source)
    return try result.get()
  }

  /// Answers at any time with one of several values or errors.
  ///
  /// The first is the usual one.
  nonisolated(nonsending) public func answer<Value, Failure>(
    _ name: String, oneOf results: [Result<Value, Failure>], inOrderOf source: String? = nil
  ) async throws(Failure) -> Value {
    precondition(!results.isEmpty, "'\(name)' needs a result to answer with.")
    let answer = Answer(results.map(Self.words))
    await answered(name, answer, source)
    return try results[answer.variant].get()
  }

  /// Answers at any time, and with an error as soon as the task is cancelled, as `URLSession` does.
  nonisolated(nonsending) public func answer<Value, Failure>(
    _ name: String, _ result: Result<Value, Failure>, inOrderOf source: String? = nil,
    whenCancelled error: some Error
  ) async throws -> Value {
    let answer = Answer()
    let isCancelled = await withTaskCancellationHandler {
      await answered(name, answer, source)
      return answer.isCancelled
    } onCancel: {
      cancelled(answer)
    }
    if isCancelled { throw error }
    return try result.get()
  }

  /// Never answers; throws when the task is cancelled.
  nonisolated(nonsending) public func neverAnswer(_ name: String) async throws -> Never {
    let answer = Answer()
    await withTaskCancellationHandler {
      guard jobs_is_on() else { return }
      run.noteIfOver(name)
      if Task.isCancelled {
        // At the end of a run, what asks again would go on without an end.
        if run.asksTooOften() {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        return
      }
      await withUnsafeContinuation { answer.continuation = $0 }
    } onCancel: {
      cancelled(answer)
    }
    throw CancellationError()
  }

  /// Calls at any time, as a delegate's platform or a completion does.
  ///
  /// To call twice, write it twice.
  ///
  /// - Parameters:
  ///   - name: what the call is, in words.
  ///   - source: what keeps the order of its calls, such as one delegate; `nil` if they come in any
  ///     order.
  ///   - delay: how long it takes at least.
  ///   - body: the call.
  public func call(
    _ name: String, from source: String? = nil, after delay: Duration = .zero,
    _ body: @escaping @MainActor () -> Void
  ) {
    guard jobs_is_on() else {
      return Control.noteElsewhere("the call '\(name)' came from another thread", in: run.number)
    }
    let trace = Trace.current
    run.called(name, source, after: delay.nanoseconds) {
      Trace.$current.withValue(trace) { body() }
    }
  }

  nonisolated(nonsending) private func answered(
    _ name: String, _ answer: Answer, _ source: String?
  ) async {
    // Another thread asks: it is not under control, and what it goes on with is noticed there.
    guard jobs_is_on() else { return await Task.yield() }
    await withUnsafeContinuation {
      answer.continuation = $0
      run.asked(name, source, answer)
      if answer.isCancelled { run.cancelled(answer) }
    }
  }

  private func cancelled(_ answer: Answer) {
    // The task has been given its value, and has not gone on yet.
    if answer.hasCome { return }
    // Before it has asked, or on another thread, it is only noted.
    if jobs_is_on(), answer.continuation != nil {
      run.cancelled(answer)
    } else {
      answer.isCancelled = true
    }
  }

  private static func words<Value, Failure>(_ result: Result<Value, Failure>) -> String {
    switch result {
    case .success(let value): "\(value)"
    case .failure(let error): "the error \(error)"
    }
  }

  /// A clock for models that get theirs from outside.
  public var clock: WorldClock { WorldClock(world: self) }
}

/// The time of a world: it goes on when nothing else can be done.
public struct WorldClock: Clock {
  let world: World

  /// A moment in a world.
  public struct Instant: InstantProtocol {
    /// The time since the world began.
    public let offset: Duration

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  public var now: Instant { Instant(offset: .nanoseconds(Int64(clamping: world.run.now))) }
  public var minimumResolution: Duration { .nanoseconds(1) }

  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await world.sleep(until: deadline)
  }
}

extension World {
  nonisolated(nonsending) fileprivate func sleep(until deadline: WorldClock.Instant) async throws {
    try Task.checkCancellation()
    let answer = Answer()
    await withTaskCancellationHandler {
      guard jobs_is_on() else { return }
      await withUnsafeContinuation {
        answer.continuation = $0
        run.sleeps(for: clock.now.duration(to: deadline).nanoseconds, answer)
      }
    } onCancel: {
      cancelled(answer)
    }
    try Task.checkCancellation()
  }
}
