internal import StatyReport

extension TestScenario {
  /// Requests a state.
  ///
  /// - Parameters:
  ///   - state: the state's name.
  ///   - object: an earlier request for the same state object, if there is one.
  ///   - asked: the contextual destination that was requested, such as `previous`, if there is one.
  ///   - priority: the urgency, for policies that use it.
  ///   - equality: a number that is equal for requests of the same state, for policies that compare
  ///     them.
  ///   - answers: the answers of the routes' guards, as bits.
  ///   - payload: the payload of the state.
  ///   - enters: what the state does when it is told to enter; by default it waits until the test
  ///     completes it.
  ///   - exits: what the state does when it is told to exit; by default it waits until the test
  ///     completes it.
  ///   - exitsEarly: what the state does when it is told to exit before it has entered.
  /// - Returns: the request, to use in later lines.
  @discardableResult
  public func request(
    _ state: StateName, again object: TestRequest? = nil, asked: StateName? = nil,
    priority: Int32 = 0, equality: UInt32? = nil, answers: UInt64 = 0, payload: String? = nil,
    enters: Scenario.Answer = .later, exits: Scenario.Answer = .later,
    exitsEarly: Scenario.Answer = .perhaps,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> TestRequest {
    let id = script.request(state) {
      ($0.instance, $0.asked, $0.priority) = (object?.id, asked, priority)
      ($0.equality, $0.answers, $0.payload) = (equality, answers, payload)
      ($0.enters, $0.exits, $0.exitsEarly) = (enters, exits, exitsEarly)
    }
    perform(.step(.make(id)), TestLocation(fileID, filePath, line, column))
    return TestRequest(id: id)
  }

  /// Requests a state from inside an event of another state, as that state's code or an observer
  /// does.
  ///
  /// The request is made before the event has been handled. This line can come after the line that
  /// causes the event.
  ///
  /// - Parameters:
  ///   - state: the state's name.
  ///   - kind: the event, such as `entering`.
  ///   - origin: the request of the other state.
  ///   - object: an earlier request for the same state object, if there is one.
  ///   - asked: the contextual destination that was requested, such as `previous`, if there is one.
  ///   - priority: the urgency, for policies that use it.
  ///   - equality: a number that is equal for requests of the same state, for policies that compare
  ///     them.
  ///   - answers: the answers of the routes' guards, as bits.
  ///   - payload: the payload of the state.
  ///   - enters: what the state does when it is told to enter.
  ///   - exits: what the state does when it is told to exit.
  ///   - exitsEarly: what the state does when it is told to exit before it has entered.
  ///   - afterAnswer: whether the request is made after the other state has completed in the same
  ///     call.
  /// - Returns: the request, to use in later lines.
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
    let place = Scenario.Place.inside(
      Scenario.Moment(kind, origin.id), isAfterAnswer: afterAnswer)
    let id = script.request(state, place) {
      ($0.instance, $0.asked, $0.priority) = (object?.id, asked, priority)
      ($0.equality, $0.answers, $0.payload) = (equality, answers, payload)
      ($0.enters, $0.exits, $0.exitsEarly) = (enters, exits, exitsEarly)
    }
    perform(nil, TestLocation(fileID, filePath, line, column))
    return TestRequest(id: id)
  }

  /// Requests a state from inside an outward call of the controller, as its delegate does.
  ///
  /// This line can come after the line that leads to the call. If what the controller calls is made in
  /// the registry and makes the request by itself, it is made once.
  ///
  /// - Parameters:
  ///   - state: the state's name.
  ///   - call: the name of the call, as in `probe.calling("didLeave") { … }`.
  ///   - kind: what the controller is handling when it makes the call.
  ///   - origin: the request of the visit that it is handling.
  ///   - number: how many such calls were made in the same situation before.
  ///   - object: an earlier request for the same state object, if there is one.
  ///   - asked: the contextual destination that was requested, if there is one.
  ///   - priority: the urgency.
  ///   - payload: the payload of the state.
  ///   - enters: what the state does when it is told to enter.
  ///   - exits: what the state does when it is told to exit.
  ///   - exitsEarly: what the state does when it is told to exit before it has entered.
  /// - Returns: the request, to use in later lines.
  @discardableResult
  public func request(
    _ state: StateName, insideCall call: StateName, on kind: TransitionEvent.Kind? = nil,
    of origin: TestRequest? = nil, number: Int = 0, again object: TestRequest? = nil,
    asked: StateName? = nil, priority: Int32 = 0, payload: String? = nil,
    enters: Scenario.Answer = .later, exits: Scenario.Answer = .later,
    exitsEarly: Scenario.Answer = .perhaps,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> TestRequest {
    var inside = Scenario.Call(
      call, by: script.scenario.controllers[0].id, on: kind, origin?.id ?? 0)
    inside.number = number
    let id = script.request(state, .called(inside)) {
      ($0.instance, $0.asked, $0.priority) = (object?.id, asked, priority)
      ($0.payload, $0.enters) = (payload, enters)
      ($0.exits, $0.exitsEarly) = (exits, exitsEarly)
    }
    perform(nil, TestLocation(fileID, filePath, line, column))
    return TestRequest(id: id)
  }

  /// Cancels a request or, without one, all requests.
  ///
  /// - Parameters:
  ///   - request: the request to cancel.
  ///   - ifPossible: whether the line is skipped, instead of a failure, if the visit has already
  ///     ended.
  public func cancel(
    _ request: TestRequest? = nil, ifPossible: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let id = script.scenario.cancel(request.map { .request($0.id) } ?? .all)
    perform(.make(id), ifPossible, TestLocation(fileID, filePath, line, column))
  }

  /// Tears the controller down.
  public func tearDown(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let id = script.scenario.cancel(.tearDown)
    perform(.make(id), false, TestLocation(fileID, filePath, line, column))
  }
}
