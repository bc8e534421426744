internal import StatyReport

extension TestScenario {
  /// A state says that it has done what it was told: that it is in, or that it is out.
  ///
  /// Steps that the controller has put off are run before, if the state waits for them.
  ///
  /// - Parameter ifPossible: whether nothing happens, instead of a failure, if it was not told so: for
  ///   tests that several controllers are to pass, each in its way.
  public func complete(
    _ request: TestRequest, _ completion: Completion, ifPossible: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    perform(
      .say(completion, request.id), ifPossible, TestLocation(fileID, filePath, line, column))
  }

  /// A state says once more what it has already said.
  ///
  /// - Parameter ifPossible: whether nothing happens, instead of a failure, if it has not.
  public func completeAgain(
    _ request: TestRequest, _ completion: Completion, ifPossible: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    perform(
      .repeat(completion, request.id), ifPossible, TestLocation(fileID, filePath, line, column))
  }

  /// A state leaves by itself, as an alert does when somebody closes it.
  ///
  /// - Parameter ifPossible: whether nothing happens, instead of a failure, if it is not in.
  public func leave(
    _ request: TestRequest, ifPossible: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    perform(.leave(request.id), ifPossible, TestLocation(fileID, filePath, line, column))
  }

  /// A state takes longer than it was given, to come in or to leave.
  ///
  /// - Parameters:
  ///   - recovery: what the controller does about it; for policies, which have no clock.
  ///   - ifPossible: whether nothing happens, instead of a failure, if nobody waits for it.
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

  /// What states are shown on is there from now on.
  public func bind(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let controller = scenario.controllers[0].id
    perform(.bind(controller), false, TestLocation(fileID, filePath, line, column))
  }

  /// The oldest step runs that the controller has put off, to the main queue, say, or a timer.
  ///
  /// Nothing happens if it has put none off: that is the controller's own affair.
  public func advance(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    perform(.advance, TestLocation(fileID, filePath, line, column))
  }

  /// The step runs that the controller has put off as the how-manieth of all, counted from 1: of a class
  /// with several timers, one that is not the oldest.
  public func advance(
    step number: UInt32,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    perform(.run(number), TestLocation(fileID, filePath, line, column))
  }

  /// Time passes, and what the controller has put off runs when its time has come: the timers of a
  /// class of one's own that waits on the context's scheduler, and the deadlines of a live controller.
  ///
  /// What is due first runs first, and what it puts off runs, too, if it is due by then. Lines of a
  /// test take no time; a policy alone has no clock, and ``miss(_:_:recovery:ifPossible:fileID:filePath:line:column:)``
  /// says of it that a state took too long.
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
      return reportFailure("Time goes on by \(time), which is backwards.", at: location)
    }
    let (seconds, attoseconds) = time.components
    let microseconds = min(seconds, 1 << 40) * 1_000_000 + attoseconds / 1_000_000_000_000
    perform(.pass(microseconds), location)
  }

  /// Everybody does what they were told, and every step runs that was put off, until nothing is left
  /// to do.
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
