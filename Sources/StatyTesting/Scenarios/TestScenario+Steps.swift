internal import Staty
internal import StatyReport

extension TestScenario {
  /// Completes a state: it reports that it has entered or exited.
  ///
  /// If the state waits for deferred steps of the controller, these run first.
  ///
  /// - Parameters:
  ///   - request: the request of the state.
  ///   - completion: what the state reports.
  ///   - finished: whether it was done to the end, such as an animation.
  ///   - ifPossible: whether the line is skipped, instead of a failure, if the state was not told
  ///     so. Use it in tests for several controllers that behave differently.
  public func complete(
    _ request: TestRequest, _ completion: Completion, finished: Bool = true,
    ifPossible: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    perform(
      .complete(completion, request.id, finished: finished), ifPossible,
      TestLocation(fileID, filePath, line, column))
  }

  /// Completes a state a second time.
  ///
  /// - Parameters:
  ///   - request: the request of the state.
  ///   - completion: what the state reports again.
  ///   - ifPossible: whether the line is skipped, instead of a failure, if the state has not
  ///     reported it before.
  public func completeAgain(
    _ request: TestRequest, _ completion: Completion, ifPossible: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    perform(
      .repeat(completion, request.id), ifPossible, TestLocation(fileID, filePath, line, column))
  }

  /// Lets a state exit by itself, such as an alert that the user closes.
  ///
  /// - Parameters:
  ///   - request: the request of the state.
  ///   - ifPossible: whether the line is skipped, instead of a failure, if the state has not
  ///     entered.
  public func exitByItself(
    _ request: TestRequest, ifPossible: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    perform(.exitByItself(request.id), ifPossible, TestLocation(fileID, filePath, line, column))
  }

  /// Lets a state exceed its time limit to enter or to exit.
  ///
  /// - Parameters:
  ///   - request: the request of the state.
  ///   - completion: the completion that is late.
  ///   - recovery: what the controller does. This is for policies, which have no clock.
  ///   - ifPossible: whether the line is skipped, instead of a failure, if the completion is not
  ///     awaited.
  public func miss(
    _ request: TestRequest, _ completion: Completion, recovery: DeadlineRecovery,
    ifPossible: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    script.recover(completion, by: recovery)
    perform(
      .deadline(completion, request.id), ifPossible, TestLocation(fileID, filePath, line, column))
  }

  /// Gives the controller a target.
  public func bind(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let controller = scenario.controllers[0].id
    perform(.bind(controller), false, TestLocation(fileID, filePath, line, column))
  }

  /// Runs the oldest step that the controller has deferred, for example to the main queue or a
  /// timer.
  ///
  /// Does nothing if there is no deferred step.
  public func advance(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    perform(.advance, TestLocation(fileID, filePath, line, column))
  }

  /// Runs a deferred step that is not the oldest, such as one of several timers.
  ///
  /// - Parameter number: the number of the step, counted from 1 in the order in which steps were
  ///   deferred.
  public func advance(
    step number: UInt32,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    perform(.run(number), TestLocation(fileID, filePath, line, column))
  }

  /// Advances the time, and runs the deferred steps that become due.
  ///
  /// These are the timers of your own class on the context's scheduler, and the deadlines of a live
  /// controller. Steps run in the order of their times. A step that another one defers runs too if
  /// it becomes due. The other lines of a test take no time. A policy alone has no clock: use
  /// ``miss(_:_:recovery:ifPossible:fileID:filePath:line:column:)`` for its time limits.
  ///
  /// ```swift
  /// let loading = checkout.request("loading")
  /// checkout.advance(by: .milliseconds(999))
  /// checkout.expectOrder(.entering(loading))
  /// checkout.advance(by: .milliseconds(1))
  /// checkout.expectOrder(.entering(loading), .exiting(loading), .discarded(loading, "timed-out"))
  /// ```
  public func advance(
    by time: Duration,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let location = TestLocation(fileID, filePath, line, column)
    guard time >= .zero else {
      return reportFailure("Time cannot advance by \(time), which is negative.", at: location)
    }
    perform(.pass(min(time, .seconds(1 << 40)).inMicroseconds), location)
  }

  /// Completes all states and runs all deferred steps, until nothing is left to do.
  public func settle(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    perform(.settle, TestLocation(fileID, filePath, line, column))
  }

  func perform(_ step: Step, _ ifPossible: Bool, _ location: TestLocation) {
    script.allow(step)
    perform(ifPossible ? .perhaps(step) : .step(step), location)
  }
}
