internal import StatyReport

extension TestScenario {
  /// Somebody asks for a state.
  ///
  /// - Parameters:
  ///   - state: the state's name.
  ///   - object: a request for the same object, if this is not the first.
  ///   - asked: what was asked for, if that was a contextual destination such as `previous`.
  ///   - priority: how urgent it is, for policies that ask.
  ///   - equality: requests with the same number ask for the same, for policies that ask.
  ///   - answers: what the guards of routes answer, a bit for each.
  ///   - payload: what is known of the state beyond its name.
  ///   - enters: what the state does when it is told to come in; by default it waits until the test
  ///     says that it is in.
  ///   - exits: the same, to leave.
  ///   - exitsEarly: the same where it is told to leave though it is not in.
  @discardableResult
  public func request(
    _ state: StateName, again object: TestRequest? = nil, asked: StateName? = nil,
    priority: Int32 = 0, equality: UInt32? = nil, answers: UInt64 = 0, payload: String? = nil,
    enters: Scenario.Answer = .later, exits: Scenario.Answer = .later,
    exitsEarly: Scenario.Answer = .perhaps,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> TestRequest {
    var manner = TestScript.Manner()
    (manner.object, manner.asked, manner.priority) = (object?.id, asked, priority)
    (manner.equality, manner.answers, manner.payload) = (equality, answers, payload)
    (manner.enters, manner.exits, manner.exitsEarly) = (enters, exits, exitsEarly)
    let id = script.ask(state, manner)
    perform(.step(.make(id)), TestLocation(fileID, filePath, line, column))
    return TestRequest(id: id)
  }

  /// While something happens to a state, its code, or who observes it, asks for another.
  ///
  /// The request is made before what happens there has been handled; it need not be said before.
  ///
  /// - Parameters:
  ///   - kind: what happens: `entering` if the state is told to come in, for example.
  ///   - origin: the request whose state it happens to.
  ///   - afterAnswer: whether it is made after the state has answered in the same call.
  @discardableResult
  public func request(
    _ state: StateName, inside kind: TransitionEvent.Kind, of origin: TestRequest,
    again object: TestRequest? = nil, asked: StateName? = nil,
    priority: Int32 = 0, equality: UInt32? = nil, answers: UInt64 = 0, payload: String? = nil,
    enters: Scenario.Answer = .later, exits: Scenario.Answer = .later,
    exitsEarly: Scenario.Answer = .perhaps, afterAnswer: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> TestRequest {
    var manner = TestScript.Manner()
    (manner.object, manner.asked, manner.priority) = (object?.id, asked, priority)
    (manner.equality, manner.answers, manner.payload) = (equality, answers, payload)
    (manner.enters, manner.exits, manner.exitsEarly) = (enters, exits, exitsEarly)
    let inside = TestScript.Inside(
      Scenario.Moment(kind, origin.id), isAfterAnswer: afterAnswer)
    let id = script.ask(state, manner, inside: inside)
    perform(nil, TestLocation(fileID, filePath, line, column))
    return TestRequest(id: id)
  }

  /// Somebody cancels one request; without it, everything.
  ///
  /// - Parameter ifPossible: whether nothing happens, instead of a failure, if it is over.
  public func cancel(
    _ request: TestRequest? = nil, ifPossible: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let id = script.scenario.cancel(request.map { .request($0.id) } ?? .all)
    perform(.make(id), ifPossible, TestLocation(fileID, filePath, line, column))
  }

  /// The controller is torn down.
  public func tearDown(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let id = script.scenario.cancel(.tearDown)
    perform(.make(id), false, TestLocation(fileID, filePath, line, column))
  }
}
