public import Staty
public import StatyHistory

/// What may happen at some controllers, without saying in which order.
///
/// ```swift
/// var scenario = Scenario("queue")
/// let loading = scenario.ask("loading")
/// scenario.ask("alert") { $0.leaves = true }
/// scenario.ask("content") { $0.place = .after(.entered, loading) }
/// ```
///
/// Each request has a number that it keeps when others are taken out, so that a ``Schedule`` goes on
/// meaning the same.
public struct Scenario: Equatable, Sendable {
  /// The controllers.
  public var controllers: [Controller] = []
  /// The requests, each with what its state does.
  public var requests: [Request] = []
  /// What somebody cancels.
  public var cancels: [Cancel] = []
  /// Why it says less than the recording that it was made of should.
  public var doubts: [ReplayResult.Doubt] = []

  /// A scenario in which nothing happens.
  public init() {}

  /// A scenario of one controller at its beginning, in which nothing happens yet.
  ///
  /// - Parameter kind: the name by which the controller is made.
  public init(_ kind: String) {
    controllers = [Controller(kind)]
  }

  /// The request with this number.
  public func request(_ id: Int) -> Request? { requests.first { $0.id == id } }

  /// The number that the next request or cancellation gets.
  public var nextID: Int {
    (requests.map(\.id) + cancels.map(\.id)).max().map { $0 + 1 } ?? 1
  }
}

// MARK: Parts

extension Scenario {
  /// A controller of a scenario.
  public struct Controller: Equatable, Sendable {
    /// Its number in the scenario.
    public var id: Int32
    /// What it is called.
    public var name: String
    /// The name by which it is made.
    public var kind: String
    /// How much it reports.
    public var fidelity = Fidelity.full
    /// Where it stands.
    public var snapshot = SnapshotRecord()
    /// What it does if a state takes too long to come in; `nil` if it waits for ever.
    public var deadlineEntering: DeadlineRecovery?
    /// The same, to leave.
    public var deadlineLeaving: DeadlineRecovery?

    /// A controller at its beginning.
    public init(_ kind: String, id: Int32 = 1, name: String? = nil) {
      self.id = id
      self.kind = kind
      self.name = name ?? kind
    }
  }

  /// A request, and what the state does that is asked for.
  public struct Request: Equatable, Sendable {
    /// Its number in the scenario.
    public let id: Int
    /// The controller that is asked.
    public var controller: Int32 = 1
    /// The state.
    public var state: StateName
    /// Who asks: requests and cancellations of one source come in the order of their numbers.
    public var source: Int
    /// When it can come.
    public var place = Place.anytime
    /// How urgent it is.
    public var priority: Int32 = 0
    /// Requests with the same number ask for the same; `nil` for what the object says.
    public var equality: UInt32?
    /// What the guards answer, a bit for each.
    public var answers: UInt64 = 0
    /// Why it may not be carried out, whatever the policy.
    public var objection: Objection?
    /// The contextual destination that is asked for.
    public var asked: StateName?
    /// The request for the same object that came first; `nil` if this is the first.
    public var instance: Int?
    /// The request whose state asks.
    public var origin: Int?
    /// What is known of the state beyond its name.
    public var payload: String?
    /// The number of its visit, if it was made before the beginning.
    public var visit: UInt32?

    /// What the state does when it is told to come in.
    public var enters = Answer.later
    /// What it does when it is told to leave and is in.
    public var exits = Answer.later
    /// What it does when it is told to leave and has not been in: a state that is not on the screen
    /// may have nothing to hide.
    public var exitsEarly = Answer.perhaps
    /// Whether it may leave by itself once it is in.
    public var leaves = false
    /// What it may say again after it has said it.
    public var repeats: Set<Completion> = []

    /// A request for a state by somebody who asks for nothing else.
    public init(_ id: Int, _ state: StateName) {
      Scenario.check(id)
      self.id = id
      self.state = state
      source = id
    }
  }

