public import Staty
package import StatyRules

/// What may happen at some controllers, without an order.
///
/// ```swift
/// var scenario = Scenario("queue")
/// let loading = scenario.request("loading")
/// scenario.request("alert") { $0.exitsByItself = true }
/// scenario.request("content") { $0.place = .after(.entered, loading) }
/// ```
///
/// Each request keeps its number when others are removed, so that a ``Schedule`` keeps its meaning.
public struct Scenario: Equatable, Sendable {
  /// The controllers.
  public var controllers: [Controller] = []
  /// The requests, each with what its state does.
  public var requests: [Request] = []
  /// The cancellations.
  public var cancels: [Cancel] = []
  /// The messages.
  public var messages: [Message] = []
  /// Why it is less complete than its recording should allow.
  public var doubts: [ReplayDoubt] = []
  /// What the rules find in the recording that it was made from: that order is one of the possible
  /// ones.
  package var recorded: [Finding] = []
  /// The order in which everything happened when it was recorded; empty if it was not.
  ///
  /// A request that was made inside of another step comes after that step.
  package var recordedOrder: Schedule = []
  /// The event at which what is played parts from the recording; `nil` if it does not.
  package var parting: Int64?

  /// Whether it is no error that a visit waits for one that exits by itself: a test says itself what exits.
  package var mayWaitForExits = true

  /// The messages of which an answer was left out, and what it answered, if that is known: they are
  /// never answered in full.
  var unanswered: [Int: [ReplayQuestion.Key]] = [:]
  /// The messages of which an answer is to come that the scenario does not have yet.
  package var awaited: Set<Int> {
    get { Set(unanswered.keys) }
    set { unanswered = Dictionary(uniqueKeysWithValues: newValue.map { ($0, []) }) }
  }

  /// Whether the questions of its messages are known, as far as stand-ins note them.
  var knowsQuestions = false

  /// A scenario in which nothing happens.
  public init() {}

  /// A scenario of one controller at its beginning, in which nothing happens yet.
  ///
  /// - Parameters:
  ///   - kind: the name by which the controller is made.
  ///   - discipline: in which order it lets its states enter, unless the registry says it of its kind.
  public init(_ kind: String, discipline: Discipline = .inOrder) {
    controllers = [Controller(kind, discipline: discipline)]
  }

  /// The request with this number.
  package func request(numbered id: Int) -> Request? { requests.first { $0.id == id } }

  /// The message with this number.
  package func message(numbered id: Int) -> Message? { messages.first { $0.id == id } }

  /// The number that the next request, cancellation or message gets.
  package var nextID: Int {
    (requests.map(\.id) + cancels.map(\.id) + messages.map(\.id)).max().map { $0 + 1 } ?? 1
  }
}

// MARK: Making

extension Scenario {
  static func check(_ id: Int) {
    precondition(
      id > 0 && id < 1 << 30,
      "A request, cancellation or message is numbered from 1, but this one is \(id): use 'nextID'.")
  }

  /// Adds a request.
  ///
  /// - Parameter change: says how the request is made and how its state behaves. By default the
  ///   request can happen at any time, and the state answers later.
  /// - Returns: its number.
  @discardableResult
  public mutating func request(
    _ state: StateName, _ change: (inout Request) -> Void = { _ in }
  ) -> Int {
    var request = Request(nextID, state)
    request.controller = controllers.first?.id ?? 1
    change(&request)
    requests.append(request)
    return request.id
  }

  /// Adds a cancellation.
  ///
  /// - Returns: its number.
  @discardableResult
  public mutating func cancel(
    _ extent: Cancel.Extent, _ change: (inout Cancel) -> Void = { _ in }
  ) -> Int {
    var cancel = Cancel(nextID, extent)
    cancel.controller = controllers.first?.id ?? 1
    change(&cancel)
    cancels.append(cancel)
    return cancel.id
  }

  /// Adds a message that is received with its values.
  ///
  /// Messages that answer none come from one source, such as the user, and keep their order. So do
  /// the answers to one message.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - question: the number of the message that it answers, after which it can come at any time.
  ///   - change: says more of when it can come.
  /// - Returns: its number.
  @discardableResult
  public mutating func receive(
    _ message: some RecordedMessage, answering question: Int? = nil,
    _ change: (inout Message) -> Void = { _ in }
  ) -> Int {
    receive(
      StateName(ofCase: message), MessageText.text(of: message), answering: question, change)
  }

  /// Adds a message by its recorded name and values.
  @discardableResult
  public mutating func receive(
    _ name: StateName, _ values: String? = nil, answering question: Int? = nil,
    _ change: (inout Message) -> Void = { _ in }
  ) -> Int {
    var message = Message(nextID, name)
    message.controller = controllers.first?.id ?? 1
    message.values = values
    message.origin = question
    message.source = question.map { -$0 } ?? 0
    change(&message)
    messages.append(message)
    return message.id
  }

  /// The scenario in which every state that answers later may also not answer.
  public var allowingSilence: Scenario {
    func silent(_ answer: Answer) -> Answer { answer == .later ? .perhaps : answer }
    var scenario = self
    for place in scenario.requests.indices {
      if requests[place].enters == .later {
        scenario.requests[place].isUsuallyReported.insert(.entered)
      }
      if requests[place].exits == .later {
        scenario.requests[place].isUsuallyReported.insert(.exited)
      }
      scenario.requests[place].enters = silent(requests[place].enters)
      scenario.requests[place].exits = silent(requests[place].exits)
      scenario.requests[place].exitsEarly = silent(requests[place].exitsEarly)
    }
    return scenario
  }

  /// Whether a state may never report what it was told in its turn.
  package var mayBeSilent: Bool {
    requests.contains { request in
      [request.enters, request.exits].contains { $0 == .perhaps || $0 == .never }
    }
  }
}
