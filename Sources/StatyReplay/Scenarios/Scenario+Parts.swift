public import Staty
package import StatyHistory

// What a scenario consists of.
extension Scenario {
  /// A controller of a scenario.
  public struct Controller: Equatable, Sendable {
    /// Its number in the scenario.
    public var id: Int32
    /// What it is called.
    public var name: String
    /// The name by which it is made.
    public var kind: String
    /// In which order it lets its states enter, unless the registry says it of its kind.
    public var discipline: Discipline
    /// How much it reports.
    public var fidelity = Fidelity.full
    /// Whether one of another kind was recorded.
    var isReplaced = false
    /// Its snapshot at the beginning.
    package var snapshot = SnapshotRecord()
    /// What it does if a state takes too long to enter; `nil` if it waits without a limit.
    public var deadlineEntering: DeadlineRecovery?
    /// What it does if a state takes too long to exit; `nil` if it waits without a limit.
    public var deadlineExiting: DeadlineRecovery?

    /// A controller at its beginning.
    public init(
      _ kind: String, id: Int32 = 1, name: String? = nil, discipline: Discipline = .inOrder
    ) {
      self.discipline = discipline
      self.id = id
      self.kind = kind
      self.name = name ?? kind
    }
  }

  /// A request, and how its state behaves.
  public struct Request: Equatable, Sendable {
    /// Its number in the scenario.
    public let id: Int
    /// The controller that is asked.
    public var controller: Int32 = 1
    /// The state.
    public var state: StateName
    /// The source of the request.
    ///
    /// Requests and cancellations of one source keep the order of their numbers.
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
    /// The contextual destination that is requested.
    public var asked: StateName?
    /// The request for the same object that came first; `nil` if this is the first.
    public var instance: Int?
    /// The request that this one originates from: its state makes this one.
    public var origin: Int?
    /// What is known of the state beyond its name.
    public var payload: String?
    /// The number of its visit, if it was made before the beginning.
    package var visit: UInt32?

    /// What the state does when it is told to enter.
    public var enters = Answer.later
    /// What the state does when it has entered and is told to exit.
    public var exits = Answer.later
    /// What the state does when it is told to exit before it has entered: a state that is not on
    /// screen may have nothing to hide.
    public var exitsEarly = Answer.perhaps
    /// What it reports in the usual order, though it may also be silent.
    var isUsuallyReported: Set<Completion> = []
    /// Whether it exits when its user closes it: once it has entered, it has no limit.
    package var awaitsUser = false
    /// Whether it may exit by itself once it has entered.
    public var exitsByItself = false
    /// What it may report again.
    public var repeats: Set<Completion> = []
    /// What it may report without having done it to the end, such as an animation that something
    /// interrupts.
    public var mayBeUnfinished: Set<Completion> = []
    /// What it reports in that way whenever it does so at once, by itself or again.
    package var unfinished: Set<Completion> = []

    /// Lets its state answer everything later.
    mutating func answersLater() { (enters, exits, exitsEarly) = (.later, .later, .later) }

    /// A request from a source that makes no other request.
    package init(_ id: Int, _ state: StateName) {
      Scenario.check(id)
      self.id = id
      self.state = state
      source = id
    }
  }

  /// A cancellation.
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
    /// The source of the cancellation.
    public var source: Int
    /// When it can come.
    public var place = Place.anytime

    /// A cancellation from a source that does nothing else.
    package init(_ id: Int, _ extent: Extent) {
      Scenario.check(id)
      self.id = id
      self.extent = extent
      source = id
    }
  }

  /// Something that a model receives, such as a tap, a response or a timer.
  public struct Message: Equatable, Sendable {
    /// Its number in the scenario.
    public let id: Int
    /// The track or controller that receives it.
    public var controller: Int32 = 1
    /// Its name.
    public var name: StateName
    /// Its values, as they are recorded; `nil` for a message that has only a name.
    public var values: String?
    /// The message that it answers: it never comes before that.
    public var origin: Int?
    /// Whether a track moves when it is received, perhaps to the same value.
    ///
    /// If none does in a search, the model has ignored the message, and answers to it do not come.
    public var moves = false
    /// Whether a track came to another name when it was recorded.
    var changes = false
    /// The source of the message.
    ///
    /// Messages of one source keep the order of their numbers.
    public var source = 0
    /// When it can come.
    public var place = Place.anytime
    /// The number of the recorded event; 0 if it was not recorded.
    package var seq: Int64 = 0
    /// What was asked for in the handling of the message that it answers; `nil` if no stand-in knows.
    ///
    /// Only where that is asked, it comes; if nothing was asked, it does not.
    var questions: [ReplayQuestion.Key]?
    /// Whether it comes only if something was asked in the handling of the message that it answers, and
    /// that is not answered yet.
    package var needsQuestion = false

    /// A message that answers none.
    package init(_ id: Int, _ name: StateName) {
      Scenario.check(id)
      self.id = id
      self.name = name
    }
  }

  /// How a state answers a call.
  public enum Answer: String, Hashable, Sendable, CaseIterable {
    /// It reports before the call returns.
    case atOnce
    /// It reports at any later moment.
    case later
    /// It reports at any later moment, or not at all.
    case perhaps
    /// It never reports.
    case never
    /// An app's own controller reports in the state's place. A policy never does; there, the state
    /// reports at once.
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

  /// An outward call of a controller, such as one of its delegate, named by what the controller was
  /// handling when it made the call.
  public struct Call: Hashable, Sendable {
    /// The controller.
    public var controller: Int32
    /// The name of the call.
    public var name: StateName
    /// What the controller was handling.
    public var kind: TransitionEvent.Kind?
    /// The request of the visit that the controller was handling; 0 if it is none of the scenario.
    public var request: Int
    /// How many such calls were made in the same situation before.
    public var number = 0

    /// A call of a controller.
    public init(
      _ name: StateName, by controller: Int32, on kind: TransitionEvent.Kind? = nil,
      _ request: Int = 0
    ) {
      (self.controller, self.name, self.kind, self.request) = (controller, name, kind, request)
    }
  }

  /// When a request, a cancellation or a message can come.
  public enum Place: Hashable, Sendable {
    /// At any time.
    case anytime
    /// At any time after this has happened.
    case after(Moment)
    /// When this happens, before the call returns; if the state answers in the same call, before or
    /// after that.
    case inside(Moment, isAfterAnswer: Bool)
    /// When the controller makes this call, before it returns, unless what it calls does it by
    /// itself.
    case called(Call)
    /// Right after another model or controller has handled this message.
    case within(message: Int)

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