  /// Somebody cancels.
  public struct Cancel: Equatable, Sendable {
    /// How much is cancelled.
    public enum Extent: Hashable, Sendable {
      /// The visit of the request with this number, once it has been made.
      case request(Int)
      /// Every visit.
      case all
      /// The controller itself.
      case tearDown
    }

    /// Its number in the scenario.
    public let id: Int
    /// The controller that is told.
    public var controller: Int32 = 1
    /// How much is cancelled.
    public var extent: Extent
    /// Who cancels.
    public var source: Int
    /// When it can come.
    public var place = Place.anytime

    /// A cancellation by somebody who does nothing else.
    public init(_ id: Int, _ extent: Extent) {
      Scenario.check(id)
      self.id = id
      self.extent = extent
      source = id
    }
  }

  /// What a state does when it is told something.
  public enum Answer: String, Hashable, Sendable, CaseIterable {
    /// It says that it has done it before the call returns.
    case atOnce
    /// It says so at any later moment.
    case later
    /// It says so at any later moment, or not at all.
    case perhaps
    /// It says nothing.
    case never
    /// An app's own controller says so in the state's place; at a policy, which never does, the
    /// state says so at once.
    case byController
  }

  /// Something that happens to a visit.
  public struct Moment: Hashable, Sendable {
    /// The number of the visit's request.
    public var request: Int
    /// What happens.
    public var kind: TransitionEvent.Kind

    /// This happens to the visit of this request.
    public init(_ kind: TransitionEvent.Kind, _ request: Int) {
      self.kind = kind
      self.request = request
    }
  }

  /// When a request or a cancellation can come.
  public enum Place: Hashable, Sendable {
    /// At any time.
    case anytime
    /// At any time after this has happened.
    case after(Moment)
    /// When this happens, before the call returns; if the state answers in the same call, before or
    /// after that.
    case inside(Moment, isAfterAnswer: Bool)

    /// At any time after this has happened.
    public static func after(_ kind: TransitionEvent.Kind, _ request: Int) -> Place {
      .after(Moment(kind, request))
    }

    /// When this happens, before the call returns.
    public static func inside(_ kind: TransitionEvent.Kind, _ request: Int) -> Place {
      .inside(Moment(kind, request), isAfterAnswer: false)
    }
  }
}

// MARK: Making

extension Scenario {
  private static func check(_ id: Int) {
    precondition(
      id > 0 && id < 1 << 30,
      "A request or cancellation is numbered from 1, but this one is \(id): use 'nextID'.")
  }

  /// Adds a request.
  ///
  /// - Parameter change: says how it is made and what its state does; by default anybody asks at any
  ///   time, and the state does what it is told in a while.
  /// - Returns: its number.
  @discardableResult
  public mutating func ask(
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

  /// The scenario with other controllers.
  public func with(_ replacement: Replacement) -> Scenario {
    var scenario = self
    for place in scenario.controllers.indices {
      let one = controllers[place]
      scenario.controllers[place].kind = replacement.name(for: one.id, recorded: one.kind)
      if scenario.controllers[place].kind != one.kind {
        scenario.controllers[place].fidelity = .full
      }
    }
    return scenario
  }

  /// The scenario in which every state that answers in a while may also not answer.
  public var allowingSilence: Scenario {
    changingAnswers { $0 == .later ? .perhaps : $0 }
  }

  /// The scenario in which what happens inside of something may also come later.
  public var loosened: Scenario {
    var scenario = changingAnswers { $0 == .atOnce ? .later : $0 }
    for place in scenario.requests.indices { scenario.requests[place].place.loosen() }
    for place in scenario.cancels.indices { scenario.cancels[place].place.loosen() }
    return scenario
  }

  private func changingAnswers(_ change: (Answer) -> Answer) -> Scenario {
    var scenario = self
    for place in scenario.requests.indices {
      scenario.requests[place].enters = change(requests[place].enters)
      scenario.requests[place].exits = change(requests[place].exits)
      scenario.requests[place].exitsEarly = change(requests[place].exitsEarly)
    }
    return scenario
  }
}

extension Scenario.Place {
  fileprivate mutating func loosen() {
    if case .inside(let moment, _) = self { self = .after(moment) }
  }
}
